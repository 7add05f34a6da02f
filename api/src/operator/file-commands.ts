import { appendFileSync, rmSync } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { Argument, type Command, Option } from 'commander'
import { type Database, rowOf } from '../database/database.ts'
import { LIST_INVARIANTS, listOfDigest } from '../draws/draw-lists.ts'
import type { ImportRules } from '../draws/import-draw.ts'
import { readLoginKeys } from '../server/pepper.ts'
import {
  auditTextOption,
  fromHere,
  type Operator,
  reasonOption,
  recordOutcome,
  runOnDatabase,
} from './command.ts'
import { csvExportKinds, type ExportName, type ExportOptions, writeCsvExport } from './exports.ts'
import { digestFile } from './file-digest.ts'
import { type Importer, importCsvFile, importSummary, withoutCommits } from './import-file.ts'
import { activityImporter, describePrizes, drawImporter, memberImporter } from './importers.ts'
import { formatNumber } from './member-report.ts'
import { verifyInvariants } from './verify.ts'

interface ImportOptions {
  readonly dryRun?: true
  readonly list?: string
  readonly withoutList?: string
  readonly again?: boolean
  readonly otherPrizes?: boolean
  readonly reason?: string
}

const IMPORTS = ['members', 'activity', 'draw'] as const
type ImportName = (typeof IMPORTS)[number]

const SHOWN_LINES = 20

/** Exit codes of a command that a signal has stopped. */
const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGQUIT: 131, SIGTERM: 143 } as const

/** Checks the list first, since winners of a wrong one must not be stored. */
async function importRules(
  { database }: Operator,
  { list, withoutList, again = false }: ImportOptions,
): Promise<ImportRules> {
  if ((list === undefined) === (withoutList === undefined))
    throw new Error(
      "results need the digest of the draw's frozen list: --list DIGEST; for a draw without a list, say why: --without-list REASON",
    )

  if (list === undefined) return { listOf: null, again }
  const found = await listOfDigest(database, list)
  const isSound = await verifyInvariants(
    database,
    ({ invariant, broken, examples }) => {
      if (broken > 0) console.error(`BROKEN  ${invariant}: ${examples.join('; ')}`)
    },
    LIST_INVARIANTS,
  )
  if (!isSound)
    throw new Error(`nothing was imported: the list of draw ${found.draw} is not as it was frozen`)
  return { listOf: found.draw, again }
}

async function importerOf(
  operator: Operator,
  what: ImportName,
  file: string,
  options: ImportOptions,
): Promise<Importer> {
  const { config, database, now } = operator
  // Also refuses a database that no server has used, and so has no missions.
  const loginKeys = await readLoginKeys(database, config.loginPepper)
  if (options.again && options.reason === undefined) throw new Error('--again needs a --reason')
  if (what === 'draw') return drawImporter(await importRules(operator, options), options)
  if (options.list ?? options.withoutList)
    throw new Error('--list and --without-list are for "import draw"')
  if (what === 'members') return memberImporter({ loginKeys }, options)
  if (options.again) throw new Error('--again is for "import members" and "import draw"')
  return activityImporter({ now }, `import of ${file} by ${operator.name}`)
}

const lastImport = rowOf<{ at: string; who: string; isOver: boolean }, [subject: string]>(
  `SELECT event_time(at) AS at, who, detail ->> 'begins' IS NULL AS "isOver" FROM audit
   WHERE what = 'import' AND subject = $1 ORDER BY id DESC LIMIT 1`,
)

async function tellOfKilled(database: Database, subject: string): Promise<void> {
  const last = await lastImport(database, subject)
  if (last?.isOver === false)
    console.log(
      `the import of this file by ${last.who} at ${last.at} did not end; lines that it stored are known already`,
    )
}

