import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { until } from '../report.ts'

const GUIDE = fs.readFileSync(new URL('../../../docs/operate/cluster.md', import.meta.url), 'utf8')
const PROGRAMS = [
  '/usr/bin/etcd',
  '/usr/bin/patroni',
  '/usr/sbin/haproxy',
  '/usr/lib/postgresql/15/bin/postgres',
]

/** Replication of the cluster. The guide uses synchronous replication. */
export type Mode = 'synchronous' | 'asynchronous'

export const NODES = ['node1', 'node2', 'node3'] as const
type NodeName = (typeof NODES)[number]

/** @throws Error that says what to install */
export function requirePrograms(): void {
  const missing = PROGRAMS.filter((file) => !fs.existsSync(file)).join(', ')
  if (missing)
    throw new Error(
      `no ${missing}; Debian 12: apt-get install --no-install-recommends etcd-server patroni haproxy postgresql-15`,
    )
}

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
 * Starts the guide's cluster as ordinary processes, each machine on its own loopback address and in its own folder.
 * Processes are found by their working folder and end at 'exit' at the latest.
 */
export async function startCluster(folder: string, mode: Mode) {
  // Postgres refuses to run as root.
  const isRoot = process.getuid?.() === 0
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres']))
  const user = isRoot ? { uid: id('-u'), gid: id('-g') } : {}
  const net = `127.${1 + (process.pid % 250)}.${1 + (Math.floor(process.pid / 250) % 250)}.`
  const address = (node: NodeName) => net + node.slice(-1)

  /** Returns a file of the guide for `node`. */
  const configuration = (file: string, node: NodeName = 'node1') => {
    const block = new RegExp(`^\`\`\`\\w+ ${file}\n(.*?)^\`\`\``, 'ms').exec(GUIDE)?.[1]
    if (!block) throw new Error(`docs/operate/cluster.md shows no ${file}`)
    return block
      .replaceAll(/(?<=synchronous_mode\w*: )true/g, String(mode !== 'asynchronous'))
      .replaceAll('NODE', node)
      .replaceAll('ADDRESS', address(node))
      .replaceAll('10.0.0.0/24', '127.0.0.0/8') // all callers on loopback are 127.0.0.1
      .replaceAll('10.0.0.', net)
      .replaceAll(/\/var\/(lib|run)\//g, `${folder}/${node}/`)
  }

  /** Signals the processes that run below `path` and returns their number. @param title a part of their command line */
  const signal = (path: string, name: NodeJS.Signals, title = ''): number => {
    const pids = fs.readdirSync('/proc').filter((pid) => {
      try {
        const isBelow = `${fs.readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${join(folder, path)}/`)
        if (!isBelow || !fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(title)) return false
        return process.kill(Number(pid), name)
      } catch {
        return false // no process, another user's, or an ended one
      }
    })
    return pids.length
  }
  /** Kills with SIGKILL, also processes that start meanwhile. */
  const kill = (path: string) => {
    while (signal(path, 'SIGKILL') > 0);
  }
  /** Ends all processes and leaves the logs. */
  const stop = () => {
    for (const name of [...NODES, 'haproxy']) {
      kill(name)
      fs.rmSync(join(folder, name), { recursive: true, force: true })
    }
    process.removeListener('exit', stop)
  }
  process.once('exit', stop)

  const start = (path: string, program: string, args: string[], env: NodeJS.ProcessEnv = {}) => {
    const log = fs.openSync(join(folder, 'log', path.replace('/', '-')), 'a')
    const cwd = join(folder, path)
    const own = { PATH: `${process.env.PATH}:/usr/sbin`, LANG: 'C.UTF-8', HOME: cwd }
    // Detached, so that Ctrl-C reaches only the proof, which ends these.
    spawn(program, args, {
      ...user,
      cwd,
      env: { ...own, ...env },
      detached: true,
      stdio: ['ignore', log, log],
    }).unref()
    fs.closeSync(log)
  }
  const startEtcd = (node: NodeName) => {
    const lines = configuration('/etc/default/etcd', node).trim().split('\n')
    start(`${node}/etcd`, 'etcd', [], Object.fromEntries(lines.map((line) => line.split(/=(.*)/))))
  }
  const startPatroni = (node: NodeName) => start(`${node}/patroni`, 'patroni', ['config.yml'])
  const startHaproxy = () => start('haproxy', 'haproxy', ['-db', '-f', 'haproxy.cfg'])

  /** Returns Patroni's state of the nodes. */
  const members = async (): Promise<readonly Member[]> => {
    for (const node of NODES) {
      const answer = await getJson<{ members: Member[] }>(`http://${address(node)}:8008/cluster`)
      if (answer) return answer.members
    }
    return []
  }
  /** Waits for three nodes on one timeline, without lag, one of them in step with the primary. */
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
  /** Returns the first node for whose URL `is` holds. */
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

  for (const node of NODES) {
    for (const path of ['etcd', 'patroni', 'postgresql'])
      fs.mkdirSync(join(folder, node, path), { recursive: true })
    fs.writeFileSync(join(folder, node, 'patroni/config.yml'), configuration('/etc/patroni/config.yml', node))
  }
  for (const path of ['haproxy', 'log']) fs.mkdirSync(join(folder, path))
  fs.writeFileSync(join(folder, 'haproxy/haproxy.cfg'), configuration('/etc/haproxy/haproxy.cfg'))
  if (isRoot) execFileSync('chown', ['-R', 'postgres:postgres', folder])
  for (const node of NODES) startEtcd(node)
  await etcdLeader()
  for (const node of NODES) startPatroni(node)
  startHaproxy()
  await whole()
  const url = configuration('api.env').trim().replace('DATABASE_URL=', '')
  const superuser = url.replace(/anniversary:.*@/, 'postgres:SUPERUSER-PASSWORD@').replace(/\w+$/, 'postgres')
  for (const sql of configuration('database.sql').trim().split('\n')) await query(superuser, sql)

  return {
    /** URL through HAProxy. */
    url,
    /** URL of a node, without HAProxy. */
    urlOf: (node: NodeName) => url.replace(/(?<=@)[\d.]+/, address(node)),
    members,
    /** Returns the node whose Patroni has the lock. @param except a node that does not count */
    primary: (except?: NodeName) => findNode('the failover', '8008/primary', () => true, except),
    etcdLeader,
    whole,
    signal,
    kill,
    startEtcd,
    startPatroni,
    startHaproxy,
    stop,
  }
}
