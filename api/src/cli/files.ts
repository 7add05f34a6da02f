import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { errorMessage } from '@anniversary/shared/error-message'
import { Argument, type Command } from 'commander'
import type { Database } from '../database/database.ts'
import { openDatabase } from '../database/open.ts'
import { dump, load } from '../operator/backup.ts'
import { readLines, writeLines } from '../operator/backup-file.ts'
import { dryRun } from '../operator/dry-run.ts'
import { type ExportName, exports, writeExport } from '../operator/exports.ts'
import { type Importer, importFile } from '../operator/import-file.ts'
import { activityImporter, drawImporter, memberImporter } from '../operator/importers.ts'
import { numberText } from '../operator/number-text.ts'
import { progressOn } from '../operator/progress.ts'
import { checkPeppers, loadPeppers, rotatePepper, savePeppers } from '../pepper.ts'
import { audited, reasonOption } from './audited.ts'
import { type Operator, onDatabase } from './operator-database.ts'

/** npm runs scripts in the project's root; a person's paths are relative to where they typed. */
const fromHere = (path: string) => resolve(process.env.INIT_CWD ?? process.cwd(), path)

const importers = {
  members: ({ database, peppers }: Operator) => memberImporter(database, peppers),
  activity: ({ database, now }: Operator) => activityImporter(database, now),
  draw: ({ database, now }: Operator) => drawImporter(database, now),
} as const

async function importFrom(
  operator: Operator,
  what: keyof typeof importers,
  file: string,
  { report = `${file}.refused.csv`, dryRun: isTrial }: { report?: string; dryRun?: true },
  command: Command,
) {
  const refused = fromHere(report)
  const run = (database: Database) => {
    const importer: Importer<object> = importers[what]({ ...operator, database })
    return importFile(fromHere(file), refused, importer, progressOn(process.stderr))
  }
  const summary = isTrial
    ? await dryRun(operator.database, run)
    : await audited(operator, command, () => run(operator.database))
  console.log(
    `${numberText(summary.lines)} lines: ${numberText(summary.accepted)} ${isTrial ? 'would be imported' : 'imported'}, ` +
      `${numberText(summary.repeated)} known already, ${numberText(summary.refused)} refused`,
  )
  if (summary.refused > 0) console.log(`refused lines: ${refused}`)
}

async function exportTo(
  operator: Operator,
  what: ExportName,
  { out: file, addresses = false }: { out?: string; addresses?: boolean },
  command: Command,
) {
  const run = async () => {
    const out = file ? createWriteStream(fromHere(file), { mode: 0o600 }) : process.stdout
    const lines = await writeExport(operator.database, what, out, addresses)
    if (file) console.log(`${numberText(lines)} lines written to ${file}`)
    return { lines }
  }
  await (addresses ? audited(operator, command, run) : run())
}

async function backup(operator: Operator, file: string, _options: object, command: Command) {
  const peppers = operator.config.loginPeppers ? undefined : operator.peppers
  await audited(operator, command, () =>
    operator.database.transaction((tx) => writeLines(fromHere(file), dump(tx, peppers))),
  )
  console.log(`written to ${file}`)
}

async function restore(
  operator: Operator,
  file: string,
  { replace = false }: { replace?: boolean },
  command: Command,
) {
  const { config, database, peppers } = operator
  await audited(operator, command, async () => {
    const isOther = await database
      .transaction(async (tx) => {
        const header = await load(tx, readLines(fromHere(file)), replace)
        const own = config.loginPeppers ?? header.peppers ?? peppers
        await checkPeppers(tx, own)
        if (!config.loginPeppers) savePeppers(config, own)
        return own[0] !== peppers[0]
      })
      .catch((error: unknown) => {
        // The transaction is rolled back, the file is replaced by what it was.
        if (!config.loginPeppers) savePeppers(config, peppers)
        throw new Error(`nothing was changed: ${file} cannot be restored: ${errorMessage(error)}`, {
          cause: error,
        })
      })
    console.log('restored and verified')
    if (isOther) console.log('its login pepper is another one than before: restart a server that runs')
  })
}

async function move({ config, database }: Operator, { to }: { to: string }) {
  const target = await openDatabase({ url: to }, (error) => console.error(error))
  try {
    await database.transaction((source) => target.transaction((tx) => load(tx, dump(source), false)))
  } finally {
    await target.close()
  }
  console.log('moved and verified. Start the server with DATABASE_URL set to it')
  if (!config.loginPeppers) console.log(`and keep ${config.dataDir}/login-pepper: it belongs to the members`)
}

async function rotate(operator: Operator, _options: object, command: Command) {
  const { config, database } = operator
  await audited(operator, command, async () => {
    await rotatePepper(database, config)
    await checkPeppers(database, loadPeppers(config))
  })
  console.log('restart the server now: it knows the former pepper only')
}

/** Commands that read or write files and whole databases. */
export function addFileCommands(program: Command): void {
  program
    .command('import')
    .description('imports a CSV file with a header; a repeated import changes nothing')
    .addArgument(new Argument('<what>').choices(Object.keys(importers)))
    .argument('<file>')
    .option('--report <file>', 'where refused lines go (default: FILE.refused.csv)')
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

  program
    .command('backup <file>')
    .description('writes the whole database as it is at one moment, also while the server runs')
    .addOption(reasonOption())
    .addHelpText(
      'after',
      '\nThe file holds personal data, and the login pepper unless LOGIN_PEPPER is set: keep it as you keep both',
    )
    .action(onDatabase(backup))

  program
    .command('restore <file>')
    .description(
      'fills an empty database with a backup and verifies it; a file that is not whole changes nothing',
    )
    .option('--replace', 'overwrites a database that has members; calls wait meanwhile')
    .addOption(reasonOption())
    .action(onDatabase(restore, { anyPepper: true }))

  program
    .command('move')
    .description(
      'copies the database of the data folder into an empty Postgres and verifies it; the server must be stopped',
    )
    .requiredOption('--to <url>', 'postgres://…')
    .action(onDatabase(move, { alone: true }))

  program
    .command('rotate-pepper')
    .description(
      'puts a new login pepper before the one in the data folder; members are hashed anew as they log in',
    )
    .addOption(reasonOption())
    .action(onDatabase(rotate))
}
