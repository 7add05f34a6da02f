import { DRAWS } from '@anniversary/shared/contract/event'
import { MISSION_CODES } from '@anniversary/shared/contract/missions'
import { type Command, InvalidArgumentError } from 'commander'
import { rowOf, rowsOf } from '../database/database.ts'
import { eventDayOf } from '../missions/stages.ts'
import { runOnDatabase } from './command.ts'
import { quoteCsvField } from './exports.ts'

type DayStats = Readonly<Record<string, string | number>>

const DRAW_DAYS = `(VALUES ${DRAWS.map(({ stage, start }) => `(${stage}, date '${start.slice(0, 10)}')`).join(', ')}) AS n (draw, day)`

/** SQL: wins are on the day of their draw. */
const readDayStats = rowsOf<DayStats, [days: number]>(
  `WITH fact AS (
     SELECT day, 'logins' AS name, logins AS n FROM login_day
     UNION ALL SELECT day, 'members', 1 FROM login_day
     UNION ALL SELECT min(${eventDayOf('claimed_at')}), 'first_tickets', 1 FROM ticket GROUP BY member_id
     UNION ALL SELECT ${eventDayOf('claimed_at')}, mission, 1
       FROM member_mission WHERE claimed_at IS NOT NULL
     UNION ALL SELECT n.day, 'wins', 1 FROM draw_result JOIN ${DRAW_DAYS} USING (draw)
     UNION ALL SELECT ${eventDayOf('traded_at')}, 'exchanges', 1 FROM giftcode_trade
   )
   SELECT day::text, ${['logins', 'members', 'first_tickets', ...MISSION_CODES, 'wins', 'exchanges']
     .map((name) => `coalesce(sum(n) FILTER (WHERE name = '${name}'), 0)::int AS "${name}"`)
     .join(', ')}
   FROM fact GROUP BY day ORDER BY fact.day DESC LIMIT $1`,
)

const readActivityLine = rowOf<
  {
    kind: string
    amount: string
    account: string
    at: string
    received: string
    by: string | null
  },
  [source: string, ref: string]
>(
  `SELECT a.kind, a.amount::text, m.account, event_time(a.occurred_at) AS at,
     event_time(a.received_at) AS received,
     (SELECT string_agg(b.brought_by, ' or ') FROM activity_batch b WHERE b.received_at = a.received_at) AS by
   FROM activity a JOIN member m ON m.id = a.member_id WHERE (a.source, a.ref) = ($1, $2)`,
)

function dayCount(typed: string): number {
  const days = Number(typed)
  if (Number.isInteger(days) && days > 0) return days
  throw new InvalidArgumentError('It must be a number of days.')
}

function tableLines(names: readonly string[], rows: readonly DayStats[]): string[] {
  const table = [names, ...rows.map((row) => names.map((name) => String(row[name])))]
  const widths = names.map((_, i) => Math.max(...table.map((cells) => cells[i]?.length ?? 0)))
  return table.map((cells) => cells.map((cell, i) => cell.padStart(widths[i] ?? 0)).join('  '))
}

export function addStatsCommands(program: Command): void {
  program
    .command('stats')
    .description('prints logins, first tickets, claims by mission, wins and exchanges by day')
    .option('--days <n>', 'the newest days; default: 14', dayCount, 14)
    .option('--csv', 'as CSV')
    .option('--json', 'as JSON')
    .action(
      runOnDatabase(async ({ database }, { days, csv, json }) => {
        const rows = await database.transaction((tx) => readDayStats(tx, days))
        if (json) return console.log(JSON.stringify(rows))
        const [newest] = rows
        if (!newest) return console.log('nothing was counted yet')
        const names = Object.keys(newest)
        const lines = csv
          ? [names, ...rows.map((row) => names.map((name) => quoteCsvField(row[name], ',')))].map(
              String,
            )
          : tableLines(names, rows)
        for (const line of lines) console.log(line)
      }),
    )

  program
    .command('line <source> <ref>')
    .description('prints a line of the ledger, and the import or key that brought it')
    .action(
      runOnDatabase(async ({ database }, source: string, ref: string) => {
        const line = await readActivityLine(database, source, ref)
        if (!line) throw new Error(`the ledger has no line ${ref} of ${source}`)
        const { kind, amount, account, at, received, by } = line
        console.log(`${kind} ${amount} of ${account} at ${at}`)
        console.log(`received ${received}, brought by ${by ?? 'a version that did not note it'}`)
      }),
    )
}
