import { setTimeout as sleep } from 'node:timers/promises'
import { type ApiProcess, startApi } from '../api-process.ts'
import { type Cluster, NODES } from './cluster.ts'
import type { Load } from './load.ts'

export interface Scene {
  readonly cluster: Cluster
  readonly load: Load
  readonly apis: ApiProcess[]
}

export interface Fault {
  readonly name: string
  /** Breaks something, waits until claims are acknowledged again, and mends it. */
  strike(scene: Scene): Promise<void>
}

/** A primary that comes back has this long missed what the new one acknowledged. */
const REIGN_MS = 2000

/** A machine dies: Postgres, Patroni and etcd at once. @param lagMs for so long its standbys get nothing before */
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

/** SIGSTOP until another node is the primary, then SIGCONT. @param of what stands still on the primary's machine */
const standsStill = (name: string, of: readonly string[]): Fault => ({
  name,
  async strike({ cluster, load }) {
    const node = await cluster.primary()
    for (const each of of) cluster.signal(`${node}/${each}`, 'SIGSTOP')
    await cluster.primary(node)
    await load.acknowledged()
    await sleep(REIGN_MS)
    for (const each of of) cluster.signal(`${node}/${each}`, 'SIGCONT')
  },
})

/** Each ends with another primary. */
export const FAILOVERS: readonly Fault[] = [
  machineDies('primary dies, standbys behind', 1000),
  standsStill('Postgres stands still', ['postgresql']),
  standsStill('Postgres and Patroni stand still', ['postgresql', 'patroni']),
  machineDies('primary dies', 0),
  standsStill('Patroni stands still', ['patroni']),
]

/** The primary may stay. */
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
    name: 'API process dies',
    async strike({ cluster, load, apis }) {
      const api = apis.shift()
      await api?.crash()
      await load.acknowledged()
      apis.push(await startApi({ DATABASE_URL: cluster.url }))
    },
  },
  {
    name: 'synchronous standby stands still',
    async strike({ cluster, load }) {
      const all = await cluster.members()
      const standby =
        all.find(({ role }) => role === 'sync_standby') ?? all.find(({ role }) => role === 'replica')
      const path = `${standby?.name ?? NODES[0]}/postgresql`
      cluster.signal(path, 'SIGSTOP', 'walreceiver')
      await sleep(1000)
      await load.acknowledged()
      cluster.signal(path, 'SIGCONT', 'walreceiver')
    },
  },
]
