import { table } from '../cli/text.ts'
import { contextOf, type Verb, wholeNumber } from '../cli/verb.ts'
import { reportSource } from '../reports/report-source.ts'
import { listen } from '../serve/server.ts'
import { currentSite } from '../site/record.ts'
import { judgeCanaries } from '../verbs/judge.ts'
import { accessFile, addToken, readAccess, revokeToken } from './access.ts'
import { controlHandler } from './handler.ts'

const JUDGE_MS = 60_000

interface ServerOptions {
  readonly host: string
  readonly port: number
  readonly reports?: string
  readonly access?: string
}

export function addServerVerbs(program: Verb): void {
  const access = [
    '--access <file>',
    'who may change what; default: DEPLOY_ACCESS, or ./deploy-access.json',
  ] as const
  program
    .command('server')
    .description(
      'Serve the control page, take the verbs of teams that have a token, and judge their canaries',
    )
    .option('--port <n>', 'of the server; 0: any free one', wholeNumber, 3100)
    .option('--host <address>', 'that the server listens on', '127.0.0.1')
    .option('--reports <url>', "the API's /api/reports; default: DEPLOY_REPORTS, or the site's reportUrl")
    .option(...access)
    .prints(async ({ host, port, reports, access }: ServerOptions, verb: Verb) => {
      const { target } = await contextOf(verb)
      const source = reportSource((await currentSite(target)).config, reports)
      const file = accessFile(access)
      const grants = await readAccess(file)
      const server = await listen(host, port)
      server.open(controlHandler({ target, access: file, source }))
      setInterval(() => judgeCanaries(target, source).catch(console.error), JUDGE_MS).unref()
      return { text: `Ready on http://${host}:${server.port}/control for ${grants.length} tokens of ${file}` }
    })
    .examples(`  $ deploy token add ann --packages '*'    first: who may change what
  $ deploy server                          for nginx to pass /control to`)

  const tokens = program.command('token').description('Tokens for the deploy server, in the access file')
  tokens
    .command('add <name>')
    .description('Make a token for a person or pipeline, and print it once')
    .requiredOption('--packages <names>', 'that it may change, such as mf-auth,mf-history; * for all')
    .option(...access)
    .prints(async (name: string, options: { packages: string; access?: string }) => {
      const token = await addToken(accessFile(options.access), name, options.packages.split(','))
      return { json: { ok: true, name, token }, text: token }
    })
  tokens
    .command('list')
    .description('Who has a token, and for what')
    .option(...access)
    .prints(async (options: { access?: string }) => {
      const grants = (await readAccess(accessFile(options.access))).map(({ name, packages }) => ({
        name,
        packages,
      }))
      return { json: grants, text: table(grants.map(({ name, packages }) => [name, packages.join(', ')])) }
    })
  tokens
    .command('revoke <name>')
    .description('End a token at once')
    .option(...access)
    .prints(async (name: string, options: { access?: string }) => {
      await revokeToken(accessFile(options.access), name)
      return { json: { ok: true, name }, text: `${name} has no token any more.` }
    })
}
