import type { Command } from 'commander'
import { parseTicketCode } from '../claim/ticket-code.ts'
import { accountKey } from '../login/credentials.ts'
import { readAudit } from './audit.ts'
import { onDatabase } from './command.ts'
import { changeText, memberReportText, readMemberReport } from './member-report.ts'
import { numberText } from './number-text.ts'
import { readStats } from './stats.ts'
import { verify } from './verify.ts'

interface Format {
  readonly json?: true
}

const print = (value: unknown) => console.log(JSON.stringify(value, null, 2))

export function addQuestions(program: Command): void {
  program
    .command('show <account>')
    .description(
      'everything about a member: missions and what they lack, tickets, refused claims, sessions, locks',
    )
    .option('--json', 'as JSON')
    .action(
      onDatabase(async ({ database }, account: string, { json }: Format) => {
        const report = await readMemberReport(database, account)
        if (json) print(report)
        else for (const line of memberReportText(report)) console.log(line)
      }),
    )

  program
    .command('audit [account-or-code]')
    .description('the newest 100 changes by operators; "export audit" writes all')
    .option('--json', 'as JSON')
    .action(
      onDatabase(async ({ database }, about: string | undefined, { json }: Format) => {
        const rows = await readAudit(database, about ? (parseTicketCode(about) ?? accountKey(about)) : null)
        if (json) print(rows)
        else for (const row of rows) console.log(changeText(row))
      }),
    )

  program
    .command('verify')
    .description('recounts every invariant; ends with 1 at the first broken one')
    .action(
      onDatabase(async ({ database }) => {
        const isSound = await verify(database, ({ invariant, broken, examples }) => {
          console.log(broken === 0 ? `ok      ${invariant}` : `BROKEN  ${invariant}: ${numberText(broken)}`)
          for (const example of examples) console.log(`          ${example}`)
        })
        if (!isSound) process.exitCode = 1
      }),
    )

  program
    .command('stats')
    .description('counts members, activity, missions, tickets and exchanges')
    .option('--json', 'as JSON')
    .action(
      onDatabase(async ({ database }, { json }: Format) => {
        const stats = await readStats(database)
        if (json) return print(stats)
        for (const [name, value] of Object.entries(stats.totals))
          console.log(`${name.padEnd(12)} ${numberText(value)}`)
        if (stats.missions.length > 0) console.table(stats.missions)
        if (stats.totals.toReview) console.log('"export review" lists what waits for review')
      }),
    )
}
