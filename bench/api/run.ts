import { totalmem } from 'node:os'
import { claimProven } from '@anniversary/api/claim/take-tickets'
import { namedStatement, type Statement } from '@anniversary/api/database/database'
import { sessionKey } from '@anniversary/api/login/session'
import { listMissions, shownAt, syncMissions } from '@anniversary/api/missions/mission-list'
import { EVENT_NOW, PEPPER, startApi } from '@anniversary/api/prove/api-process'
import type { LedgerGroup } from '@anniversary/api/prove/ledgers'
import { BACKOFFICE_KEY, withDatabase } from '@anniversary/api/prove/members'
import { backendsOf, processorSeconds } from '@anniversary/api/prove/processor'
import { exitOnSignals } from '@anniversary/api/prove/report'
import { openLoginKeys } from '@anniversary/api/server/pepper'
import { startPostgres } from '@anniversary/api/test/postgres'
import {
  type Moment,
  momentsBetween,
  NEXT_LIST_MS,
} from '@anniversary/shared/contract/event-timeline'
import { STREAK_MISSION } from '@anniversary/shared/contract/missions'
import { Command, InvalidArgumentError } from 'commander'
import { wholeNumber, writeResults } from '../command.ts'
import {
  claimScript,
  compareInTurns,
  httpLoad,
  type Measured,
  pgbench,
  ROUNDS,
  summaryOf,
  WARM_UP_SECONDS,
} from './load.ts'
import { BOOKERS, CLAIMABLE, CLAIMERS, HALF, seed, ticketsOfReaders } from './seed.ts'

const CONNECTIONS = 32
/** A quarter of the machine's memory, as the manual of Postgres advises. */
const CACHE_MB = Math.round(totalmem() / 4 / 2 ** 20)
const SETTINGS = [
  `shared_buffers=${CACHE_MB}MB`,
  'max_wal_size=8GB',
  'checkpoint_timeout=30min',
  'max_connections=200',
  'autovacuum=off',
]
const LOG_LEVEL = 'info'
/** The second time is the latest that a Date can have. */
const momentsAfter = momentsBetween(new Date(EVENT_NOW), new Date(8.64e15))

/** Returns the time one minute after lists begin to carry the list of after the moment. */
function lateBefore(wanted: Moment['kind']): string {
  const { target } = momentsAfter.find(({ kind }) => kind === wanted) ?? {}
  if (!target) throw new Error(`No ${wanted} comes after ${EVENT_NOW}`)
  return new Date(target.getTime() - NEXT_LIST_MS + 60_000).toISOString()
}
/** In the last minutes before a stage's end and start, a call runs two lists. */
const LATE = {
  'lists before an end': lateBefore('stage-end'),
  'lists before a start': lateBefore('stage-start'),
}
/** Of batches; load.lua makes the lines. */
const MIXES = ['bets', 'deposits', 'mixed', 'reversals']
const LINES_A_BATCH = 1000

/** Each has as many connections: load.lua divides members among those. */
function processCount(text: string): number {
  const number = wholeNumber(text)
  if (CONNECTIONS % number === 0) return number
  throw new InvalidArgumentError(`give a number that divides ${CONNECTIONS}`)
}

