import { totalmem } from 'node:os'
import { claimReached } from '@anniversary/api/claim/take-tickets'
import { openPostgres } from '@anniversary/api/database/postgres'
import { syncMissions } from '@anniversary/api/missions/mission-list'
import { EVENT_NOW, PEPPER, startApi } from '@anniversary/api/prove/api-process'
import type { LedgerGroup } from '@anniversary/api/prove/ledgers'
import { backendsOf, processorSeconds } from '@anniversary/api/prove/processor'
import { exitOnSignals } from '@anniversary/api/prove/report'
import { openLoginKeys } from '@anniversary/api/server/pepper'
import { startPostgres } from '@anniversary/api/test/postgres'
import { NEXT_LIST_MS, nextMoment } from '@anniversary/shared/contract/event-timeline'
import { Command, InvalidArgumentError } from 'commander'
import { wholeNumber, writeResults } from '../command.ts'
import { median } from '../statistics.ts'
import { httpLoad, type LoadResult, PGBENCH_CLIENTS, pgbench } from './load.ts'
import { CLAIMABLE, CLAIMERS, hashSql, seed } from './seed.ts'

const CONNECTIONS = 32
/**
 * Node compiles the server's code while it runs, so the first seconds are not
 * measured.
 */
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
/**
 * Server and pgbench take turns, and the median counts, so that one slow moment
 * of the machine changes little.
 */
const ROUNDS = 3

/** Each has as many connections: load.lua divides members among those. */
function processCount(text: string): number {
  const number = wholeNumber(text)
  if (CONNECTIONS % number === 0) return number
  throw new InvalidArgumentError(`give a number that divides ${CONNECTIONS}`)
}

const command = new Command('npm run bench -- api')
  .description(
    `Mission lists, histories and refused streak checks of members with ledgers,
and claims, over HTTP with 32 keep-alive connections and production's log.
Prints requests and latencies, processor time of API and Postgres for each answer,
and the ratio in the same round: of reads beside members of the first --lines,
of the two lists of a stage's last minutes beside one list,
of claims beside pgbench, which runs the statement of one claim on the same Postgres.
Writes bench/results/api.json.

Needs wrk, and a Postgres installation with pgbench and pg_prewarm.`,
  )
  .argument(
    '[tickets...]',
    'tickets in the database, one run for each (default: 10000 1000000 10000000, 6 minutes)',
    (text, before: readonly number[] = []) => [...before, wholeNumber(text)],
  )
  .option('--processes <n>', 'API processes beside the one Postgres', processCount, 1)
  .option('--seconds <n>', 'length of a turn, of which there are three each', wholeNumber, 4)
  .option(
    '--lines <n...>',
    'lines in the ledgers of readers (default: 0 300 2000)',
    (text, before: readonly number[] = []) => [...before, Number(text)],
  )
  .parse()
const [scales = [10_000, 1_000_000, 10_000_000]] = command.processedArgs as [number[]?] // as parsed above
const {
  processes,
  seconds,
  lines = [0, 300, 2000],
} = command.opts<{ processes: number; seconds: number; lines?: number[] }>()
const HALF = CLAIMERS / 2
const STAGE_END = nextMoment(new Date(EVENT_NOW))?.target.getTime() ?? Number.NaN
const LAST_MINUTES = new Date(STAGE_END - NEXT_LIST_MS + 60_000).toISOString()

/**
 * The claim's statement as a pgbench script, for the claimers from `first` on,
 * one part for each client.
 */
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
    `\\if :k >= ${claimsOfClient}`,
    "DO 'BEGIN RAISE ''no claims are left: choose fewer --seconds''; END';",
    '\\endif',
    `\\set i (${round} * ${PGBENCH_CLIENTS} + :client_id) * ${claimsOfClient} + :k`,
    `\\set m ${first} + :i / ${CLAIMABLE.length}`,
    '\\set r random(1, 9000000000000000000)',
    `${statement};\n`,
  ].join('\n')
}

interface Turn extends LoadResult {
  /** Processor time for each answer. */
  readonly apiMs: number
  readonly postgresMs: number
  /** The rate beside what it is compared with, in the same round. */
  readonly ratio: number
}

const rounded = (value: number) => Number(value.toFixed(3))

function summaryOf(turns: readonly Turn[]) {
  const figures = ['perSecond', 'p50', 'p99', 'apiMs', 'postgresMs', 'ratio'] as const
  const medians = figures.map((key) => [key, rounded(median(turns.map((turn) => turn[key])))])
  const aCpuSecond = turns.map(({ apiMs, postgresMs }) => 1000 / (apiMs + postgresMs))
  const ratios = turns.map(({ ratio }) => ratio)
  return {
    ...Object.fromEntries(medians),
    range: `${rounded(Math.min(...ratios))} to ${rounded(Math.max(...ratios))}`,
    'answers a CPU second': Math.round(median(aCpuSecond)),
  }
}

