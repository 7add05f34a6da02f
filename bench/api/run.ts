import { totalmem } from 'node:os'
import { claimReached } from '@anniversary/api/claim/take-tickets'
import { openPostgres } from '@anniversary/api/database/postgres'
import { syncMissions } from '@anniversary/api/missions/mission-list'
import { ARTIFACT, PEPPER, startApi } from '@anniversary/api/prove/api-process'
import { openLoginKeys } from '@anniversary/api/server/pepper'
import { startPostgres } from '@anniversary/api/test/postgres'
import { Command } from 'commander'
import { wholeNumber, writeResults } from '../command.ts'
import { median } from '../statistics.ts'
import { httpLoad, type LoadResult, PGBENCH_CLIENTS, pgbench } from './load.ts'
import { CLAIMABLE, CLAIMERS, hashSql, seed } from './seed.ts'

const CONNECTIONS = 32
/** Node compiles the server's code while it runs, so the first seconds are not measured. */
const WARM_UP_SECONDS = 3
/** A quarter of the machine's memory, as the manual of Postgres advises. */
const CACHE_MB = Math.round(totalmem() / 4 / 2 ** 20)
const SETTINGS = [
  `shared_buffers=${CACHE_MB}MB`,
  'max_wal_size=8GB',
  'checkpoint_timeout=30min',
  'max_connections=100',
  'autovacuum=off',
]
/** Server and pgbench take turns, and the median counts, so that one slow moment of the machine changes little. */
const ROUNDS = 3

const command = new Command('npm run bench -- api')
  .description(
    `Mission lists, histories and claims over HTTP with 32 keep-alive connections;
claims in turns with pgbench running the same statement on the same Postgres.
Prints requests a second, latencies in milliseconds and the ratio to pgbench;
writes bench/results/api.json.

Needs wrk, and a Postgres installation with pgbench and pg_prewarm.`,
  )
  .argument(
    '[tickets...]',
    'tickets in the database, one run for each (default: 10000 1000000 10000000, 6 minutes)',
    (text, before: readonly number[] = []) => [...before, wholeNumber(text)],
  )
  .option('--processes <n>', 'API processes beside the one Postgres', wholeNumber, 1)
  .option('--seconds <n>', 'length of a turn, of which there are three each', wholeNumber, 4)
  .parse()
const [scales = [10_000, 1_000_000, 10_000_000]] = command.processedArgs as [number[]?] // as parsed above
const { processes, seconds } = command.opts<{ processes: number; seconds: number }>()
const HALF = CLAIMERS / 2

/** The claim's statement as a pgbench script, for the claimers from `first` on, one part for each client. */
function claimScript(first: number, round: number): string {
  const claimsOfClient = Math.floor((HALF * CLAIMABLE.length) / PGBENCH_CLIENTS / ROUNDS)
  const values = [
    hashSql(':m'),
    '1',
    `(ARRAY['${CLAIMABLE.join("','")}'])[1 + (:i % ${CLAIMABLE.length})::int]`,
    `'2025-08-20T20:00:00+07'`,
    `ARRAY[${Array.from({ length: 6 }, (_, i) => `to_hex(:r::bigint + ${i})`).join(', ')}]`,
  ]
  const statement = claimReached.statement.text
    .replace(/--.*$/gm, '')
    .replace(/\s+/g, ' ')
    .replace(/\$(\d+)/g, (_, n: string) => `(${values[Number(n) - 1]})`)
  return [
    // Each client has members of its own, so that every claim is a first one.
    '\\set k :k + 1',
    `\\set i (${round} * ${PGBENCH_CLIENTS} + :client_id) * ${claimsOfClient} + :k`,
    `\\set m ${first} + :i / ${CLAIMABLE.length}`,
    '\\set r random(1, 9000000000000000000)',
    `${statement};\n`,
  ].join('\n')
}

async function measure(scale: number): Promise<object[]> {
  const postgres = await startPostgres(SETTINGS)
  try {
    const database = await openPostgres({ connectionString: postgres.url }, () => undefined)
    await openLoginKeys(database, PEPPER)
    await syncMissions(database)
    await database.close()
    const { tickets, members } = await seed(postgres.url, scale)
    console.error(`${tickets} tickets seeded`)
    const start = () => startApi({ DATABASE_URL: postgres.url }, { file: ARTIFACT })
    const apis = await Promise.all(Array.from({ length: processes }, start))
    const origins = apis.map(({ origin }) => origin)

    const each = CONNECTIONS / processes
    const turns = each * CLAIMABLE.length
    /** Claims that each process has answered, in whole turns: members whose claim may be in flight are skipped. */
    let claimed = 0
    function load(call: string, seconds: number): LoadResult {
      const claims = [
        'POST',
        members + 1,
        Math.floor(HALF / processes),
        claimed,
        each,
        ...CLAIMABLE,
      ]
      const requests = call === 'claim' ? claims : ['GET', `/api/client/${call}`, members]
      const result = httpLoad(origins, CONNECTIONS, seconds, requests)
      claimed = Math.ceil(result.claims / turns) * turns
      return result
    }
    const rows = ['info', 'history', 'claim'].map((call) => {
      load(call, WARM_UP_SECONDS)
      const rounds = Array.from({ length: ROUNDS }, (_, round) => {
        const http = load(call, seconds)
        if (call !== 'claim') return { ...http, pgbench: Number.NaN, ratio: Number.NaN }
        const tps = pgbench(postgres.url, seconds, claimScript(members + HALF + 1, round))
        return { ...http, pgbench: tps, ratio: http.perSecond / tps }
      })
      const figures = ['perSecond', 'p50', 'p99', 'pgbench', 'ratio'] as const
      const medians = figures.map((key) => [
        key,
        Number(median(rounds.map((one) => one[key])).toFixed(2)),
      ])
      return { tickets, call, ...Object.fromEntries(medians) }
    })
    await Promise.all(apis.map((api) => api.stop()))
    return rows
  } finally {
    await postgres.stop()
  }
}

const rows: object[] = []
for (const scale of scales) rows.push(...(await measure(scale)))
console.table(rows)
writeResults('api.json', { connections: CONNECTIONS, processes, rounds: ROUNDS, seconds, rows })
