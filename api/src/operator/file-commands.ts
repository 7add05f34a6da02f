import { appendFileSync, rmSync } from 'node:fs'
import { open, rename, rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { Argument, type Command, Option } from 'commander'
import { readLoginKeys } from '../server/pepper.ts'
import { audited, type Operator, onDatabase, reasonOption } from './command.ts'
import { type ExportName, type ExportOptions, exports, writeExport } from './exports.ts'
import { type Importer, importFile, withoutCommits } from './import-file.ts'
import { activityImporter, drawImporter, memberImporter } from './importers.ts'
import { numberText } from './member-report.ts'

/** Resolves a path against the folder in which the command was typed: npm runs scripts in the project's root. */
const fromHere = (path: string) => resolve(process.env.INIT_CWD ?? process.cwd(), path)

const importers = { members: memberImporter, activity: activityImporter, draw: drawImporter }

/** A dry run prints this many refused lines. */
const SHOWN_LINES = 20

async function importFrom(
  operator: Operator,
  what: keyof typeof importers,
  file: string,
  { dryRun: isTrial, otherPrizes = false }: { dryRun?: true; otherPrizes?: boolean },
  command: Command,
) {
  const { config, database, now } = operator
  // Also refuses a database that no server has used, and so has no missions.
  const loginKeys = await readLoginKeys(database, config.loginPepper)
  const importer: Importer = importers[what]({ loginKeys, now, otherPrizes })
  const path = fromHere(file)
  const report = `${path}.refused.csv`
  let refused = 0
  const refuse = (line: number, reason: string) => {
    const header = refused++ === 0 ? 'line,reason\n' : ''
    if (!isTrial) appendFileSync(report, `${header}${line},"${reason.replaceAll('"', '""')}"\n`)
    else if (refused <= SHOWN_LINES) console.log(`line ${line}: ${reason}`)
  }
  const run = () =>
    importFile(isTrial ? withoutCommits(database) : database, path, importer, refuse)
  if (!isTrial) rmSync(report, { force: true })
  const summary = await (isTrial ? run() : audited(operator, command, run))
  console.log(
    `${numberText(summary.lines)} lines: ${numberText(summary.accepted)} ${isTrial ? 'would be imported' : 'imported'}, ` +
      `${numberText(summary.repeated)} known already, ${numberText(summary.refused)} refused`,
  )
  if (refused > 0 && !isTrial) console.log(`refused lines: ${report}`)
  if (summary.refused === summary.lines) process.exitCode = 1
}

/** Writes a file that only its owner can read. It replaces an earlier file when it is complete. */
async function writeWhole<T>(path: string, write: (out: Writable) => Promise<T>): Promise<T> {
  const place = await stat(path).catch(() => undefined)
  // A pipe or device is not replaced.
  if (place && !place.isFile()) return write((await open(path, 'w')).createWriteStream())
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
  const write = (out: Writable) => writeExport(operator.database, what, out, options)
  const run = async () => {
    const lines = await (file ? writeWhole(fromHere(file), write) : write(process.stdout))
    if (file) console.log(`${numberText(lines)} lines written to ${file}`)
    return { lines }
  }
  await (options.addresses ? audited(operator, command, run) : run())
}

export function addFileCommands(program: Command): void {
  program
    .command('import')
    .description(
      'imports a CSV file with a header; refused lines go to FILE.refused.csv; a repeated import changes nothing',
    )
    .addArgument(new Argument('<what>').choices(Object.keys(importers)))
    .argument('<file>')
    .option(
      '--dry-run',
      'shows what an import would do, for each 250 lines separately, and writes nothing',
    )
    .option(
      '--other-prizes',
      'draw: takes prizes that the campaign does not have, as they are written',
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
    .action(onDatabase(importFrom))

  const contents = Object.entries(exports).map(
    ([name, { about }]) => `  ${name.padEnd(10)}${about}`,
  )
  program
    .command('export')
    .description(
      'writes tickets, winners, exchanges, share links, the review list or the audit as CSV',
    )
    .addArgument(new Argument('<what>').choices(Object.keys(exports)))
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
    .action(onDatabase(exportTo))
}
