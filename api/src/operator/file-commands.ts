import { open } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Argument, type Command } from 'commander'
import type { Database } from '../database/database.ts'
import { syncMissions } from '../missions/mission-list.ts'
import { readLoginKeys } from '../server/pepper.ts'
import { audited, type Operator, onDatabase, reasonOption } from './command.ts'
import { type ExportName, exports, writeExport } from './exports.ts'
import { dryRun, type Importer, importFile } from './import-file.ts'
import { activityImporter, drawImporter, memberImporter } from './importers.ts'
import { numberText } from './member-report.ts'

/** npm runs scripts in the project's root; a person's paths are relative to where they typed. */
const fromHere = (path: string) => resolve(process.env.INIT_CWD ?? process.cwd(), path)

const importers = {
  members: async ({ config, database }: Operator) =>
    memberImporter(await readLoginKeys(database, config.loginPepper)),
  activity: async ({ database, now }: Operator) => {
    await syncMissions(database)
    return activityImporter(now)
  },
  draw: async () => drawImporter,
} as const satisfies Record<string, (operator: Operator) => Promise<Importer>>

async function importFrom(
  operator: Operator,
  what: keyof typeof importers,
  file: string,
  { dryRun: isTrial }: { dryRun?: true },
  command: Command,
) {
  const refused = fromHere(`${file}.refused.csv`)
  const run = async (database: Database) => {
    const importer: Importer = await importers[what](operator)
    // A trial holds locks: it does not rest.
    const rest = isTrial && (async () => undefined)
    return importFile(database, fromHere(file), refused, importer, rest)
  }
  const summary = isTrial
    ? await dryRun(operator.database, run)
    : await audited(operator, command, () => run(operator.database))
  console.log(
    `${numberText(summary.lines)} lines: ${numberText(summary.accepted)} ${isTrial ? 'would be imported' : 'imported'}, ` +
      `${numberText(summary.repeated)} known already, ${numberText(summary.refused)} refused`,
  )
  if (summary.refused > 0) console.log(`refused lines: ${refused}`)
  if (summary.refused === summary.lines) process.exitCode = 1
}

async function exportTo(
  operator: Operator,
  what: ExportName,
  { out: file, addresses = false }: { out?: string; addresses?: boolean },
  command: Command,
) {
  const run = async () => {
    const out = file ? (await open(fromHere(file), 'w', 0o600)).createWriteStream() : process.stdout
    const lines = await writeExport(operator.database, what, out, addresses).catch((error: unknown) => {
      console.error('the export is not whole')
      throw error
    })
    if (file) console.log(`${numberText(lines)} lines written to ${file}`)
    return { lines }
  }
  await (addresses ? audited(operator, command, run) : run())
}

export function addFileCommands(program: Command): void {
  program
    .command('import')
    .description(
      'imports a CSV file with a header, refused lines go to FILE.refused.csv; a repeated import changes nothing',
    )
    .addArgument(new Argument('<what>').choices(Object.keys(importers)))
    .argument('<file>')
    .option('--dry-run', 'says what an import would do, and takes it back; the back office waits meanwhile')
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

  const contents = Object.entries(exports).map(([name, { about }]) => `  ${name.padEnd(10)}${about}`)
  program
    .command('export')
    .description('writes tickets, winners, exchanges, share links, the review list or the audit as CSV')
    .addArgument(new Argument('<what>').choices(Object.keys(exports)))
    .option('--out <file>', 'default: standard output')
    .option('--addresses', 'adds the owners’ names and addresses (personal data)')
    .addOption(reasonOption())
    .addHelpText('after', ['', ...contents].join('\n'))
    .action(onDatabase(exportTo))
}
