import type { Command } from 'commander'
import { readPlans } from '../canary/plan.ts'
import { HTTPS_HEADERS, headerRules } from '../serve/headers.ts'
import { type NginxOptions, nginxConfig } from '../serve/nginx.ts'
import { compositionOf } from '../site/compose.ts'
import { allRecords, currentSite, requireRecord } from '../site/record.ts'
import { FileTarget } from '../target/file-target.ts'
import { differencesOf } from '../verbs/diff.ts'
import { repair, verify } from '../verbs/verify.ts'
import { examples, wholeNumber } from './arguments.ts'
import { contextOf, UsageError } from './context.ts'
import { printDifferences, printHistory, printJson, printProblems, printStatus, say } from './print.ts'

/**
 * Adds the verbs that read a site, and `verify --repair`.
 * @param exit sets the exit code for a problem that the verb has printed
 */
export function addReadingVerbs(program: Command, exit: (code: number) => void): void {
  const reading = (name: string): Command => program.command(name).exitOverride()

  reading('status')
    .description('What is live')
    .action(async (_options, command: Command) => {
      const { target, json } = await contextOf(command)
      const record = await currentSite(target)
      const plans = await readPlans(target, record)
      if (json) printJson({ ...record, plans })
      else printStatus(record, plans, target.url, new Date())
    })

  reading('history [package]')
    .description('Who changed what, the newest first')
    .option('--limit <n>', 'at most so many', wholeNumber, 20)
    .action(async (name: string | undefined, { limit }: { limit: number }, command: Command) => {
      const { target, json } = await contextOf(command)
      const all = await allRecords(target)
      const known = [...new Set(all.flatMap(({ change }) => change.packages))].sort()
      if (name !== undefined && !known.includes(name))
        throw new Error(`This site never had a package ${name}; it has ${known.join(', ')}`)
      const records = all
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
      const older = await requireRecord(target, from)
      const newer = to === undefined ? await currentSite(target) : await requireRecord(target, to)
      const differences = differencesOf(older, newer)
      if (json) printJson(differences)
      else printDifferences(differences)
    })

  reading('verify')
    .description(
      'Check every file of the site against its hash, and the pages against the newest composition',
    )
    .option('--repair', 'write pages and pointer anew first')
    .option('--at-least <n>', 'the newest composition must have this number', wholeNumber)
    .action(async ({ repair: mend, atLeast }: { repair?: boolean; atLeast?: number }, command: Command) => {
      const { target, json } = await contextOf(command)
      if (mend) await repair(target)
      const { problems, files } = await verify(target, atLeast)
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
        const record = await currentSite(target)
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
      const record = await currentSite((await contextOf(command)).target)
      printJson({ always: headerRules(compositionOf(record), record.config), overHttps: HTTPS_HEADERS })
    })
}
