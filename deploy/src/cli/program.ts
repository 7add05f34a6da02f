import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import type { Outcome } from '../change.ts'
import { compositionOf } from '../compose.ts'
import { HTTPS_HEADERS, headerRules } from '../headers.ts'
import { type NginxOptions, nginxConfig } from '../nginx.ts'
import { type PublishOptions, publish, WAIVABLE, type Waivable } from '../publish.ts'
import { allRecords } from '../record.ts'
import { smokeTest } from '../smoke/smoke-test.ts'
import { FileTarget } from '../target/file-target.ts'
import { promote, resizeCanary, startCanary, stopCanary } from '../verbs/canary.ts'
import { configure } from '../verbs/configure.ts'
import { diff } from '../verbs/diff.ts'
import { existingSite } from '../verbs/existing.ts'
import { prune } from '../verbs/prune.ts'
import { rollback } from '../verbs/rollback.ts'
import { switchRemote } from '../verbs/switch.ts'
import { repair, verify } from '../verbs/verify.ts'
import { type Context, contextOf, UsageError } from './context.ts'
import { findBuilds } from './find-builds.ts'
import {
  printDifferences,
  printFailure,
  printHistory,
  printJson,
  printOutcome,
  printProblems,
  printStatus,
  say,
} from './print.ts'

/**
 * Runs the command line.
 * @returns the exit code: 0 done, 1 refused or failed, 2 wrong use
 */
export const runCli = async (args: readonly string[]): Promise<number> => {
  let exitCode = 0
  const program = buildProgram((code) => {
    exitCode = code
  })
  try {
    await program.parseAsync([...args], { from: 'user' })
    return exitCode
  } catch (error) {
    // Commander has said it already; help and version are no failure.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    return printFailure(error, args.includes('--json'))
  }
}

const examples = (lines: string): string => `\nExamples:\n${lines}`

const EXAMPLES = `
Examples:
  $ deploy publish mf-auth                     put the build in mf-auth/dist live
  $ deploy publish shell mf-auth mf-history    several at once: all or none
  $ deploy rollback mf-auth                    back to its last good version
  $ deploy rollback --to 41                    the whole site as it was in composition 41
  $ deploy canary ./mf-auth --percent 5        the build in mf-auth/dist for 5 % of the visitors
  $ deploy promote mf-auth                     the canary for everyone
  $ deploy disable mf-megalive                 switch a remote off
  $ deploy status --site s3://event-site

The site is a folder (./site) or a bucket (s3://bucket/folder), named by --site or DEPLOY_SITE.`

