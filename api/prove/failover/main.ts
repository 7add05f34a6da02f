import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { MISSION_CODES } from '@anniversary/shared/contract/missions'
import { errorMessage } from '@anniversary/shared/error-message'
import { openPostgres } from '../../src/database/postgres.ts'
import { type ApiProcess, startApi } from '../api-process.ts'
import { contradictions } from '../claim-history.ts'
import { type Answer, addPlayers, isSound, storedTickets } from '../members.ts'
import { check, proof, until } from '../report.ts'
import { type Mode, query, startCluster } from './cluster.ts'
import { FAILOVERS, type Fault, SMALLER_FAULTS } from './faults.ts'
import { type DirectWrite, startLoad } from './load.ts'

/** Members that are added for each round; their claims last for it. */
const PLAYERS_A_ROUND = 800
const COUNTER_ROUNDS = 2
const LONG_CALL_MS = 12_000

/** Returns the longest time since `from` without an acknowledged new claim, in seconds. */
function longestGap(claims: readonly Answer[], from: number): number {
  const times = claims.map(({ answeredAt }) => answeredAt).filter((at) => at > from)
  times.sort((a, b) => a - b)
  return Math.round(Math.max(...times.map((at, i) => at - (times[i - 1] ?? from))) / 100) / 10
}

/**
 * Counts writes that show two primaries. Each promotion begins a timeline, so there were two if a node acknowledged a write
 * that was sent after a later timeline's acknowledgement, or if two nodes acknowledged on one timeline.
 */
function twoPrimaries(writes: readonly DirectWrite[]): number {
  const byAnswer = [...writes].sort((a, b) => a.answeredAt - b.answeredAt)
  const firsts = [...new Map(byAnswer.reverse().map((write) => [write.timeline, write])).values()]
  return writes.filter((write) =>
    firsts.some((first) =>
      first.timeline === write.timeline
        ? first.node !== write.node
        : first.timeline > write.timeline && first.answeredAt < write.sentAt,
    ),
  ).length
}

/** Causes faults in turn, under load, in a new cluster. @param rounds each has a failover and a smaller fault */
async function measure(folder: string, mode: Mode, rounds: number) {
  const cluster = await startCluster(folder, mode)
  const { url } = cluster
  const apis: ApiProcess[] = []
  try {
    for (const _ of ['one', 'another']) apis.push(await startApi({ DATABASE_URL: url }))
    const database = await openPostgres({ connectionString: url }, () => undefined)
    const load = await startLoad(cluster, apis)
    const gaps: { [fault: string]: number[] } = {}
    for (let round = 0; round < rounds; round++) {
      // A HAProxy that has just started may send connections to standbys until its first checks are over.
      const added = await until('adding members', () =>
        addPlayers(database, `round${round}-`, PLAYERS_A_ROUND).catch(() => undefined),
      )
      for (const player of added) load.toClaim.push(...MISSION_CODES.map((mission) => ({ player, mission })))
      for (const faults of [FAILOVERS, SMALLER_FAULTS]) {
        const fault = faults[round % faults.length] as Fault // the list is not empty
        const from = performance.now()
        await fault.strike({ cluster, load })
        await cluster.whole()
        await load.acknowledged()
        const gap = longestGap(load.claims, from)
        gaps[fault.name] = [...(gaps[fault.name] ?? []), gap]
        console.log(`${mode}, round ${round + 1} of ${rounds}: ${fault.name}, ${gap} s without a claim`)
      }
    }
    await load.end()
    await database.close()

    const stored = await storedTickets(url)
    const kept = new Set(
      (await query<{ id: string }>(url, 'SELECT id FROM direct_write')).map(({ id }) => id),
    )
    const found = contradictions(load.observations, stored, { cap: TICKETS_PER_STAGE, worth: () => 1 })
    const isWhole = await isSound(url).catch(() => false)
    const promotions = new Set(load.writes.map(({ timeline }) => timeline)).size - 1
    const count = (condition: (answer: Answer) => boolean) => load.answers.filter(condition).length
    return {
      'seconds without a claim': gaps,
      counts: {
        'claims acknowledged': load.claims.length,
        'direct writes acknowledged': load.writes.length,
        promotions,
        'load of the machine': Math.round(loadavg()[1] ?? 0),
      },
      mustBeZero: {
        'failovers missing': Math.max(0, rounds - promotions),
        'claims lost, doubled or contradicted': found.length,
        'direct writes lost': load.writes.filter(({ id }) => !kept.has(id)).length,
        'direct writes of a second primary': twoPrimaries(load.writes),
        'invariants broken': isWhole ? 0 : 1,
        'answers but 200 and 503': count(({ status }) => status !== 200 && status !== 503),
        '503s without retry-after and sentence': count(
          ({ status, isExplained }) => status === 503 && !isExplained,
        ),
        'calls over 12 s': count(({ answeredAt, sentAt }) => answeredAt - sentAt > LONG_CALL_MS),
      },
      contradictions: found.slice(0, 5),
    }
  } finally {
    await Promise.all(apis.map((api) => api.crash()))
    cluster.stop()
  }
}

/** Returns what is proved. @throws Error with what does not hold */
async function prove(mode: Mode, rounds: number): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'anniversary-failover-'))
  const figures = await measure(folder, mode, rounds).catch((error: unknown) => {
    throw new Error(`${errorMessage(error)} (logs: ${folder}/log)`, { cause: error })
  })
  console.log(figures)
  const broken = Object.entries(figures.mustBeZero).filter(([, count]) => count !== 0)
  const all = [...broken.map((each) => each.join(': ')), ...figures.contradictions]
  if (mode === 'synchronous') check(broken.length === 0, `${all.join('; ')} (logs: ${folder}/log)`)
  else check(figures.contradictions.length > 0, 'asynchronous loses claims, and the checker sees it')
  rmSync(folder, { recursive: true })
  return mode === 'synchronous'
    ? 'every acknowledged claim is stored, once, with the code that was answered'
    : 'asynchronous loses acknowledged claims, and the checker sees it'
}

// --asynchronous runs only the counter-proof.
await proof(import.meta.url, { rounds: 10 }, async ({ rounds }) => {
  if (process.argv.includes('--asynchronous')) return prove('asynchronous', rounds)
  return `${await prove('synchronous', rounds)}; ${await prove('asynchronous', COUNTER_ROUNDS)}`
})