async function measure(scale: number): Promise<object[]> {
  const postgres = await startPostgres(SETTINGS)
  try {
    const database = await openPostgres({ connectionString: postgres.url }, () => undefined)
    await openLoginKeys(database, PEPPER)
    await syncMissions(database)
    await database.close()
    const { tickets, members, readers } = await seed(postgres.url, scale, lines)
    console.error(`${tickets} tickets seeded`)
    const env = { DATABASE_URL: postgres.url, LOG_LEVEL: 'info' }
    const startAll = async (now = EVENT_NOW) => {
      const start = () => startApi({ ...env, EVENT_NOW: now })
      return await Promise.all(Array.from({ length: processes }, start))
    }
    const apis = await startAll()

    type Request = readonly (string | number)[]
    const load = (request: Request, seconds: number, of = apis): Omit<Turn, 'ratio'> => {
      const origins = of.map(({ origin }) => origin)
      const pids = of.map(({ child }) => child.pid ?? 0)
      const backends = backendsOf(postgres.folder)
      const before = [processorSeconds(pids), processorSeconds(backends)] as const
      const result = httpLoad(origins, CONNECTIONS, seconds, request)
      const msSince = (from: number, of: readonly number[]) =>
        ((processorSeconds(of) - from) * 1000) / result.answers
      return {
        ...result,
        apiMs: msSince(before[0], pids),
        postgresMs: msSince(before[1], backends),
      }
    }

    /** Loads groups of readers in turns, and compares each with the first. */
    const read = (call: string, requestOf: (group: LedgerGroup) => Request) => {
      for (const group of readers) load(requestOf(group), WARM_UP_SECONDS)
      const turns = readers.map((): Turn[] => [])
      for (let round = 0; round < ROUNDS; round++)
        for (const [i, group] of readers.entries()) {
          const turn = load(requestOf(group), seconds)
          const first = turns[0]?.[round] ?? turn
          turns[i]?.push({ ...turn, ratio: turn.perSecond / first.perSecond })
        }
      return turns.map((of, i) => ({ tickets, call, lines: readers[i]?.lines, ...summaryOf(of) }))
    }

    const get = (path: string) => (group: LedgerGroup) => ['GET', path, group.first, group.members]
    const readBothLists = async () => {
      const late = await startAll(LAST_MINUTES)
      const rows = readers.map((group) => {
        const list = get('/api/client/info')(group)
        load(list, WARM_UP_SECONDS, late)
        const turns = Array.from({ length: ROUNDS }, (): Turn => {
          const one = load(list, seconds)
          const both = load(list, seconds, late)
          return { ...both, ratio: both.perSecond / one.perSecond }
        })
        return { tickets, call: 'two lists', lines: group.lines, ...summaryOf(turns) }
      })
      await Promise.all(late.map((api) => api.stop()))
      return rows
    }

    const each = CONNECTIONS / processes
    const share = Math.floor(HALF / processes)
    /**
     * Claims of each process, in whole turns: members whose claim may be in
     * flight are skipped.
     */
    let claimed = 0
    const claim = (seconds: number) => {
      const result = load(['CLAIM', members + 1, share, claimed, each, ...CLAIMABLE], seconds)
      const turn = each * CLAIMABLE.length
      claimed = Math.ceil(result.claims / turn) * turn
      return result
    }
    const claimBesidePgbench = (_: unknown, round: number): Turn => {
      const turn = claim(seconds)
      const script = claimScript(members + HALF + 1, round)
      const tps = pgbench(postgres.url, seconds, script)
      return { ...turn, ratio: turn.perSecond / tps }
    }

    const rows = [
      ...read('info', get('/api/client/info')),
      ...(await readBothLists()),
      ...read('history', get('/api/client/history')),
      ...read('streak check', (group) => ['STREAK', group.first, group.members]),
    ]
    claim(WARM_UP_SECONDS)
    const claims = Array.from({ length: ROUNDS }, claimBesidePgbench)
    rows.push({ tickets, call: 'claim', lines: undefined, ...summaryOf(claims) })

    await Promise.all(apis.map((api) => api.stop()))
    return rows
  } finally {
    await postgres.stop()
  }
}

exitOnSignals()
const rows: object[] = []
for (const scale of scales) rows.push(...(await measure(scale)))
console.table(rows)
writeResults('api.json', { connections: CONNECTIONS, processes, rounds: ROUNDS, seconds, rows })
