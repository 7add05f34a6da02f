import { statement } from '../src/database/database.ts'
import { openDatabase } from '../src/database/open.ts'
import { startPostgres } from '../test/postgres.ts'
import { type ApiProcess, startApi } from './api-process.ts'
import { seed } from './members.ts'
import { proof } from './report.ts'
import { ACTIVE, underKills, WORTH } from './under-kills.ts'

const CALLS_A_MEMBER = 25

const cutConnections = statement(
  'prove-cut',
  `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
   WHERE pid <> pg_backend_pid() AND application_name = 'anniversary-api'`,
)

/**
 * Two API processes on one Postgres, claims from many clients at once, while processes, connections and the database are
 * killed: each API process, the connections of both, Postgres.
 */
export async function proveClaims(calls: number, kills: number): Promise<{ [figure: string]: number }> {
  const postgres = await startPostgres()
  const place = { url: postgres.url }
  const apis: ApiProcess[] = []
  try {
    await (await openDatabase(place, () => undefined)).close() // migrates
    const players = await seed(place, Math.max(ACTIVE, Math.ceil(calls / CALLS_A_MEMBER)), WORTH)
    const start = () => startApi({ DATABASE_URL: postgres.url })
    apis.push(...(await Promise.all([start(), start()])))
    const killApi = (which: number) => async () => {
      await apis[which]?.crash()
      const diedAt = performance.now()
      apis[which] = await start()
      return diedAt
    }
    const killConnections = async () => {
      const database = await openDatabase(place, () => undefined)
      await database.query(cutConnections)
      await database.close().catch(() => undefined)
      return performance.now()
    }
    const killPostgres = async () => {
      postgres.crash()
      const diedAt = performance.now()
      await postgres.start()
      return diedAt
    }
    const scene = { place, apis, kills: [killApi(0), killConnections, killPostgres, killApi(1)] }
    return await underKills(scene, players, calls, kills)
  } finally {
    await Promise.all(apis.map((api) => api.stop()))
    await postgres.stop()
  }
}

await proof(import.meta.url, { calls: 1_000_000, kills: 200 }, async ({ calls, kills }) => {
  console.table(await proveClaims(calls, kills))
  return 'every claim exactly once, no stage over its cap, no answer contradicts another'
})
