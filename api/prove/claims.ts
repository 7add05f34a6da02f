import { setTimeout as sleep } from 'node:timers/promises'
import { MISSION_CODES } from '@anniversary/shared/contract/missions'
import { statement } from '../src/database/database.ts'
import { openPostgres } from '../src/database/postgres.ts'
import { startPostgres } from '../test/postgres.ts'
import { type ApiProcess, startApi } from './api-process.ts'
import type { Observation } from './claim-history.ts'
import { any } from './clients.ts'
import { claim, type Player, problemsIn, read, seed } from './members.ts'
import { proveRaces } from './races.ts'
import { check, proof } from './report.ts'

/** Tickets of a member's six missions: eleven, of which six fit into a stage. */
const WORTH = [3, 2, 2, 2, 1, 1] as const
// `contradictions` passes any text; all claims here are of known missions.
const worth = (mission: string): number => WORTH[MISSION_CODES.indexOf(mission)] ?? 0

const CLIENTS = 32
/** Members who are active at the same time, so that their claims collide. */
const ACTIVE = 200
/** Enough for first claims, repeats, refusals and readings. */
const CALLS_A_MEMBER = 25

type Record = (seen: Observation) => void

/** Claims and records the answer: codes, full, or none, which only a server that dies may cause. */
async function claimOnce(api: ApiProcess, player: Player, mission: string, record: Record): Promise<boolean> {
  const one = await claim(api.origin, player, mission)
  record(one)
  const isLost = one.status === 0 || one.status === 503
  check(isLost || one.answer !== 'lost', `a claim is answered, not ${one.status}`)
  return !isLost
}

/** Sends one call of a member, sometimes the same claim several times at once. */
async function act(apis: readonly ApiProcess[], player: Player, record: Record): Promise<void> {
  const mission = any(MISSION_CODES)
  const kind = Math.random()
  if (kind < 0.15) return record(await read(any(apis).origin, player))
  const copies = Array.from({ length: kind < 0.25 ? 4 : 1 }, () =>
    claimOnce(any(apis), player, mission, record),
  )
  // Leaves the processor to a server that starts.
  if ((await Promise.all(copies)).includes(false)) await sleep(100)
}

/**
 * Sends claims and readings of many clients to two API processes on one Postgres, and kills each process, all connections
 * and Postgres in turn. Checks all answers as one history, and that every claim is answered at the end.
 * @param calls least number of recorded answers
 * @param kills number of kills, spread evenly over the calls
 * @throws Error with the first contradictions
 */
export async function proveClaims(calls: number, kills: number): Promise<{ [figure: string]: number }> {
  const postgres = await startPostgres()
  const { url } = postgres
  const apis: ApiProcess[] = []
  try {
    const players = await seed(url, Math.max(ACTIVE, Math.ceil(calls / CALLS_A_MEMBER)), WORTH)
    const start = () => startApi({ DATABASE_URL: url })
    apis.push(...(await Promise.all([start(), start()])))
    const killApi = (i: number) => async () => {
      await apis[i]?.crash()
      const diedAt = performance.now()
      apis[i] = await start()
      return diedAt
    }
    const killConnections = async () => {
      const database = await openPostgres({ connectionString: url }, () => undefined)
      const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE pid <> pg_backend_pid() AND application_name = 'anniversary-api'`
      await database.query(statement(cut))
      await database.close().catch(() => undefined)
      return performance.now()
    }
    const killPostgres = async () => {
      postgres.crash()
      const diedAt = performance.now()
      await postgres.start()
      return diedAt
    }
    // Each resolves when the killed part runs again.
    const deaths = [killApi(0), killConnections, killPostgres, killApi(1)]
    const seen: Observation[] = []
    let killed = 0
    let hasFailed = false
    let longest = 0
    /** Time at which the last answered call was sent. */
    let answered = 0
    const record: Record = (one) => {
      seen.push(one)
      if (one.kind === 'reading' ? one.codes : one.answer !== 'lost')
        answered = Math.max(answered, one.sentAt)
    }
    const client = async () => {
      while (!hasFailed && (seen.length < calls || killed < kills)) {
        // The active members change over time, so that first claims are left for the end.
        const first = Math.floor((seen.length / calls) * (players.length - ACTIVE))
        const player = players[Math.min(players.length - 1, first + Math.floor(Math.random() * ACTIVE))]
        if (player) await act(apis, player, record)
      }
    }
    const killer = async () => {
      for (; killed < kills; killed++) {
        while (seen.length < (calls / (kills + 1)) * (killed + 1)) await sleep(5)
        const diedAt = (await deaths[killed % deaths.length]?.()) ?? 0
        while (answered <= diedAt) await sleep(5)
        longest = Math.max(longest, performance.now() - diedAt)
        if (killed % 10 === 9) console.error(`${killed + 1} of ${kills} kills, ${seen.length} calls`)
      }
    }
    const started = performance.now()
    await Promise.all([killer(), ...Array.from({ length: CLIENTS }, client)]).catch((error: unknown) => {
      hasFailed = true
      throw error
    })
    const seconds = (performance.now() - started) / 1000
    for (const mission of MISSION_CODES) {
      const last = players.slice(-ACTIVE).map((player) => claimOnce(any(apis), player, mission, record))
      check((await Promise.all(last)).every(Boolean), 'all is answered after the last kill')
    }

    const { stored, problems } = await problemsIn(url, seen, worth)
    check(problems.length === 0, `${problems.length} contradictions: ${problems.slice(0, 5).join('; ')}`)
    const claimed = seen.filter((one) => one.kind === 'claim')
    return {
      'calls recorded': seen.length,
      granted: claimed.filter(({ answer }) => typeof answer !== 'string').length,
      'refused as full': claimed.filter(({ answer }) => answer === 'full').length,
      lost: claimed.filter(({ answer }) => answer === 'lost').length,
      'tickets stored': stored.length,
      kills: killed,
      'longest recovery ms': Math.round(longest),
      contradictions: problems.length,
      'calls a second': Math.round(seen.length / seconds),
    }
  } finally {
    await Promise.all(apis.map((api) => api.stop()))
    await postgres.stop()
  }
}

const usual = { calls: 1_000_000, kills: 200, mixed: 600, aimed: 400 }
await proof(import.meta.url, usual, async ({ calls, kills, mixed, aimed }) => {
  console.table(await proveRaces(mixed, aimed))
  console.table(await proveClaims(calls, kills))
  return 'every claim exactly once, no stage over its cap, no answer contradicts another'
})
