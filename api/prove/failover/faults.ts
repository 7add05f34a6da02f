import { setTimeout as sleep } from 'node:timers/promises'
import { type Cluster, NODES } from './cluster.ts'
import type { Load } from './load.ts'

export interface Scene {
  readonly cluster: Cluster
  readonly load: Load
}

export interface Fault {
  readonly name: string
  /** Breaks something, waits until claims are acknowledged again, and repairs it. */
  strike(scene: Scene): Promise<void>
}

/** Time in which the new primary acknowledges claims before the former one resumes. */
const REIGN_MS = 2000
/** Longer than the deadline of a call. */
const STANDSTILL_MS = 20_000

/** Kills Postgres, Patroni and etcd of the primary. @param lagMs time before, in which its standbys receive nothing */
const machineDies = (name: string, lagMs: number): Fault => ({
  name,
  async strike({ cluster, load }) {
    const node = await cluster.primary()
    if (lagMs > 0) cluster.signal(`${node}/postgresql`, 'SIGSTOP', 'walsender')
    await sleep(lagMs)
    cluster.kill(node)
    await cluster.primary(node)
    await load.acknowledged()
    cluster.start(`${node}/etcd`)
    cluster.start(`${node}/patroni`)
  },
})

/** Stops programs of the primary until another node is the primary. */
const standsStill = (name: string, programs: readonly string[]): Fault => ({
  name,
  async strike({ cluster, load }) {
    const node = await cluster.primary()
    for (const program of programs) cluster.signal(`${node}/${program}`, 'SIGSTOP')
    await cluster.primary(node)
    await load.acknowledged()
    await sleep(REIGN_MS)
    for (const program of programs) cluster.signal(`${node}/${program}`, 'SIGCONT')
  },
})

/** Faults after which another node is the primary. */
export const FAILOVERS: readonly Fault[] = [
  machineDies('primary dies, standbys behind', 1000),
  standsStill('Postgres stands still', ['postgresql']),
  standsStill('Postgres and Patroni stand still', ['postgresql', 'patroni']),
  machineDies('primary dies', 0),
  standsStill('Patroni stands still', ['patroni']),
]

/** Faults after which the primary may stay. */
export const SMALLER_FAULTS: readonly Fault[] = [
  {
    name: 'etcd leader dies',
    async strike({ cluster, load }) {
      const node = await cluster.etcdLeader()
      cluster.kill(`${node}/etcd`)
      await sleep(4000) // Patroni's retry_timeout passes
      await load.acknowledged()
      cluster.start(`${node}/etcd`)
    },
  },
  {
    name: 'HAProxy dies',
    async strike({ cluster, load }) {
      cluster.kill('haproxy')
      await sleep(1000)
      cluster.start('haproxy')
      await load.acknowledged()
    },
  },
  {
    name: 'synchronous standby stands still',
    async strike({ cluster, load }) {
      const all = await cluster.members()
      const standby =
        all.find(({ role }) => role === 'sync_standby') ?? all.find(({ role }) => role === 'replica')
      const path = `${standby?.name}/postgresql`
      cluster.signal(path, 'SIGSTOP', 'walreceiver')
      await sleep(1000)
      await load.acknowledged()
      cluster.signal(path, 'SIGCONT', 'walreceiver')
    },
  },
  {
    name: 'both standbys stand still',
    async strike({ cluster, load }) {
      const primary = await cluster.primary()
      const paths = NODES.filter((node) => node !== primary).map((node) => `${node}/postgresql`)
      for (const path of paths) cluster.signal(path, 'SIGSTOP')
      await sleep(STANDSTILL_MS)
      for (const path of paths) cluster.signal(path, 'SIGCONT')
      await load.acknowledged()
    },
  },
]