const command = new Command('npm run bench -- api')
  .description(
    `Mission lists, histories and refused streak checks of members with ledgers,
and claims, over HTTP with 32 keep-alive connections and production's log;
lines booked in batches of ${LINES_A_BATCH} with two connections a process.
Prints requests and latencies, processor time of API and Postgres for each answer or line,
and the ratio in the same round: of reads beside members of the first --lines,
of the two lists of a stage's last minutes beside one list, of booking beside bets only,
of claims beside pgbench, which runs the statement of one claim on the same Postgres.
Buffers are those of one statement. Claims under load are of members without a ledger:
the others would be used up within a second. Of their claim of the streak, only the buffers are shown.
Writes bench/results/api.json.

Needs wrk, and a Postgres installation with pgbench and pg_prewarm.`,
  )
  .argument(
    '[tickets...]',
    'tickets in the database, one run for each (default: 10000 1000000 10000000, 25 minutes)',
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
if (scales.some((tickets) => tickets < ticketsOfReaders(lines)))
  command.error(`give at least ${ticketsOfReaders(lines)} tickets: the readers have so many`)

type Explained = readonly [
  {
    readonly Plan: { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number }
  },
]

async function measure(scale: number): Promise<object[]> {
  const postgres = await startPostgres(SETTINGS)
  try {
    await withDatabase(postgres.url, async (database) => {
      await openLoginKeys(database, PEPPER)
      await syncMissions(database)
    })
    const { tickets, members, readers } = await seed(postgres.url, scale, lines)
    console.error(`${tickets} tickets seeded`)
    const env = { DATABASE_URL: postgres.url, LOG_LEVEL, BACKOFFICE_KEY }
    const startAll = async (now = EVENT_NOW) => {
      const start = () => startApi({ ...env, EVENT_NOW: now })
      return await Promise.all(Array.from({ length: processes }, start))
    }
    const apis = await startAll()

    type Request = readonly (string | number)[]
    const load = (
      request: Request,
      seconds: number,
      { of = apis, connections = CONNECTIONS } = {},
    ): Measured => {
      const origins = of.map(({ origin }) => origin)
      const pids = of.map(({ child }) => child.pid ?? 0)
      const backends = backendsOf(postgres.folder)
      const before = [processorSeconds(pids), processorSeconds(backends)] as const
      const result = httpLoad(origins, connections, seconds, request)
      const msSince = (from: number, of: readonly number[]) =>
        ((processorSeconds(of) - from) * 1000) / result.answers
      return {
        ...result,
        apiMs: msSince(before[0], pids),
        postgresMs: msSince(before[1], backends),
      }
    }

    const read = (call: string, requestOf: (group: LedgerGroup) => Request) =>
      compareInTurns(readers, seconds, (group, seconds) => load(requestOf(group), seconds)).map(
        (summary, i) => ({ tickets, call, lines: readers[i]?.lines, ...summary }),
      )

    const get = (path: string) => (group: LedgerGroup) => ['GET', path, group.first, group.members]
    const readTwoLists = async () => {
      const late = await Promise.all(Object.values(LATE).map(startAll))
      const rows = readers.flatMap((group) => {
        const list = get('/api/client/info')(group)
        const run = (of: typeof apis, seconds: number) => load(list, seconds, { of })
        const [, ...two] = compareInTurns([apis, ...late], seconds, run)
        const calls = Object.keys(LATE)
        return two.map((summary, i) => ({
          tickets,
          call: calls[i],
          lines: group.lines,
          ...summary,
        }))
      })
      await Promise.all(late.flat().map((api) => api.stop()))
      return rows
    }

    let booked = 0
    const book = (mix: string, seconds: number): Measured => {
      const first = members + CLAIMERS + 1
      const request = ['BOOK', mix, booked, first, BOOKERS, LINES_A_BATCH, BACKOFFICE_KEY]
      const turn = load(request, seconds, { connections: 2 * processes })
      booked = turn.used
      return {
        ...turn,
        perSecond: turn.perSecond * LINES_A_BATCH,
        apiMs: turn.apiMs / LINES_A_BATCH,
        postgresMs: turn.postgresMs / LINES_A_BATCH,
      }
    }

    const now = new Date(EVENT_NOW)
    /** Adds what one statement reads of the cache and the disk. */
    const withBuffers = (
      rows: readonly object[],
      { text }: Statement,
      valuesOf: (group: LedgerGroup) => readonly unknown[],
    ) =>
      withDatabase(postgres.url, async (database) => {
        const explain = namedStatement(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`)
        const added = readers.map(async (group, i) => {
          const values = [sessionKey(`bench-${group.first}`), ...valuesOf(group)]
          const [row] = await database.query<{ 'QUERY PLAN': Explained }>(explain, values)
          const plan = row?.['QUERY PLAN'][0].Plan
          const buffers = (plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0)
          return { ...rows[i], buffers }
        })
        return Promise.all(added)
      })

    const each = CONNECTIONS / processes
    const share = Math.floor(HALF / processes)
    /** By each process, in whole turns: members whose claim may be in flight are skipped. */
    let claimed = 0
    const claim = (seconds: number) => {
      const result = load(['CLAIM', members + 1, share, claimed, each, ...CLAIMABLE], seconds)
      const turn = each * CLAIMABLE.length
      claimed = Math.ceil(result.used / turn) * turn
      return result
    }

    const lists = read('info', get('/api/client/info'))
    const rows = [
      ...(await withBuffers(lists, listMissions.statement, () => shownAt(now))),
      ...(await readTwoLists()),
      ...read('history', get('/api/client/history')),
      ...read('streak check', (group) => ['STREAK', group.first, group.members]),
    ]
    claim(WARM_UP_SECONDS)
    const claims: Measured[] = []
    const alone: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      claims.push(claim(seconds))
      alone.push(pgbench(postgres.url, seconds, claimScript(members + HALF + 1, round)))
    }
    rows.push({ tickets, call: 'claim', ...summaryOf(claims, alone) })
    const ofStreak = readers.map(({ lines }) => ({ tickets, call: 'claim of the streak', lines }))
    const valuesOf = ({ lines }: LedgerGroup) => [1, STREAK_MISSION, now, [`STREAK-${lines}`], '{}']
    rows.push(...(await withBuffers(ofStreak, claimProven.statement, valuesOf)))
    for (const [i, summary] of compareInTurns(MIXES, seconds, book).entries())
      rows.push({ tickets, call: `booked line, ${MIXES[i]}`, ...summary })

    await Promise.all(apis.map((api) => api.stop()))
    return rows
  } finally {
    await postgres.stop()
  }
}

exitOnSignals()
const rows: object[] = []
for (const scale of scales) rows.push(...(await measure(scale)))
const head = { connections: CONNECTIONS, processes, rounds: ROUNDS, seconds, logLevel: LOG_LEVEL }
console.log(head)
console.table(rows)
writeResults('api.json', { ...head, rows })
