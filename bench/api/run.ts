import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { claimReached } from '@anniversary/api/claim/take-tickets'
import { findBinaries } from '@anniversary/api/database/managed/binaries'
import { serverUser } from '@anniversary/api/database/managed/server'
import { openPostgres } from '@anniversary/api/database/postgres'
import { readHistory } from '@anniversary/api/history/history'
import { listMissions, syncMissions } from '@anniversary/api/missions/mission-list'
import { PEPPER, startApi } from '@anniversary/api/prove/api-process'
import { openLoginKeys } from '@anniversary/api/server/pepper'
import { startPostgres } from '@anniversary/api/test/postgres'
import { Command } from 'commander'
import { wholeNumber, writeResults } from '../command.ts'
import { median } from '../statistics.ts'
import { httpLoad, type LoadResult } from './load.ts'
import { CLIENTS as PGBENCH_CLIENTS, pgbench, script } from './pgbench.ts'
import { CLAIMABLE, CLAIMERS, hashSql, seed } from './seed.ts'

const CONNECTIONS = 32
/** The server's code is compiled as it runs; what is measured is a server that has run for a while. */
const WARM_UP_SECONDS = 3
/** A quarter of the memory for the database's cache, as its manual advises for a machine of its own. */
const CACHE_MB = Math.round(totalmem() / 4 / 2 ** 20)
const SETTINGS = [
  `shared_buffers=${CACHE_MB}MB`,
  'max_wal_size=8GB',
  'checkpoint_timeout=30min',
  'max_connections=100',
  'autovacuum=off',
]

interface Row extends Omit<LoadResult, 'claims'> {
  readonly tickets: string
  readonly call: string
  readonly pgbench: number
  readonly ratio: number
}

/** Server and pgbench take turns, and the median counts: a machine's slow moment meets one turn of many. */
const ROUNDS = 3
const command = new Command('npm run bench:api --')
  .description(
    `Claims, mission lists and histories over HTTP with 32 keep-alive connections, in
turns with pgbench running the same statements on the same Postgres. Prints
requests a second, latencies in milliseconds and the ratios to pgbench; writes
bench/results/api.json.

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
const [given = []] = command.processedArgs as [number[]?] // as parsed above
const scales = given.length > 0 ? given : [10_000, 1_000_000, 10_000_000]
const { processes, seconds } = command.opts<{ processes: number; seconds: number }>()
const binaries = findBinaries(serverUser(tmpdir()), undefined)
if (!existsSync(join(binaries, 'pgbench'))) {
  console.error('bench:api needs a Postgres installation with pgbench on this machine')
  process.exit(1)
}

/** The first parameter of a member's statement, by pgbench's variables. */
const SESSION = hashSql(':m')
const setMember = (member: string) => `\\set m ${member}`
const HALF = CLAIMERS / 2
const claimsOfClient = Math.floor((HALF * CLAIMABLE.length) / PGBENCH_CLIENTS)

async function measure(scale: number): Promise<Row[]> {
  const postgres = await startPostgres(SETTINGS)
  const folder = mkdtempSync(join(tmpdir(), 'anniversary-bench-'))
  try {
    const database = await openPostgres({ connectionString: postgres.url }, () => undefined)
    await openLoginKeys(database, PEPPER)
    await syncMissions(database)
    await database.close()
    const started = performance.now()
    const { tickets, members } = await seed(postgres.url, scale)
    const label = tickets.toLocaleString('en')
    console.error(`${label} tickets seeded in ${Math.round((performance.now() - started) / 1000)} s`)
    const start = () => startApi({ DATABASE_URL: postgres.url })
    const apis = await Promise.all(Array.from({ length: processes }, start))
    const origins = apis.map(({ origin }) => origin)

    const each = CONNECTIONS / processes
    const turns = each * CLAIMABLE.length
    /** Claims that each process has had: whole turns, so that members with a claim in flight are passed over. */
    let claimed = 0
    async function load(call: string, seconds: number): Promise<LoadResult> {
      const claims = ['POST', members + 1, Math.floor(HALF / processes), claimed, each, ...CLAIMABLE]
      const requests = call === 'claim' ? claims : ['GET', `/api/client/${call}`, members]
      const result = await httpLoad(origins, CONNECTIONS, seconds, requests)
      claimed = Math.ceil(result.claims / turns) * turns
      return result
    }
    const missions = `ARRAY['${CLAIMABLE.join("','")}']`
    const code = `ARRAY[${Array.from({ length: 6 }, (_, i) => `to_hex(:r::bigint + ${i})`).join(', ')}]`
    const pick = setMember(`random(1, ${members})`)
    const calls = [
      {
        call: 'info',
        text: script(
          listMissions.statement.text,
          [SESSION, '1', 'true', "'2025-08-01'", "'2025-09-06'"],
          [pick],
        ),
      },
      {
        call: 'history',
        text: script(readHistory.statement.text, [SESSION, '0'], [pick]),
      },
      {
        call: 'claim',
        text: script(
          claimReached.statement.text,
          [
            SESSION,
            '1',
            `(${missions})[1 + (:i % ${CLAIMABLE.length})::int]`,
            `'2025-08-20T20:00:00+07'`,
            code,
          ],
          [
            // Each connection works off a part of its own, so that every claim is a first one.
            '\\set k :k + 1',
            `\\set i :client_id * ${claimsOfClient} + :k`,
            setMember(`${members + HALF} + 1 + :i / ${CLAIMABLE.length}`),
            '\\set r random(1, 9000000000000000000)',
          ],
        ),
      },
    ]
    const rows: Row[] = []
    for (const { call, text } of calls) {
      await load(call, WARM_UP_SECONDS)
      const http: LoadResult[] = []
      const tps: number[] = []
      for (let round = 0; round < ROUNDS; round++) {
        http.push(await load(call, seconds))
        const defines = { k: Math.floor((round * claimsOfClient) / ROUNDS) - 1 }
        tps.push(await pgbench(binaries, postgres.url, folder, text, { seconds, defines }))
      }
      const row = {
        perSecond: median(http.map(({ perSecond }) => perSecond)),
        p50: median(http.map(({ p50 }) => p50)),
        p99: median(http.map(({ p99 }) => p99)),
        pgbench: median(tps),
      }
      const ratio = median(http.map(({ perSecond }, round) => perSecond / (tps[round] ?? 1)))
      rows.push({ tickets: label, call, ...row, ratio: Math.round(ratio * 100) / 100 })
      console.error(`${call}: ${row.perSecond}/s, pgbench ${row.pgbench}/s`)
    }
    await Promise.all(apis.map((api) => api.stop()))
    return rows
  } finally {
    await postgres.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

const rows: Row[] = []
for (const scale of scales) rows.push(...(await measure(scale)))
console.table(rows)
writeResults('api.json', { connections: CONNECTIONS, processes, rounds: ROUNDS, seconds, rows })
