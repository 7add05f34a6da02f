import { setTimeout } from 'node:timers/promises'
import { errorCode } from '@anniversary/shared/error-code'
import { Option } from 'commander'
import { table } from '../cli/text.ts'
import { portNumber, siteOf, type Verb } from '../cli/verb.ts'
import { UsageError } from '../rejected.ts'
import { listen } from '../serve/server.ts'
import { currentSite } from '../site/record.ts'
import type { Target } from '../target/target.ts'
import { judgeCanaries } from '../verbs/judge.ts'
import { addToken, type Grant, readAccess, revokeToken } from './access.ts'
import { controlHandler } from './handler.ts'

const JUDGE_MS = 60_000

interface ServerOptions {
  readonly host: string
  readonly port: number
  readonly access: string
}

/** Waits between two looks, so that a slow API never makes two at once. */
async function judgeFromNowOn(target: Target): Promise<never> {
  for (;;) {
    await setTimeout(JUDGE_MS, null, { ref: false })
    await judgeCanaries(target).catch(console.error)
  }
}

const grantsOf = (file: string): Promise<Grant[]> =>
  readAccess(file).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error
    throw new UsageError(`There is no ${file}: \`deploy token add ann --packages '*'\` makes it.`)
  })

export function addServerVerbs(program: Verb): void {
  const access = () =>
    new Option('--access <file>', 'who may change what').env('DEPLOY_ACCESS').default('deploy-access.json')
  program
    .command('server')
    .description(
      'Serve the control page, take the verbs of teams that have a token, and judge their canaries',
    )
    .option('--port <n>', 'of the server; 0: any free one', portNumber, 3100)
    .option('--host <address>', 'that the server listens on', '127.0.0.1')
    .addOption(access())
    .prints(async ({ host, port, access }: ServerOptions, verb: Verb) => {
      const target = await siteOf(verb)
      await currentSite(target)
      const grants = await grantsOf(access)
      const server = await listen(host, port)
      server.open(controlHandler(target, access))
      void judgeFromNowOn(target)
      return {
        text: `Ready on http://${host}:${server.port}/control for ${grants.length} tokens of ${access}`,
      }
    })
    .examples(`  $ deploy token add ann --packages '*'    first: who may change what
  $ deploy server                          for nginx to pass /control to`)

  const tokens = program
    .command('token')
    .description('Tokens for the deploy server, in the access file')
    .addOption(access())
  const fileOf = (verb: Verb) => verb.optsWithGlobals<{ access: string }>().access
  tokens
    .command('add <name>')
    .description('Make a token for a person or pipeline, and print it once')
    .requiredOption('--packages <names>', 'that it may change, such as mf-auth,mf-history; * for all')
    .prints(async (name: string, { packages }: { packages: string }, verb: Verb) => {
      const token = await addToken(fileOf(verb), name, packages.split(','))
      return { json: { ok: true, name, token }, text: token }
    })
  tokens
    .command('list')
    .description('Who has a token, and for what')
    .prints(async (_, verb: Verb) => {
      const grants = (await grantsOf(fileOf(verb))).map(({ name, packages }) => ({ name, packages }))
      return { json: grants, text: table(grants.map(({ name, packages }) => [name, packages.join(', ')])) }
    })
  tokens
    .command('revoke <name>')
    .description('End a token at once')
    .prints(async (name: string, _, verb: Verb) => {
      await revokeToken(fileOf(verb), name)
      return { json: { ok: true, name }, text: `${name} has no token any more.` }
    })
}
