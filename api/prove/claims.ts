import { setTimeout as sleep } from 'node:timers/promises'
import { MISSION_CODES, STREAK_MISSION } from '@anniversary/shared/contract/missions'
import { namedStatement } from '../src/database/database.ts'
import { countContent } from '../src/operator/verify.ts'
import { startPostgres } from '../test/postgres.ts'
import { startApi, startApis } from './api-process.ts'
import { any, startClients } from './clients.ts'
import { addLedgers } from './ledgers.ts'
import { BACKOFFICE_KEY, problemsIn, seed, withDatabase } from './members.ts'
import { proveRaces } from './races.ts'
import { check, proof, until } from './report.ts'

/**
 * A member can earn ten tickets, of which six fit into a stage. The streak is
 * not completed: its proof gives one.
 */
const COMPLETED = [3, 2, 0, 2, 1, 1]
const worth = (mission: string): number => COMPLETED[MISSION_CODES.indexOf(mission)] || 1

const LOAD = { clients: 32, pauseMs: 0, past: 0.7, books: true }
/** Lines of the members of each third. Longer ledgers take many minutes. */
const LEDGERS = [0, 30, 300]
/** The largest average number of calls that a member makes. */
const CALLS_A_MEMBER = 20
const LAST = 200

/**
 * Kills each of two API processes, all connections and Postgres in turn, and
 * checks the answers as one history.
 * @param calls least number of recorded answers
 * @param kills number of kills, spread evenly over the calls
 * @throws Error with the first contradictions
 */
export async function proveClaims(
  calls: number,
  kills: number,
  ledgers = LEDGERS,
): Promise<{ [figure: string]: number }> {
  await using postgres = await startPostgres()
  const { url } = postgres
  const count = Math.ceil(calls / CALLS_A_MEMBER)
  const players = await seed(url, LAST + count, COMPLETED)
  await addLedgers(url, players.length, ledgers)
  players.sort(() => Math.random() - 0.5)
  const env = { DATABASE_URL: url, BACKOFFICE_KEY }
  await using apis = await startApis(env)
  const killApi = (i: number) => async () => {
    await apis[i]?.crash()
    const diedAt = performance.now()
    apis[i] = await startApi(env)
    return diedAt
  }
  const killConnections = async () => {
    const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE pid <> pg_backend_pid() AND application_name = 'anniversary-api'`
    await withDatabase(url, (database) => database.query(namedStatement(cut)))
    return performance.now()
  }
  const killPostgres = async () => {
    postgres.crash()
    const diedAt = performance.now()
    await postgres.start()
    return diedAt
  }
  const deaths = [killApi(0), killConnections, killPostgres, killApi(1)]
  const { seen, toClaim, ask, bookStreak, acknowledged, end } = startClients(
    () => any(apis).origin,
    LOAD,
  )
  const [last, others] = [players.slice(0, LAST), players.slice(LAST)]
  // Claimed after the last kill.
  await Promise.all(last.map(bookStreak))
  /** A kill is over when a claim that was sent after it is answered. */
  const feed = () => {
    for (const player of others.splice(0, Math.ceil(count / (kills + 1))))
      toClaim.push(
        ...MISSION_CODES.map((mission) => ({ player, mission })).sort(() => Math.random() - 0.5),
      )
  }
  feed()
  let longest = 0
  const started = performance.now()
  for (let killed = 0; killed < kills; killed++) {
    while (seen.length < (calls / (kills + 1)) * (killed + 1)) await sleep(5)
    const diedAt = (await deaths[killed % deaths.length]?.()) ?? 0
    feed()
    longest = Math.max(longest, (await acknowledged(diedAt)) - diedAt)
    if (killed % 10 === 9) console.error(`${killed + 1} of ${kills} kills, ${seen.length} calls`)
  }
  while (seen.length < calls) await sleep(5)
  await end()
  const seconds = (performance.now() - started) / 1000
  for (const mission of MISSION_CODES) {
    let unanswered = last
    await until('an answer to each claim after the last kill', async () => {
      const answers = await Promise.all(unanswered.map((player) => ask({ player, mission })))
      unanswered = unanswered.filter((_, i) => answers[i]?.answer === 'lost')
      return unanswered.length === 0
    })
  }

  const claimed = seen.filter((one) => one.kind === 'claim')
  const odd = seen.find(
    (one) => 'answer' in one && one.answer === 'lost' && ![0, 429, 503].includes(one.status),
  )
  check(!odd, `a ${odd?.kind} is answered, not ${odd?.status}`)
  const isGranted = ({ answer }: (typeof claimed)[number]) => typeof answer !== 'string'
  const grantedStreaks = claimed.filter((one) => one.mission === STREAK_MISSION && isGranted(one))
  const countBooked = (kind: 'deposit' | 'reversal') =>
    seen.filter((one) => one.kind === kind && one.answer === 'booked').length
  const { stored, problems } = await problemsIn(url, seen, worth)
  const content = await withDatabase(url, countContent)
  check(
    problems.length === 0,
    `${problems.length} contradictions: ${problems.slice(0, 5).join('; ')}`,
  )
  return {
    'calls recorded': seen.length,
    granted: claimed.filter(isGranted).length,
    'granted streaks': grantedStreaks.length,
    'refused as full': claimed.filter(({ answer }) => answer === 'full').length,
    lost: claimed.filter(({ answer }) => answer === 'lost').length,
    'tickets stored': stored.length,
    'ledger lines': content?.events ?? 0,
    bookings: countBooked('deposit'),
    reversals: countBooked('reversal'),
    kills,
    'longest recovery ms': Math.round(longest),
    contradictions: problems.length,
    'calls a second': Math.round(seen.length / seconds),
  }
}

const usual = { calls: 1_000_000, kills: 200, mixed: 600, aimed: 400 }
await proof(import.meta.url, usual, async ({ calls, kills, mixed, aimed }) => {
  console.table(await proveRaces(mixed, aimed))
  console.table(await proveClaims(calls, kills))
  return 'every claim exactly once, no stage over its cap, no answer contradicts another'
})
