import { addManifestVerb } from './cli/changing-verbs.ts'
import { execute } from './cli/program.ts'
import { print, siteOf } from './cli/verb.ts'
import { callServer, serverOf } from './server/call-server.ts'
import { addServerVerbs } from './server/server-verbs.ts'

export async function runCli(args: readonly string[]): Promise<number> {
  const answer = await execute(
    args,
    async (verb, work) => {
      const server = serverOf(verb)
      return server ? await callServer(server, verb, args) : await work(await siteOf(verb))
    },
    (program) => {
      program
        .option('--site <address>', 'folder or bucket; default: DEPLOY_SITE, or the site in ./site')
        .option('--to <url>', 'deploy server before the site; default: DEPLOY_TO, unless --site is named')
        .option('--json', 'answer as JSON')
      addManifestVerb(program)
      addServerVerbs(program)
    },
  )
  print(answer, args.includes('--json'))
  return answer.exitCode ?? 0
}