const buildProgram = (exit: (code: number) => void): Command => {
  const program = new Command('deploy')
    .description('Puts builds live as a site of files, and takes them back.')
    .option('--site <address>', 'folder or bucket; default: DEPLOY_SITE, or ./site')
    .option('--json', 'answer as JSON')
    .addHelpText('after', EXAMPLES)
    .exitOverride()
    .configureHelp({ showGlobalOptions: true })
    .showHelpAfterError('(deploy --help tells more)')

  const changing = (name: string): Command =>
    program.command(name).option('--dry-run', 'check everything, change nothing').exitOverride()
  const bringing = (name: string): Command =>
    changing(name)
      .addOption(new Option('--force <rules...>', 'set rules aside for once').choices(WAIVABLE))
      .option('--no-smoke', 'do not load the site in a browser first')
  const reading = (name: string): Command => program.command(name).exitOverride()

  bringing('publish [builds...]')
    .description('Put builds live: packages or their output folders; default: the package here')
    .action(async (builds: string[], options: Bringing, command: Command) =>
      report(await contextOf(command), ({ target }) =>
        publish(target, findBuilds(builds), optionsOf(options)),
      ),
    )
    .addHelpText(
      'after',
      examples(`  $ deploy publish                      from the folder of a remote, after its build
  $ deploy publish mf-auth --dry-run    would it be let through?
  $ deploy publish shell mf-auth        a new contract major: shell and remotes together`),
    )

  changing('rollback [package]')
    .description('Go back: a package to its last good version, or without one the whole site by one step')
    .option('--to <number>', 'to how it was in this composition', wholeNumber)
    .action(async (name: string | undefined, { to }: { to?: number }, command: Command) =>
      report(await contextOf(command), ({ target }) =>
        rollback(target, { ...(name ? { name } : {}), ...(to === undefined ? {} : { to }) }),
      ),
    )
    .addHelpText(
      'after',
      examples(`  $ deploy rollback mf-auth             to its last good version; ends a canary first
  $ deploy rollback mf-auth --to 41     to the version that it had in composition 41
  $ deploy rollback                     undo the last change of the site, whoever made it`),
    )

  bringing('canary <remote>')
    .description(
      'Give a build (./mf-auth) to a share of the visitors, or change the share of a canary (mf-auth)',
    )
    .option('--percent <n>', 'share of the visitors, 0 to 100', percent)
    .option('--stop', 'end the canary: everyone has the current version')
    .action(async (remote: string, options: Canary, command: Command) =>
      report(await contextOf(command), (context) => canary(context, remote, options)),
    )
    .addHelpText(
      'after',
      examples(`  $ deploy canary ./mf-auth --percent 5   the build in mf-auth/dist for 5 % of the visitors
  $ deploy canary mf-auth --percent 25    the same canary for more of them
  $ deploy canary mf-auth --stop          back to the current version for all`),
    )

  changing('promote <remote>')
    .description('Give the canary to everyone')
    .action(async (name: string, _options, command: Command) =>
      report(await contextOf(command), ({ target }) => promote(target, name)),
    )

  for (const [verb, status] of [
    ['disable', 'off'],
    ['enable', 'on'],
  ] as const)
    changing(`${verb} <remote>`)
      .description(verb === 'disable' ? 'Switch a remote off; all else goes on' : 'Switch a remote on again')
      .action(async (name: string, _options, command: Command) =>
        report(await contextOf(command), ({ target }) => switchRemote(target, name, status)),
      )

  changing('config [settings...]')
    .description(
      'Show the public configuration, or change it: shareHost=facebook.com, eventUrl= (back to the default)',
    )
    .action(async (settings: string[], _options, command: Command) => {
      const context = await contextOf(command)
      if (settings.length > 0)
        return await report(context, ({ target }) => configure(target, readSettings(settings)))
      const { config } = await existingSite(context.target)
      if (context.json) printJson(config)
      else for (const [name, value] of Object.entries(config)) say(`${name}=${value}`)
    })

  reading('status')
    .description('What is live')
    .action(async (_options, command: Command) => {
      const { target, json } = await contextOf(command)
      const record = await existingSite(target)
      if (json) printJson(record)
      else printStatus(record, target.url, new Date())
    })

  reading('history [package]')
    .description('Who changed what, the newest first')
    .option('--limit <n>', 'at most so many', wholeNumber, 20)
    .action(async (name: string | undefined, { limit }: { limit: number }, command: Command) => {
      const { target, json } = await contextOf(command)
      const records = (await allRecords(target))
        .filter(({ change }) => name === undefined || change.packages.includes(name))
        .reverse()
        .slice(0, limit)
      if (json) printJson(records)
      else printHistory(records, new Date())
    })

  reading('diff')
    .description('What differs between two compositions')
    .argument('<from>', 'number of a composition', wholeNumber)
    .argument('[to]', 'number of another; default: the newest', wholeNumber)
    .action(async (from: number, to: number | undefined, _options, command: Command) => {
      const { target, json } = await contextOf(command)
      const differences = await diff(target, from, to ?? (await existingSite(target)).number)
      if (json) printJson(differences)
      else printDifferences(differences)
    })

  changing('prune')
    .description('Remove versions that none of the newest compositions use')
    .requiredOption('--keep <n>', 'number of newest compositions whose versions stay', wholeNumber)
    .option('--days <n>', 'versions that were live within so many days stay too', wholeNumber, 0)
    .action(async (options: { keep: number; days: number }, command: Command) => {
      const { target, json, dryRun } = await contextOf(command)
      const { removed, kept } = await prune(target, options)
      if (json) return printJson({ ok: true, dryRun, removed, kept })
      for (const folder of removed) say(`${dryRun ? 'would remove' : 'removed'} ${folder}`)
      say(`${kept.length} versions stay.`)
    })

  changing('verify')
    .description(
      'Check every file of the site against its hash, and the pages against the newest composition',
    )
    .option('--repair', 'write pages and pointer anew first')
    .action(async ({ repair: mend }: { repair?: boolean }, command: Command) => {
      const { target, json } = await contextOf(command)
      if (mend) await repair(target)
      const { problems, files } = await verify(target)
      if (problems.length > 0) exit(1)
      if (json) return printJson({ ok: problems.length === 0, files, problems })
      printProblems(problems)
      say(problems.length === 0 ? `${files} files are as they should be.` : `\n${problems.length} problems.`)
    })

  reading('nginx')
    .description("nginx's configuration for a site in a folder, with the headers of the small server")
    .option('--server-name <name>', 'host name of the site', '_')
    .option('--listen <port>', 'as nginx takes it', '80')
    .option('--api <host:port>', 'where the API listens', '127.0.0.1:3001')
    .option('--root <folder>', 'the site as nginx sees it; default: that of --site')
    .option('--brotli', 'nginx has the module brotli_static')
    .action(
      async (
        options: Omit<NginxOptions, 'root' | 'brotli'> & { root?: string; brotli?: true },
        command: Command,
      ) => {
        const { target } = await contextOf(command)
        const root = options.root ?? (target instanceof FileTarget ? target.root : undefined)
        if (!root) throw new UsageError('nginx serves a folder: name the one that holds the site by --root.')
        const record = await existingSite(target)
        say(await nginxConfig(record, { ...options, root, brotli: options.brotli ?? false }))
      },
    )
    .addHelpText(
      'after',
      examples('  $ deploy nginx --server-name event.example > /etc/nginx/sites-enabled/event'),
    )

  reading('headers')
    .description('Response headers by path, as JSON: for a CDN in front of a bucket')
    .action(async (_options, command: Command) => {
      const record = await existingSite((await contextOf(command)).target)
      printJson({ always: headerRules(compositionOf(record), record.config), overHttps: HTTPS_HEADERS })
    })

  return program
}

