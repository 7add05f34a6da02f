import { Option } from 'commander'
import { readAudit } from '../operator/audit.ts'
import { readMemberReport } from '../operator/member-report.ts'
import { changeText, memberReportText } from '../operator/member-report-text.ts'
import { numberText } from '../operator/number-text.ts'
import { readStats } from '../operator/stats.ts'
import { verify } from '../operator/verify.ts'
import { accountKey } from '../rules/credentials.ts'
import { parseTicketCode } from '../rules/ticket-code.ts'
import type { OperatorCommand } from './command.ts'

const json = new Option('--json', 'as JSON')
const print = (value: unknown) => console.log(JSON.stringify(value, null, 2))

/** What changes nothing. */
export const questions: readonly OperatorCommand[] = [
  {
    usage: 'show <account>',
    about: 'everything about a member: missions and what they lack, tickets, refused claims, sessions, locks',
    options: [json],
    async run({ database }, [account = ''], options) {
      const report = await readMemberReport(database, account)
      if (options.json) print(report)
      else for (const line of memberReportText(report)) console.log(line)
    },
  },
  {
    usage: 'audit [account-or-code]',
    about: 'the newest 100 changes by operators; "export audit" writes all',
    options: [json],
    async run({ database }, [about], options) {
      const rows = await readAudit(database, about ? (parseTicketCode(about) ?? accountKey(about)) : null)
      if (options.json) print(rows)
      else for (const row of rows) console.log(changeText(row))
    },
  },
  {
    usage: 'verify',
    about: 'recounts every invariant; ends with 1 at the first broken one',
    async run({ database }) {
      const isSound = await verify(database, ({ invariant, broken, examples }) => {
        console.log(broken === 0 ? `ok      ${invariant}` : `BROKEN  ${invariant}: ${numberText(broken)}`)
        for (const example of examples) console.log(`          ${example}`)
      })
      if (!isSound) process.exitCode = 1
    },
  },
  {
    usage: 'stats',
    about: 'counts members, activity, missions, tickets and exchanges',
    options: [json],
    async run({ database }, _args, options) {
      const stats = await readStats(database)
      if (options.json) print(stats)
      else {
        for (const [name, value] of Object.entries(stats.totals))
          console.log(`${name.padEnd(12)} ${numberText(value)}`)
        if (stats.missions.length > 0) console.table(stats.missions)
        if (stats.totals.toReview) console.log('"export review" lists what waits for review')
      }
    },
  },
]