async function importFrom(
  operator: Operator,
  what: ImportName,
  file: string,
  options: ImportOptions,
  command: Command,
) {
  const { database } = operator
  const isTrial = options.dryRun === true
  const importer = await importerOf(operator, what, file, options)
  const path = fromHere(file)
  const report = `${path}.refused.csv`
  let refused = 0
  const refuse = (line: number, reason: string) => {
    refused++
    if (isTrial) {
      if (refused <= SHOWN_LINES) console.log(`line ${line}: ${reason}`)
      return
    }
    if (refused === 1) appendFileSync(report, 'line,reason\n')
    appendFileSync(report, `${line},"${reason.replaceAll('"', '""')}"\n`)
  }

  const stopping = new AbortController()
  // Ctrl-C arrives twice: from the terminal, and from npm.
  for (const [signal, code] of Object.entries(SIGNALS))
    process.on(signal, () => stopping.abort(code))
  const run = async (target: Pick<Database, 'transaction'>) => {
    if (!(await stat(path)).isFile())
      throw new Error(`${file} is not a regular file; save the lines in one, which is read twice`)
    const sha256 = await digestFile(path)
    const { won, ...counts } = await importCsvFile(target, path, importer, refuse, stopping.signal)
    const prizes = won && (await describePrizes(database, isTrial ? won : []))
    return { ...counts, ...(prizes && { prizes }), sha256 }
  }
  const runRecorded = async () => {
    rmSync(report, { force: true })
    await tellOfKilled(database, command.args.join(' '))
    return recordOutcome(operator, command, () => run(database))
  }
  const summary = isTrial ? await run(withoutCommits(database)) : await runRecorded()

  console.log(importSummary(summary, isTrial))
  for (const line of summary.prizes ?? []) console.log(line)
  if (summary.inLaterLists)
    console.log(
      `in the list of a later draw, which "draw freeze N --again" corrects until a minute before it: ${summary.inLaterLists.join(', ')}`,
    )
  if (refused > 0 && !isTrial) console.log(`refused lines: ${report}`)
  if (summary.stopped) {
    process.exitCode = stopping.signal.reason
    console.log(
      'stopped before the end of the file; repeat the command to go on: lines that are known change nothing',
    )
  } else if (summary.refused === summary.lines) process.exitCode = 1
}

/**
 * Only the owner can read the file. It replaces an earlier one when it is
 * complete.
 */
async function writeWhole<T>(path: string, write: (out: Writable) => Promise<T>): Promise<T> {
  const place = await stat(path).catch(() => undefined)
  // A pipe or device is not replaced.
  if (place?.isFile() === false) return write((await open(path, 'w')).createWriteStream())
  const unfinished = `${path}.${process.pid}.unfinished`
  const file = await open(unfinished, 'wx', 0o600)
  try {
    const result = await write(file.createWriteStream({ flush: true }))
    await rename(unfinished, path)
    return result
  } finally {
    await rm(unfinished, { force: true })
  }
}

async function exportTo(
  operator: Operator,
  what: ExportName,
  { out: file, ...options }: { out?: string } & ExportOptions,
  command: Command,
) {
  const write = (out: Writable) => writeCsvExport(operator.database, what, out, options)
  const run = async () => {
    if (!file) return { lines: await write(process.stdout) }
    const lines = await writeWhole(fromHere(file), write)
    console.log(`${formatNumber(lines)} lines written to ${file}`)
    return { lines }
  }
  if (options.addresses) await recordOutcome(operator, command, run)
  else await run()
}

export function addFileCommands(program: Command): void {
  program
    .command('import')
    .description(
      'imports a CSV file with a header; refused lines go to FILE.refused.csv; a repeated import changes nothing',
    )
    .addArgument(new Argument('<what>').choices([...IMPORTS]))
    .argument('<file>')
    .option(
      '--dry-run',
      'shows what an import would do, for each 250 lines separately, and writes nothing',
    )
    .option(
      '--other-prizes',
      'draw: takes prizes that the campaign does not have, as they are written',
    )
    .option('--list <digest>', 'draw: digest of the frozen list, or its first eight digits')
    .addOption(auditTextOption('--without-list <reason>', 'draw: why it has no frozen list'))
    .option(
      '--again',
      'also imports results that were taken back, or members who were forgotten; needs --reason',
    )
    .addOption(reasonOption())
    .addHelpText(
      'after',
      `
Columns:
  members   username,last_bank_number[,address_required]
  activity  source,ref,username,kind,amount,occurred_at[,reverses]
  draw      draw,code,prize[,giftcode]`,
    )
    .action(runOnDatabase(importFrom))

  const contents = Object.entries(csvExportKinds).map(
    ([name, { about }]) => `  ${name.padEnd(10)}${about}`,
  )
  program
    .command('export')
    .description(
      'writes tickets, winners, exchanges, share links, the review list or the audit as CSV',
    )
    .addArgument(new Argument('<what>').choices(Object.keys(csvExportKinds)))
    .option('--out <file>', 'default: standard output')
    .addOption(
      new Option(
        '--separator <sign>',
        'of columns; Excel with Vietnamese settings opens files with ";"',
      )
        .choices([',', ';'])
        .default(','),
    )
    .option('--addresses', 'adds the owners’ names and addresses (personal data)')
    .addOption(reasonOption())
    .addHelpText('after', ['', ...contents].join('\n'))
    .action(runOnDatabase(exportTo))
}
