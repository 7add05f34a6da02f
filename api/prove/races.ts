import { statement } from '../src/database/database.ts'
import { openPostgres } from '../src/database/postgres.ts'
import { exports } from '../src/operator/exports.ts'
import { startPostgres } from '../test/postgres.ts'
import { type ApiProcess, startApi } from './api-process.ts'
import { call, isSound, type Player, seed } from './members.ts'
import { check } from './report.ts'

const KEY = 'service-key-of-the-proofs'
const DAYS = [11, 12, 13, 14, 15].map((day) => `2025-08-${day}`)
const RANGE = { startTimeStreak: DAYS[0], endTimeStreak: DAYS[4] }
const BROKEN_DAY = 2

interface Race {
  readonly mission: string
  readonly codes: readonly string[] | undefined
}

/**
 * Sends a member's calls at the same time to two API processes: claims twice each, a completion with more tickets, a
 * reversal that takes the sum back, and one that breaks the streak while it is claimed.
 * @returns what each claim was answered
 */
async function race(
  origins: readonly string[],
  { account, token }: Player,
  isAimed: boolean,
): Promise<Race[]> {
  const any = () => origins[Math.floor(Math.random() * origins.length)]
  const post = async (path: string, body: object, key = token) => {
    const [{ status }, envelope] = await call(`${any()}/api/${path}`, key, body)
    check(status === 200, `${path} of ${account} is answered 200, not ${status}`)
    return envelope?.data
  }
  const activity = (...events: object[]) =>
    post(
      'users/activity',
      { events: events.map((event) => ({ source: 'race', username: account, ...event })) },
      KEY,
    )
  const deposit = (day: number) => ({
    ref: `${account}-${day}`,
    kind: 'deposit',
    amount: 100,
    occurred_at: `${DAYS[day]}T12:00:00+07:00`,
  })
  const reversal = (day: number) => ({
    ref: `${account}-back-${day}`,
    kind: 'reversal',
    reverses: `${account}-${day}`,
    occurred_at: `${DAYS[day]}T13:00:00+07:00`,
  })
  const claim = async (mission: string, more: object = {}): Promise<Race> => {
    const data = (await post('client/take-code', { event_code_detail: mission, ...more })) as
      | { code: string[] }
      | string[]
      | null // the two shapes of takeCodeData (contract/wire.ts), or a refusal
    return { mission, codes: Array.isArray(data) ? data : data?.code }
  }
  const streak = () => claim('NAP_STREAK', RANGE)
  await activity(...DAYS.map((_, day) => deposit(day)))
  if (isAimed) {
    const [claimed] = await Promise.all([streak(), activity(reversal(BROKEN_DAY))])
    return [claimed]
  }
  const links = [1, 2, 3, 4].map((n) => `https://facebook.com/${account}/${n}`)
  const share = () => claim('CHIASE', { share_links: links })
  const complete = (tickets: number) => {
    const completion = { username: account, event_code_detail: 'NAP_15000', tickets }
    return post('users/mission/completed', { completions: [completion] }, KEY).then(() => [])
  }
  const calls: (() => Promise<Race | Race[]>)[] = [
    ...[streak, streak, share, share],
    ...['NAP_300', 'NAP_300', 'NAP_15000', 'NAP_15000'].map((mission) => () => claim(mission)),
    () => complete(2 + Math.floor(Math.random() * 3)),
    ...[BROKEN_DAY, 3, 4].map((day) => () => activity(reversal(day)).then(() => [])),
  ]
  calls.sort(() => Math.random() - 0.5)
  return (await Promise.all(calls.map((send) => send()))).flat()
}

/**
 * Races the calls of many members against each other at two API processes on one Postgres.
 * @param mixed members with thirteen mixed calls each @param aimed members whose streak is claimed while it is broken
 * @throws Error with what does not hold
 */
export async function proveRaces(mixed: number, aimed: number): Promise<{ [figure: string]: number }> {
  const postgres = await startPostgres()
  const { url } = postgres
  const apis: ApiProcess[] = []
  const database = await openPostgres({ connectionString: url }, () => undefined)
  try {
    const players = await seed(url, mixed + aimed, [])
    const env = { DATABASE_URL: url, BACKOFFICE_KEY: KEY }
    for (const _ of ['one', 'another']) apis.push(await startApi(env))
    const origins = apis.map(({ origin }) => origin)
    const waiting = [...players.entries()]
    const races: Race[][] = []
    const runner = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop())
        races.push(await race(origins, next[1], next[0] >= mixed))
    }
    await Promise.all(Array.from({ length: 16 }, runner))
    const granted = races.map((claims) => claims.filter(({ codes }) => codes))
    for (const claims of granted) {
      const missions = new Set(claims.map(({ mission }) => mission))
      const answers = new Set(claims.map(({ codes }) => codes?.join()))
      check(missions.size === answers.size, 'a repeated claim has the same codes')
    }
    check(await isSound(url), 'event verify holds')
    const count = async (from: string) => {
      const rows = await database.query<{ n: number }>(statement(`SELECT count(*)::int AS n FROM ${from}`))
      return rows[0]?.n ?? 0
    }
    const streaks = granted.filter((claims) => claims.some(({ mission }) => mission === 'NAP_STREAK')).length
    const found = await count(`(${exports.review.query}) x WHERE mission = 'NAP_STREAK'`)
    check(found === streaks, `all ${streaks} broken streaks are up for review, not ${found}`)
    return {
      mixed,
      aimed,
      'streaks granted and broken': streaks,
      'found for review': found,
      tickets: await count('ticket'),
    }
  } finally {
    await database.close()
    await Promise.all(apis.map((api) => api.stop()))
    await postgres.stop()
  }
}
