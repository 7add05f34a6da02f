import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { MISSION_CODES } from '@anniversary/shared/contract/missions'
import { errorMessage } from '@anniversary/shared/error-message'
import { startApis } from '../api-process.ts'
import { any, startClients } from '../clients.ts'
import { addPlayers, problemsIn, withDatabase } from '../members.ts'
import { check, proof } from '../report.ts'
import { type Cluster, type Mode, startCluster } from './cluster.ts'

/** Their claims last for one failover. */
const PLAYERS = 800
const COUNTER_ROUNDS = 2
/** The standbys receive nothing before the primary dies. */
const LAG_MS = 1000
/** The new primary acknowledges claims before the frozen one goes on. */
const REIGN_MS = 2000

/** The standbys are behind when the primary dies. */
async function die(cluster: Cluster, acknowledged: () => Promise<unknown>): Promise<void> {
  const node = await cluster.primary()
  cluster.signal(`${node}/postgresql`, 'SIGSTOP', 'walsender')
  await sleep(LAG_MS)
  cluster.kill(node)
  await cluster.primary(node)
  await acknowledged()
  for (const program of ['etcd', 'patroni']) cluster.start(`${node}/${program}`)
}

/** The frozen primary goes on beside the new one. */
async function standStill(cluster: Cluster, acknowledged: () => Promise<unknown>): Promise<void> {
  const node = await cluster.primary()
  const signal = (name: NodeJS.Signals) =>
    ['postgresql', 'patroni'].map((program) => cluster.signal(`${node}/${program}`, name))
  signal('SIGSTOP')
  await cluster.primary(node)
  await acknowledged()
  await sleep(REIGN_MS)
  signal('SIGCONT')
}

/** Returns what must not be. */
async function problemsOf(folder: string, mode: Mode, rounds: number): Promise<readonly string[]> {
  using cluster = await startCluster(folder, mode)
  const { url } = cluster
  await using apis = await startApis({ DATABASE_URL: url })
  const { seen, claims, toClaim, acknowledged, end } = startClients(() => any(apis).origin)
  for (let round = 1; round <= rounds; round++) {
    const added = await withDatabase(url, (database) =>
      addPlayers(database, `round${round}-`, PLAYERS),
    )
    for (const player of added)
      toClaim.push(...MISSION_CODES.map((mission) => ({ player, mission })))
    await acknowledged()
    const before = claims.length
    const from = performance.now()
    await (round % 2 === 1 ? die : standStill)(cluster, acknowledged)
    await cluster.whole()
    await acknowledged()
    const times = [from, ...claims.slice(before).map(({ answeredAt }) => answeredAt)].sort(
      (a, b) => a - b,
    )
    const gap = Math.max(...times.slice(1).map((at, i) => at - (times[i] ?? at)))
    console.log(
      `${mode}, round ${round} of ${rounds}: ${(gap / 1000).toFixed(1)} s without a claim`,
    )
  }
  await end()

  console.log(`${claims.length} claims acknowledged`)
  const { problems } = await problemsIn(url, seen)
  const isExpected = ({ status, isExplained }: (typeof seen)[number]) =>
    status === 200 || (status === 503 && isExplained)
  return [
    ...problems,
    ...seen.filter((each) => !isExpected(each)).map(({ status }) => `answer ${status}`),
  ]
}

/** An unsafe mode must be seen. @throws Error with what does not hold */
async function prove(mode: Mode, rounds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'anniversary-failover-'))
  try {
    const problems = await problemsOf(folder, mode, rounds)
    if (mode === 'synchronous') check(problems.length === 0, problems.slice(0, 5).join('; '))
    else
      check(
        problems.some((line) => line.endsWith('is nothing')),
        'asynchronous loses claims, and the checker sees it',
      )
  } catch (error) {
    throw new Error(`${errorMessage(error)} (logs: ${folder}/log)`, { cause: error })
  }
  rmSync(folder, { recursive: true })
}

await proof(import.meta.url, { rounds: 10 }, async ({ rounds }) => {
  await prove('synchronous', rounds)
  await prove('asynchronous', COUNTER_ROUNDS)
  return 'every acknowledged claim is stored, once; asynchronous loses some, and the checker sees it'
})
