import { createWriteStream } from 'node:fs'
import { resolve } from 'node:path'
import { finished } from 'node:stream/promises'
import { errorCode } from '@anniversary/shared/error-code'
import { Argument, Command } from 'commander'
import { eventClock } from '../clock.ts'
import { ConfigError } from '../config.ts'
import { openDatabase } from '../database/open.ts'
import { exportTickets } from '../operator/export-tickets.ts'
import { type Importer, importFile } from '../operator/import-file.ts'
import { activityImporter, drawImporter, memberImporter } from '../operator/importers.ts'
import { moveDatabase } from '../operator/move.ts'
import { progressOn } from '../operator/progress.ts'
import { readStats } from '../operator/stats.ts'
import { verify } from '../operator/verify.ts'
import { endSessions, findMember } from '../repositories/members.ts'
import { accountKey } from '../rules/credentials.ts'
import { type Operator, withDatabase } from './operator-database.ts'

/** npm runs scripts in the project's root; a person's paths are relative to where they typed. */
const fromHere = (path: string) => resolve(process.env.INIT_CWD ?? process.cwd(), path)
const number = (n: number) => n.toLocaleString('en')

const importers = {
  members: ({ database, pepper }: Operator) => memberImporter(database, pepper),
  activity: ({ database, config }: Operator) => activityImporter(database, eventClock(config.eventNow).now),
  draw: ({ database, config }: Operator) => drawImporter(database, eventClock(config.eventNow).now),
} as const

const program = new Command('event').description(
  "The operator's commands. They read the same variables as the server.",
)

program
  .command('import')
  .description(
    'imports a CSV file with a header; a repeated import changes nothing\n' +
      '  members   username,last_bank_number[,address_required]\n' +
      '  activity  source,ref,username,kind,amount,occurred_at[,reverses]\n' +
      '  draw      draw,code,prize[,giftcode]',
  )
  .addArgument(new Argument('<what>').choices(Object.keys(importers)))
  .argument('<file>')
  .option('--report <file>', 'where refused lines go (default: FILE.refused.csv)')
  .action(async (what: keyof typeof importers, file: string, options: { report?: string }) => {
    const path = fromHere(file)
    const report = options.report ? fromHere(options.report) : `${path}.refused.csv`
    await withDatabase(async (operator) => {
      // Each importer knows its own entries; together they are one only as what reads lines.
      const importer = importers[what](operator) as Importer<object>
      const summary = await importFile(path, report, importer, progressOn(process.stderr))
      console.log(
        `${number(summary.lines)} lines: ${number(summary.accepted)} imported, ` +
          `${number(summary.repeated)} known already, ${number(summary.refused)} refused`,
      )
      if (summary.refused > 0) console.log(`refused lines: ${report}`)
    })
  })

program
  .command('export')
  .description('writes tickets as CSV')
  .addArgument(new Argument('<what>').choices(['tickets']))
  .option('--out <file>', 'default: standard output')
  .option('--addresses', 'adds the owners’ names and addresses (personal data)')
  .action(async (_what: string, options: { out?: string; addresses?: boolean }) => {
    await withDatabase(async ({ database }) => {
      const out = options.out ? createWriteStream(fromHere(options.out), { mode: 0o600 }) : process.stdout
      const count = await exportTickets(database, out, options.addresses === true)
      if (out === process.stdout) return
      out.end()
      await finished(out)
      console.log(`${number(count)} tickets written to ${options.out}`)
    })
  })

program
  .command('verify')
  .description('recounts every invariant; ends with 1 at the first broken one')
  .action(async () => {
    await withDatabase(async ({ database }) => {
      const isSound = await verify(database, ({ invariant, broken, examples }) => {
        console.log(broken === 0 ? `ok      ${invariant}` : `BROKEN  ${invariant}: ${number(broken)}`)
        for (const example of examples) console.log(`          ${example}`)
      })
      if (!isSound) process.exitCode = 1
    })
  })

program
  .command('stats')
  .description('counts members, activity, missions, tickets, exchanges, and what waits for review')
  .option('--json', 'as JSON')
  .action(async (options: { json?: boolean }) => {
    await withDatabase(async ({ database }) => {
      const stats = await readStats(database)
      if (options.json) {
        console.log(JSON.stringify(stats, null, 2))
        return
      }
      for (const [name, value] of Object.entries(stats.totals))
        console.log(`${name.padEnd(12)} ${number(value)}`)
      if (stats.missions.length > 0) console.table(stats.missions)
      if (stats.review.length > 0) console.log('Claimed, but carried no longer by the ledger:')
      for (const entry of stats.review)
        console.log(`  ${entry.account}  stage ${entry.stage}  ${entry.mission}  ${entry.claimedAt}`)
    })
  })

program
  .command('logout')
  .description('ends every session of a member')
  .argument('<account>')
  .action(async (account: string) => {
    await withDatabase(async ({ database }) => {
      const member = await findMember(database, accountKey(account))
      if (!member) throw new Error(`no member is called ${account}`)
      console.log(`${await endSessions(database, [member.id])} sessions ended`)
    })
  })

program
  .command('move')
  .description(
    'copies the database of the data folder into an empty Postgres and verifies it; the server must be stopped',
  )
  .requiredOption('--to <url>', 'postgres://…')
  .action(async (options: { to: string }) => {
    delete process.env.DATABASE_URL
    await withDatabase(
      async ({ database, config }) => {
        const target = await openDatabase({ url: options.to }, (error) => console.error(error))
        try {
          await moveDatabase(database, target, (table, rows) =>
            console.log(`${table.padEnd(15)} ${number(rows)} rows`),
          )
        } finally {
          await target.close()
        }
        console.log('moved and verified. Start the server with DATABASE_URL set to it')
        if (!config.loginPepper)
          console.log(`and keep ${config.dataDir}/login-pepper: it belongs to the members`)
      },
      { alone: true },
    )
  })

// A reader such as `head` may leave before the end; that is no failure.
process.stdout.on('error', (error) => process.exit(errorCode(error) === 'EPIPE' ? 0 : 1))

program.parseAsync().catch((error: unknown) => {
  if (error instanceof ConfigError)
    for (const problem of error.problems) console.error(`configuration: ${problem}`)
  else console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})
