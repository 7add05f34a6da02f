import { MISSION_CODES, TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { statement } from '../src/database/database.ts'
import { openDatabase } from '../src/database/open.ts'
import { verify } from '../src/operator/verify.ts'
import { checkPepper } from '../src/pepper.ts'
import { syncMissions } from '../src/repositories/missions.ts'
import { startPostgres } from '../test/postgres.ts'
import { PEPPER, startApi } from './api-process.ts'
import { addPlayers, claim } from './members.ts'
import { check, proof } from './report.ts'

export interface ClaimsSize {
  readonly members: number
  readonly duplicates: number
  readonly greedy: number
}

/** Tickets that the six missions of a greedy member are worth: eleven, of which six fit. */
const WORTH = [3, 2, 2, 2, 1, 1] as const

/**
 * Two API processes on one Postgres. Duplicates of one claim at the same time give one ticket; members whose missions
 * are worth more than a stage holds get at most six, each mission whole or not at all.
 * @throws Error naming what did not hold
 */
export async function proveClaims({
  members,
  duplicates,
  greedy,
}: ClaimsSize): Promise<Record<string, number>> {
  const postgres = await startPostgres()
  const database = await openDatabase({ url: postgres.url }, () => undefined)
  try {
    await checkPepper(database, PEPPER)
    await syncMissions(database)
    const env = { DATABASE_URL: postgres.url }
    const [one, two] = await Promise.all([startApi(env), startApi(env)])
    const origins = [one.origin, two.origin] as const
    const started = performance.now()

    const players = await addPlayers(database, 'duplicate', members)
    const answers = await Promise.all(
      players.flatMap(({ token }) =>
        Array.from({ length: duplicates }, (_, i) => claim(origins[i % 2 ? 1 : 0], token, 'NAP_300')),
      ),
    )
    check(
      answers.every((a) => a.status === 200 && a.codes?.length === 1),
      'every duplicate is answered with one code',
    )
    for (let i = 0; i < members; i++) {
      const own = new Set(answers.slice(i * duplicates, (i + 1) * duplicates).map((a) => a.codes?.[0]))
      check(own.size === 1, `member ${i} got one code for ${duplicates} claims, not ${own.size}`)
    }
    check(new Set(answers.map((a) => a.codes?.[0])).size === members, 'no two members share a code')

    const greedyPlayers = await addPlayers(database, 'greedy', greedy, WORTH)
    const attempts = greedyPlayers.flatMap((player) =>
      [0, 1, 2, 3].flatMap((n) =>
        MISSION_CODES.map((mission, i) => ({ player, mission, worth: WORTH[i] ?? 1, n })),
      ),
    )
    const results = await Promise.all(
      attempts.map(async (attempt) => ({
        ...attempt,
        answer: await claim(origins[attempt.n % 2 ? 1 : 0], attempt.player.token, attempt.mission),
      })),
    )
    for (const { answer, worth } of results) {
      const isWhole = answer.statusCode === 200 && answer.codes?.length === worth
      check(answer.status === 200 && (isWhole || answer.statusCode === 4090), 'a claim is whole or refused')
    }
    for (const { token, account } of greedyPlayers) {
      const own = results.filter((r) => r.player.token === token && r.answer.codes)
      const given = new Set(own.flatMap((r) => r.answer.codes ?? []))
      const claimed = new Set(own.map((r) => r.mission))
      check(given.size <= TICKETS_PER_STAGE, `${account} has ${given.size} tickets`)
      const left = MISSION_CODES.filter((mission) => !claimed.has(mission)).map(
        (m) => WORTH[MISSION_CODES.indexOf(m)] ?? 1,
      )
      check(
        left.every((worth) => given.size + worth > TICKETS_PER_STAGE),
        `${account} was refused what still fitted`,
      )
    }

    const seconds = (performance.now() - started) / 1000
    const issued = new Set([...answers, ...results.map((r) => r.answer)].flatMap((a) => a.codes ?? []))
    const [row] = await database.query<{ n: number }>(
      statement('prove-count', 'SELECT count(*)::int AS n FROM ticket'),
    )
    check(row?.n === issued.size, `${row?.n} tickets are stored, ${issued.size} were answered`)
    check(await verify(database, () => undefined), 'event verify holds')
    check(one.isAlive() && two.isAlive(), 'both processes live')
    await Promise.all([one.stop(), two.stop()])
    return {
      claims: answers.length + results.length,
      'tickets given': issued.size,
      'claims a second': Math.round((answers.length + results.length) / seconds),
    }
  } finally {
    await database.close()
    await postgres.stop()
  }
}

await proof(
  import.meta.url,
  'Two API processes on one Postgres, claims sent over and over: every ticket once, never over the cap.',
  [
    { name: 'members', about: 'members who claim', usual: 40, least: 1 },
    { name: 'duplicates', about: 'how often each sends the same claim at once', usual: 200, least: 2 },
    { name: 'greedy', about: 'members who claim more than a stage gives', usual: 60, least: 1 },
  ],
  async (members = 0, duplicates = 0, greedy = 0) => {
    console.table(await proveClaims({ members, duplicates, greedy }))
    return 'every claim exactly once, no stage over its cap'
  },
)