const report = async (context: Context, work: (context: Context) => Promise<Outcome>): Promise<void> => {
  const began = Date.now()
  printOutcome(context, await work(context), Date.now() - began)
}

interface Bringing {
  readonly force?: Waivable[]
  readonly smoke: boolean
}

interface Canary extends Bringing {
  readonly percent?: number
  readonly stop?: boolean
}

const optionsOf = ({ force = [], smoke }: Bringing): PublishOptions => ({
  waive: force,
  ...(smoke ? { smoke: smokeTest } : {}),
})

/** A name is a remote of the site; a path (`./mf-auth`, `dist`) is a build. */
const canary = async ({ target }: Context, remote: string, options: Canary): Promise<Outcome> => {
  const isPath = /[./\\]/.test(remote)
  if (options.stop) return await stopCanary(target, remote)
  if (options.percent === undefined)
    throw new UsageError('How many visitors? Name --percent, or --stop to end the canary.')
  const hasCanary = !isPath && (await existingSite(target)).remotes[remote]?.canary
  if (hasCanary) return await resizeCanary(target, remote, options.percent)
  const [folder = remote] = findBuilds([remote])
  return await startCanary(target, folder, options.percent, optionsOf(options))
}

const readSettings = (settings: readonly string[]): Record<string, string | null> =>
  Object.fromEntries(
    settings.map((setting) => {
      const at = setting.indexOf('=')
      if (at < 1) throw new UsageError(`${setting} is no setting: write name=value, or name= for the default`)
      return [setting.slice(0, at), setting.slice(at + 1) || null]
    }),
  )

const wholeNumber = (text: string): number => {
  if (/^\d+$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number.')
}

const percent = (text: string): number => {
  if (/^\d{1,3}(\.\d+)?$/.test(text) && Number(text) <= 100) return Number(text)
  throw new InvalidArgumentError('It must be a number from 0 to 100.')
}
