import { portNumber } from '@anniversary/deploy/cli/arguments'
import type { DeployCommand } from '@anniversary/deploy/cli/command'
import { siteOf } from '@anniversary/deploy/cli/open-site'
import { textTable, warningText } from '@anniversary/deploy/cli/text'
import { UsageError } from '@anniversary/deploy/rejected'
import { listenForRequests } from '@anniversary/deploy/serve/server'
import { PERMISSIONS } from '@anniversary/deploy/site/context'
import { currentSiteRecord } from '@anniversary/deploy/site/record'
import { checkWebhook } from '@anniversary/deploy/verbs/webhook'
import { errorCode } from '@anniversary/shared/error-code'
import { Option } from 'commander'
import { addAccessToken, type Grant, readAccessFile, revokeAccessToken } from './access.ts'
import { controlHandler } from './handler.ts'

/** Milliseconds. A publish with its browser takes no longer. */
const CALL_MS = 150_000

const NO_EVENT_URL =
  "eventUrl is not set, so the control page also answers on the site's host name, where pages of every team could use it: `deploy config eventUrl=https://…`"

interface ServerOptions {
  readonly host: string
  readonly port: number
  readonly access: string
}

interface TokenOptions {
  readonly packages: string
  readonly may: Grant['may']
}

const grantsOf = (file: string): Promise<Grant[]> =>
  readAccessFile(file).catch((error: unknown) => {
    if (errorCode(error) !== 'ENOENT') throw error
    throw new UsageError(
      `There is no ${file}: name the deploy server's by --access or DEPLOY_ACCESS; \`deploy token add ann --packages '*'\` makes it.`,
    )
  })

export function addServerCommands(program: DeployCommand): void {
  const access = () =>
    new Option('--access <file>', 'who may change what')
      .env('DEPLOY_ACCESS')
      .default('deploy-access.json')
  program
    .command('server')
    .description('Serve the control page and the publish API for teams that have a token')
    .option('--port <n>', 'of the server; 0: any free one', portNumber, 3100)
    .option('--host <address>', 'that the server listens on', '127.0.0.1')
    .addOption(access())
    .prints(async ({ host, port, access }: ServerOptions, command: DeployCommand) => {
      const grants = await grantsOf(access)
      const { target } = await siteOf(command)
      const { eventUrl } = (await currentSiteRecord(target)).config
      checkWebhook()
      const server = await listenForRequests(host, port)
      server.open(controlHandler(target, access))
      // Otherwise a publish could stop between its record and its pages.
      for (const signal of ['SIGTERM', 'SIGINT'] as const)
        process.once(signal, () => void server.close(CALL_MS))
      // It goes on when nobody can read where it listens.
      process.stdout.removeAllListeners('error').on('error', () => undefined)
      const ready = `Ready on http://${host}:${server.port}/control for ${grants.length} tokens of ${access}`
      if (eventUrl) return { text: ready }
      return { text: `${ready}\n${warningText(NO_EVENT_URL)}` }
    })
    .examples(`  $ deploy token add ann --packages '*'    first: who may change what
  $ deploy server                          for nginx to pass a host name of its own to, never that of the site`)

  const tokens = program
    .command('token')
    .description('Tokens for the deploy server, in the access file')
    .addOption(access())
  const fileOf = (command: DeployCommand) => command.optsWithGlobals<{ access: string }>().access
  tokens
    .command('add <name>')
    .description('Make a token for a person or pipeline, and print it once')
    .requiredOption(
      '--packages <names>',
      'that it may change, such as mf-auth,mf-history; * for all',
    )
    .addOption(
      new Option(
        '--may <what>',
        'of a branch: preview; of the main branch: publish; of Alertmanager: stop-canaries; of Prometheus: read',
      )
        .choices(PERMISSIONS)
        .default('everything'),
    )
    .prints(async (name: string, { packages, may }: TokenOptions, command: DeployCommand) => {
      const token = await addAccessToken(fileOf(command), name, packages.split(','), may)
      return { json: { ok: true, name, token }, text: token }
    })
  tokens
    .command('list')
    .description('Who has a token, and for what')
    .prints(async (_, command: DeployCommand) => {
      const grants = await grantsOf(fileOf(command))
      return {
        json: grants.map(({ name, packages, may }) => ({ name, packages, may })),
        text: textTable(grants.map(({ name, packages, may }) => [name, packages.join(', '), may])),
      }
    })
  tokens
    .command('revoke <name>')
    .description('End a token at once')
    .prints(async (name: string, _, command: DeployCommand) => {
      const file = fileOf(command)
      await grantsOf(file)
      await revokeAccessToken(file, name)
      return { json: { ok: true, name }, text: `${name} has no token any more.` }
    })
}
