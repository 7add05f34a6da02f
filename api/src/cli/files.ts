import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import { errorMessage } from '@anniversary/shared/error-message'
import { Option } from 'commander'
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
import { audited, fromHere, type OperatorCommand, textOption } from './command.ts'
import type { Operator } from './operator-database.ts'

const importers = {
  members: ({ database, peppers }: Operator) => memberImporter(database, peppers),
  activity: ({ database, now }: Operator) => activityImporter(database, now),
  draw: ({ database, now }: Operator) => drawImporter(database, now),
} as const

const importCommand: OperatorCommand = {
  usage: 'import <what> <file>',
  about:
    'imports a CSV file with a header; a repeated import changes nothing\n' +
    '  members   username,last_bank_number[,address_required]\n' +
    '  activity  source,ref,username,kind,amount,occurred_at[,reverses]\n' +
    '  draw      draw,code,prize[,giftcode]',
  choices: Object.keys(importers),
  options: [
    new Option('--report <file>', 'where refused lines go (default: FILE.refused.csv)'),
    new Option(
      '--dry-run',
      'says what an import would do, and takes it back; the back office waits meanwhile',
    ),
  ],
  async run(operator, [what, file = ''], options) {
    const path = fromHere(file)
    const report = fromHere(textOption(options, 'report') ?? `${path}.refused.csv`)
    const run = async (database: Database) => {
      // Commander checked the name.
      const importer: Importer<object> = importers[what as keyof typeof importers]({ ...operator, database })
      return importFile(path, report, importer, progressOn(process.stderr))
    }
    const summary = options.dryRun ? await dryRun(operator.database, run) : await run(operator.database)
    console.log(
      `${numberText(summary.lines)} lines: ${numberText(summary.accepted)} ${options.dryRun ? 'would be imported' : 'imported'}, ` +
        `${numberText(summary.repeated)} known already, ${numberText(summary.refused)} refused`,
    )
    if (summary.refused > 0) console.log(`refused lines: ${report}`)
    return summary
  },
}

const exportCommand: OperatorCommand = {
  usage: 'export <what>',
  about: `writes tickets, winners, exchanges, share links, the review list or the audit as CSV\n${Object.entries(
    exports,
  )
    .map(([name, { about }]) => `  ${name.padEnd(10)}${about}`)
    .join('\n')}`,
  choices: Object.keys(exports),
  options: [
    new Option('--out <file>', 'default: standard output'),
    new Option('--addresses', 'adds the owners’ names and addresses (personal data)'),
  ],
  async run({ database }, [what], options) {
    const file = textOption(options, 'out')
    const out = file ? createWriteStream(fromHere(file), { mode: 0o600 }) : process.stdout
    // Commander checked the name.
    const count = await writeExport(database, what as ExportName, out, options.addresses === true)
    if (out !== process.stdout) {
      out.end()
      await finished(out)
      console.log(`${numberText(count)} lines written to ${file}`)
    }
    return { lines: count }
  },
}

const tell = (table: string, rows: number) => console.log(`${table.padEnd(15)} ${numberText(rows)} rows`)

const backup: OperatorCommand = {
  usage: 'backup <file>',
  about:
    'writes the whole database as it is at one moment, also while the server runs.\n' +
    'The file holds personal data, and the login pepper unless LOGIN_PEPPER is set: keep it as you keep both',
  async run({ config, database, peppers }, [file = '']) {
    await database.transaction((tx) =>
      writeLines(fromHere(file), dump(tx, config.loginPeppers ? undefined : peppers)),
    )
    console.log(`written to ${file}`)
  },
}

const restore: OperatorCommand = {
  usage: 'restore <file>',
  about: 'fills an empty database with a backup and verifies it; a file that is not whole changes nothing',
  options: [new Option('--replace', 'overwrites a database that has members; calls wait meanwhile')],
  database: { anyPepper: true },
  async run({ config, database, peppers }, [file = ''], options) {
    const isOther = await database
      .transaction(async (tx) => {
        const header = await load(tx, readLines(fromHere(file)), { replace: options.replace === true, tell })
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
  },
}

const move: OperatorCommand = {
  usage: 'move',
  about:
    'copies the database of the data folder into an empty Postgres and verifies it; the server must be stopped',
  options: [new Option('--to <url>', 'postgres://…').makeOptionMandatory()],
  database: { alone: true },
  async run({ config, database }, _args, options) {
    const target = await openDatabase({ url: textOption(options, 'to') ?? '' }, (error) =>
      console.error(error),
    )
    try {
      await database.transaction((source) =>
        target.transaction((tx) => load(tx, dump(source), { replace: false, tell })),
      )
    } finally {
      await target.close()
    }
    console.log('moved and verified. Start the server with DATABASE_URL set to it')
    if (!config.loginPeppers)
      console.log(`and keep ${config.dataDir}/login-pepper: it belongs to the members`)
  },
}

const rotate: OperatorCommand = {
  usage: 'rotate-pepper',
  about: 'puts a new login pepper before the one in the data folder; members are hashed anew as they log in',
  async run({ config, database }) {
    await rotatePepper(database, config)
    await checkPeppers(database, loadPeppers(config))
    console.log('restart the server now: it knows the former pepper only')
  },
}

/** What reads or writes files and whole databases. */
export const files: readonly OperatorCommand[] = [
  audited(importCommand, ({ dryRun: isTrial }) => !isTrial),
  audited(exportCommand, ({ addresses }) => addresses === true),
  audited(backup),
  audited(restore),
  move,
  audited(rotate),
]
