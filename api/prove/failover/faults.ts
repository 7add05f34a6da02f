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

/** How long the new primary acknowledges claims before the former one wakes up. */
const REIGN_MS = 2000
/** Longer than a call's deadline. */
const STANDSTILL_MS = 20_000

/** The primary's machine dies: Postgres, Patroni and etcd. @param lagMs how long its standbys receive nothing before */
const machineDies = (name: string, lagMs: number): Fault => ({
  name,
  async strike({ cluster, load }) {
    const node = await cluster.primary()
    if (lagMs > 0) cluster.signal(`${node}/postgresql`, 'SIGSTOP', 'walsender')
    await sleep(lagMs)
    cluster.kill(node)
    await cluster.primary(node)
    await load.acknowledged()
    cluster.startEtcd(node)
    cluster.startPatroni(node)
  },
})

/** SIGSTOP, and SIGCONT once another node is the primary. @param programs of the primary's machine */
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

/** Faults after which the primary may be the same. */
export const SMALLER_FAULTS: readonly Fault[] = [
  {
    name: 'etcd leader dies',
    async strike({ cluster, load }) {
      const node = await cluster.etcdLeader()
      cluster.kill(`${node}/etcd`)
      await sleep(4000) // Patroni's retry_timeout passes
      await load.acknowledged()
      cluster.startEtcd(node)
    },
  },
  {
    name: 'HAProxy dies',
    async strike({ cluster, load }) {
      cluster.kill('haproxy')
      await sleep(1000)
      cluster.startHaproxy()
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
