import { namedStatement } from '../src/database/database.ts'
import { csvExportKinds } from '../src/operator/exports.ts'
import { verifyInvariants } from '../src/operator/verify.ts'
import { startPostgres } from '../test/postgres.ts'
import { startApis } from './api-process.ts'
import { any } from './clients.ts'
import {
  BACKOFFICE_KEY,
  book,
  call,
  claim,
  type Player,
  STREAK,
  seed,
  withDatabase,
} from './members.ts'
import { check } from './report.ts'

const RANGE = { startTimeStreak: STREAK[0], endTimeStreak: STREAK[4] }
const BROKEN = STREAK.slice(2, 3)

/** A busy machine puts calls off, and their callers send them again. */
async function untilAccepted<Answer extends { readonly status: number }>(
  send: () => Promise<Answer>,
): Promise<Answer> {
  let answer = await send()
  while (answer.status === 503) answer = await send()
  return answer
}

/**
 * - mixed: claims twice each, a completion with more tickets, and reversals.
 * - aimed: a reversal breaks the streak while it is claimed.
 * - calm: as aimed, one after the other, so that one broken streak is certain.
 */
type Order = 'mixed' | 'aimed' | 'calm'

/** Returns each granted claim as text. */
async function race(origins: readonly string[], player: Player, order: Order): Promise<string[]> {
  const { account } = player
  const granted: string[] = []
  const take = async (mission: string, more: object = {}) => {
    const { status, answer } = await untilAccepted(() => claim(any(origins), player, mission, more))
    check(status === 200, `a claim of ${account} is answered 200, not ${status}`)
    if (typeof answer !== 'string') granted.push(`${mission} ${answer}`)
  }
  const bookAll = async (kind: 'deposit' | 'reversal', days: readonly string[]) => {
    const { status } = await untilAccepted(() => book(any(origins), player, kind, days))
    check(status === 200, `a ${kind} of ${account} is answered 200, not ${status}`)
  }
  const tickets = any([2, 3, 4])
  const completed_at = `${STREAK[0]}T12:00:00+07:00`
  const completion = { username: account, event_code_detail: 'NAP_15000', completed_at, tickets }
  const complete = async () => {
    const url = `${any(origins)}/api/users/mission/completed`
    const send = async () => (await call(url, BACKOFFICE_KEY, { completions: [completion] }))[0]
    const { status } = await untilAccepted(send)
    check(status === 200, `a completion of ${account} is answered 200, not ${status}`)
  }
  const share_links = [1, 2, 3, 4].map((n) => `https://facebook.com/${account}/${n}`)
  const aimed = [() => take('NAP_STREAK', RANGE), () => bookAll('reversal', BROKEN)]
  const others = [
    () => take('NAP_STREAK', RANGE),
    ...[1, 2].map(() => () => take('CHIASE', { share_links })),
    ...['NAP_300', 'NAP_300', 'NAP_15000', 'NAP_15000'].map((mission) => () => take(mission)),
    complete,
    ...STREAK.slice(3).map((day) => () => bookAll('reversal', [day])),
  ]
  await bookAll('deposit', STREAK)
  if (order === 'calm') for (const send of aimed) await send()
  const calls = order === 'mixed' ? [...aimed, ...others].sort(() => Math.random() - 0.5) : aimed
  await Promise.all(calls.map((send) => send()))
  return granted
}

/**
 * @param mixed members with thirteen mixed calls each
 * @param aimed members whose streak is claimed while it is broken
 * @throws Error with what does not hold
 */
export async function proveRaces(
  mixed: number,
  aimed: number,
): Promise<{ [figure: string]: number }> {
  await using postgres = await startPostgres()
  const { url } = postgres
  const waiting = [...(await seed(url, mixed + aimed, [])).entries()]
  await using apis = await startApis({ DATABASE_URL: url, BACKOFFICE_KEY })
  const origins = apis.map(({ origin }) => origin)
  let streaks = 0
  const orderOf = (index: number): Order => {
    if (index < mixed) return 'mixed'
    return index === mixed ? 'calm' : 'aimed'
  }
  const runner = async () => {
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      const [index, player] = next
      const answers = [...new Set(await race(origins, player, orderOf(index)))]
      // Sharing needs no ledger.
      check(index >= mixed || answers.length > 0, `${player.account} is granted a claim`)
      const missions = answers.map((answer) => answer.split(' ')[0])
      check(new Set(missions).size === answers.length, 'a repeated claim has the same codes')
      if (missions.includes('NAP_STREAK')) streaks++
    }
  }
  await Promise.all(Array.from({ length: 16 }, runner))
  const [{ found = 0, tickets = 0, deadlocks } = {}] = await withDatabase(url, async (database) => {
    check(await verifyInvariants(database, () => undefined), 'event verify holds')
    return database.query<{ found: number; tickets: number; deadlocks: number }>(
      namedStatement(`SELECT (SELECT count(*) FROM ticket)::int AS tickets, count(*)::int AS found,
          (SELECT deadlocks FROM pg_stat_database WHERE datname = current_database())::int AS deadlocks
        FROM (${csvExportKinds.review.query}) x WHERE mission = 'NAP_STREAK'`),
    )
  })
  // They would be answered 503 too.
  check(deadlocks === 0, `no statements lock each other out, not ${deadlocks}`)
  check(streaks > 0, 'a streak is claimed before it is broken')
  check(tickets >= mixed, `each of ${mixed} members has a ticket: ${tickets} in all`)
  check(found === streaks, `all ${streaks} broken streaks are up for review, not ${found}`)
  return { mixed, aimed, tickets, 'streaks broken and found': found }
}
