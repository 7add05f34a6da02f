import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import {
  copyOf,
  newSite,
  publishTo,
  type RemoteFixture,
  remoteBuild,
  serve,
  shellBuild,
  type TestSite,
  temporaryFolder,
} from '@anniversary/deploy/test/fixture-builds'
import { startCanary } from '@anniversary/deploy/verbs/canary'
import { createPreview } from '@anniversary/deploy/verbs/preview'
import { addAccessToken, revokeAccessToken } from '../src/server/access.ts'
import { controlHandler } from '../src/server/handler.ts'
import { run } from './run.ts'

/*
 * Each test has a server of a copy of one site. Composition 5 is live: mf-a and
 * mf-b have two versions, a canary and a preview each.
 */

/** Without a page, no browser tests the remote. */
export const quiet = (name: string, text: string, more: RemoteFixture = {}) =>
  remoteBuild({ name, text, routes: {}, ...more })

let template: TestSite
/** Builds to publish, live builds and ids of previews, by package. */
export const fresh: Record<string, string> = {}
export const live: Record<string, string> = {}
export const previews: Record<string, string> = {}
beforeAll(async () => {
  template = await newSite(shellBuild(), quiet('mf-a', 'one'), quiet('mf-b', 'one'))
  for (const name of ['mf-a', 'mf-b']) {
    live[name] = await quiet(name, 'two')
    fresh[name] = await quiet(name, 'four')
    await publishTo(template, live[name])
    await startCanary(template, await quiet(name, 'three'), 5)
    previews[name] = (await createPreview(template, [fresh[name]], { for: 60_000 })).preview.id
  }
})

export let target: TestSite
export let url: string
export let access: string
/** Tokens: ann's for mf-a, one for everything, and a revoked one. */
export let own: string
export let all: string
export let gone: string
beforeEach(async () => {
  target = await copyOf(template)
  access = join(await temporaryFolder(), 'access.json')
  own = await addAccessToken(access, 'ann', ['mf-a'])
  all = await addAccessToken(access, 'on call', ['*'])
  gone = await addAccessToken(access, 'eve', ['*'])
  await revokeAccessToken(access, 'eve')
  url = await serve(controlHandler(target, access))
})

export async function as(token: string, ...args: string[]) {
  process.env.DEPLOY_TOKEN = token
  return await run(...args, '--to', url)
}

export const PROGRAM = join(import.meta.dirname, '../bin/deploy-server.js')

export async function startServerProcess() {
  const args = [PROGRAM, 'server', '--port', '0', '--access', access, '--site', target.root]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [ready] = await once(child.stdout, 'data')
  const [address = ''] = /http:\S+(?=\/control)/.exec(String(ready)) ?? []
  return { child, address, ready: String(ready) }
}
