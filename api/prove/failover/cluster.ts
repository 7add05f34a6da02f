import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import pg from 'pg'
import { until } from '../report.ts'

/** Replication of the cluster; the guide's is synchronous. */
export type Mode = 'synchronous' | 'asynchronous'

export const NODES = ['node1', 'node2', 'node3'] as const
type NodeName = (typeof NODES)[number]

export async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client(url)
  await client.connect()
  return (await client.query<Row>(sql).finally(() => client.end())).rows
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
  readonly name: NodeName
  readonly role: string
  readonly state: string
  readonly timeline?: number
  readonly lag?: number | 'unknown'
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>

/**
 * Starts the guide's cluster as ordinary processes (cluster.sh), which end with this process at the latest.
 * @throws Error that names the missing programs
 */
export async function startCluster(folder: string, mode: Mode) {
  const net = `127.${1 + (process.pid % 250)}.${1 + (Math.floor(process.pid / 250) % 250)}.`
  const address = (node: NodeName) => net + node.slice(-1)
  const cluster = (...command: string[]) =>
    execFileSync(
      join(import.meta.dirname, 'cluster.sh'),
      [folder, net, String(mode === 'synchronous'), ...command],
      { encoding: 'utf8' },
    )
  const start = (path: string) => cluster('start', path)
  /** Signals the processes that run below `path`. Returns their number. @param title part of their command line */
  const signal = (path: string, name: NodeJS.Signals, title = ''): number =>
    Number(cluster('signal', name.slice(3), path, title))
  /** Kills the processes below `path`, including those that start meanwhile. */
  const kill = (path: string) => {
    while (signal(path, 'SIGKILL') > 0);
  }
  /** Ends all processes and keeps the logs. */
  const stop = () => {
    cluster('stop')
    process.removeListener('exit', stop)
  }
  process.once('exit', stop)

  /** Returns Patroni's view of the nodes. */
  const members = async (): Promise<readonly Member[]> => {
    for (const node of NODES) {
      const answer = await getJson<{ members: Member[] }>(`http://${address(node)}:8008/cluster`)
      if (answer) return answer.members
    }
    return []
  }
  /** Waits for three nodes on one timeline without lag, one of them a synchronous standby. */
  const whole = () =>
    until('healing', async () => {
      const etcds = await Promise.all(NODES.map((node) => getJson(`http://${address(node)}:2379/health`)))
      const all = await members()
      const leader = all.find(({ role }) => role === 'leader')
      return (
        etcds.every(Boolean) &&
        all.filter(
          ({ state, lag = 0, timeline }) => state === 'running' && lag === 0 && timeline === leader?.timeline,
        ).length === 3 &&
        (mode === 'asynchronous' || all.some(({ role }) => role === 'sync_standby'))
      )
    })
  /** Waits for a node whose answer at a port and path fulfils `is`. */
  const findNode = <T>(what: string, url: string, is: (answer: T) => boolean, except?: NodeName) =>
    until(what, async () => {
      for (const node of NODES) {
        const answer = node === except ? undefined : await getJson<T>(`http://${address(node)}:${url}`)
        if (answer && is(answer)) return node
      }
    })
  const etcdLeader = () =>
    findNode<{ state: string }>(
      "etcd's election",
      '2379/v2/stats/self',
      ({ state }) => state === 'StateLeader',
    )

  cluster('configure')
  for (const node of NODES) start(`${node}/etcd`)
  await etcdLeader()
  for (const node of NODES) start(`${node}/patroni`)
  start('haproxy')
  await whole()
  const url = cluster('print', 'api.env').trim().replace('DATABASE_URL=', '')
  const superuser = url.replace(/anniversary:.*@/, 'postgres:SUPERUSER-PASSWORD@').replace(/\w+$/, 'postgres')
  for (const sql of cluster('print', 'database.sql').trim().split('\n')) await query(superuser, sql)

  return {
    /** Database URL through HAProxy. */
    url,
    /** Database URL of one node, without HAProxy. */
    urlOf: (node: NodeName) => url.replace(/(?<=@)[\d.]+/, address(node)),
    members,
    /** Waits for the node whose Patroni holds the leader's lock. @param except a node to ignore */
    primary: (except?: NodeName) => findNode('the failover', '8008/primary', () => true, except),
    etcdLeader,
    whole,
    signal,
    kill,
    start,
    stop,
  }
}
