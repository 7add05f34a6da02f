import { join } from 'node:path'
import { listen } from '../src/serve/server.ts'
import { addToken } from '../src/server/access.ts'
import { controlHandler } from '../src/server/handler.ts'
import type { Target } from '../src/target/target.ts'
import { temporaryFolder } from './fixture-builds.ts'
import { run } from './run.ts'

/** A deploy server of a site, with an access file of its own. */
export async function startDeployServer(target: Target) {
  const access = join(await temporaryFolder(), 'access.json')
  const server = await listen('127.0.0.1', 0)
  server.open(controlHandler(target, access))
  const url = `http://127.0.0.1:${server.port}`
  return {
    url,
    access,
    close: server.close,
    tokenFor: (name: string, ...packages: string[]) => addToken(access, name, packages),
    /** The command line of somebody with this token. */
    async as(token: string, ...args: string[]) {
      process.env.DEPLOY_TOKEN = token
      return await run(...args, '--to', url)
    },
  }
}
export type DeployServer = Awaited<ReturnType<typeof startDeployServer>>
