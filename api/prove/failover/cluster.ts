import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import { until } from '../report.ts'

export type Mode = 'synchronous' | 'asynchronous'

const NODES = ['node1', 'node2', 'node3'] as const
type NodeName = (typeof NODES)[number]

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

async function getJson<T>(url: string): Promise<T | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1500) })
    return response.ok ? ((await response.json()) as T) : undefined
  } catch {
    return undefined
  }
}

interface Member {
  readonly role: string
  readonly state: string
  readonly timeline?: number
  readonly lag?: number | 'unknown'
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>

/**
 * Starts ordinary processes (cluster.sh), which end with this process at the
 * latest.
 * @throws Error that names the missing programs
 */
export async function startCluster(folder: string, mode: Mode) {
  const net = `127.${1 + (process.pid % 250)}.${1 + (Math.floor(process.pid / 250) % 250)}.`
  const isSynchronous = mode === 'synchronous'
  const cluster = (...command: string[]) =>
    execFileSync(
      join(import.meta.dirname, 'cluster.sh'),
      [folder, net, String(isSynchronous), ...command],
      {
        encoding: 'utf8',
      },
    )
  const get = <T>(node: NodeName, path: string) =>
    getJson<T>(`http://${net}${node.slice(-1)}:${path}`)
  const start = (path: string) => cluster('start', path)
  /**
   * Returns the number of processes.
   * @param title part of their command line
   */
  const signal = (path: string, name: NodeJS.Signals, title = ''): number =>
    Number(cluster('signal', name.slice(3), path, title))
  const stop = () => {
    cluster('stop')
    process.removeListener('exit', stop)
  }
  process.once('exit', stop)

  const hasEtcd = async () => {
    const answers = await Promise.all(NODES.map((node) => get(node, '2379/health')))
    return answers.every(Boolean)
  }
  /**
   * Three nodes on one timeline without lag, one of them a synchronous standby.
   */
  const whole = () =>
    until('healing', async () => {
      const answers = await Promise.all(
        NODES.map((node) => get<{ members: Member[] }>(node, '8008/cluster')),
      )
      const members = answers.find(Boolean)?.members ?? []
      const leader = members.find(({ role }) => role === 'leader')
      const isCurrent = ({ state, lag = 0, timeline }: Member) =>
        state === 'running' && lag === 0 && timeline === leader?.timeline
      const hasStandby = !isSynchronous || members.some(({ role }) => role === 'sync_standby')
      return (await hasEtcd()) && members.filter(isCurrent).length === NODES.length && hasStandby
    })

  cluster('configure')
  for (const node of NODES) start(`${node}/etcd`)
  await until("etcd's election", hasEtcd)
  for (const node of NODES) start(`${node}/patroni`)
  start('haproxy')
  await whole()
  const url = cluster('print', '/etc/event/database-url').trim()
  const superuser = url
    .replace(/event_owner:.*@/, 'postgres:SUPERUSER-PASSWORD@')
    .replace(/\w+$/, 'postgres')
  for (const sql of cluster('print', 'database.sql').trim().split('\n')) await run(superuser, sql)

  return {
    url,
    /** The leader holds Patroni's lock. @param except a node to ignore */
    primary: (except?: NodeName) =>
      until('the failover', async () => {
        for (const node of NODES)
          if (node !== except && (await get(node, '8008/primary'))) return node
      }),
    whole,
    signal,
    kill(path: string) {
      while (signal(path, 'SIGKILL') > 0);
    },
    start,
    [Symbol.dispose]: stop,
  }
}
