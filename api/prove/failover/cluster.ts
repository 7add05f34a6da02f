import { execFileSync, spawn } from 'node:child_process'
import {
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'

const GUIDE = readFileSync(new URL('../../../docs/guides/cluster.md', import.meta.url), 'utf8')
const BINARIES = [
  '/usr/bin/etcd',
  '/usr/bin/patroni',
  '/usr/sbin/haproxy',
  '/usr/lib/postgresql/15/bin/postgres',
]

export const NODES = ['node1', 'node2', 'node3'] as const
export type NodeName = (typeof NODES)[number]

/** How a cluster's configuration differs from the guide's. */
export type Mode = 'synchronous' | 'asynchronous' | 'etcd3'

/** @returns why no cluster can run here */
export function missingPackages(): string | undefined {
  const missing = BINARIES.filter((file) => !existsSync(file))
  if (missing.length > 0)
    return `${missing.join(', ')} missing: on Debian 12, apt-get install --no-install-recommends etcd-server patroni haproxy postgresql-15`
}

/** Waits until `condition` returns a value. @throws Error when it does not within `seconds` */
export async function until<T>(
  what: string,
  seconds: number,
  condition: () => Promise<T | false | undefined>,
): Promise<T> {
  for (const end = performance.now() + seconds * 1000; performance.now() < end; await sleep(100)) {
    const value = await condition()
    if (value) return value
  }
  throw new Error(`after ${seconds} s still not: ${what}`)
}

async function getJson(url: string): Promise<unknown> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1500) })
    return response.ok ? await response.json() : undefined
  } catch {
    return undefined
  }
}

/** A block of the guide. @param file as its fence names it */
function configuration(file: string, mode: Mode): string {
  const block = new RegExp(`^\`\`\`\\w+ ${file}\n(.*?)^\`\`\``, 'ms').exec(GUIDE)?.[1]
  if (block === undefined) throw new Error(`docs/guides/cluster.md does not show ${file}`)
  if (mode === 'asynchronous') return block.replace(/(synchronous_mode\w*): true/g, '$1: false')
  return mode === 'etcd3' ? block.replace(/^etcd:/m, 'etcd3:') : block
}

/** Processes need a user that is not root: postgres, when root proves. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres']))
  return { uid: id('-u'), gid: id('-g') }
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
 * Starts the guide's cluster as ordinary processes on loopback addresses of its own, one for each machine of the guide.
 * Whatever runs below `folder` is the cluster's: that is how its processes are found, and ended at the latest at 'exit'.
 */
export async function startCluster(folder: string, mode: Mode) {
  const user = unprivileged()
  const net = `127.${1 + (process.pid % 250)}.${1 + (Math.floor(process.pid / 250) % 250)}.`
  const address = (node: NodeName) => net + node.slice(-1)
  const makeFolder = (path: string) => {
    mkdirSync(path)
    if (user) chownSync(path, user.uid, user.gid)
    return path
  }
  const fill = (file: string, node: NodeName = 'node1') =>
    configuration(file, mode)
      .replaceAll('NODE', node)
      .replaceAll('ADDRESS', address(node))
      .replaceAll('10.0.0.0/24', '127.0.0.0/8') // on loopback, callers have no other address
      .replaceAll('10.0.0.', net)
      .replaceAll(/\/var\/(lib|run)\//g, `${folder}/${node}/`)

  /** Processes below a folder. @param title what their command line contains */
  const pids = (path: string, title = '') =>
    readdirSync('/proc').filter((pid) => {
      try {
        return (
          `${readlinkSync(`/proc/${pid}/cwd`)}/`.startsWith(`${join(folder, path)}/`) &&
          readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(title)
        )
      } catch {
        return false // not a process, another user's, or ended
      }
    })
  const signal = (path: string, name: NodeJS.Signals, title?: string) => {
    const found = pids(path, title)
    for (const pid of found) {
      try {
        process.kill(Number(pid), name)
      } catch {
        // It has ended.
      }
    }
    return found.length
  }
  /** kill -9 of all processes, also of those that start meanwhile. */
  const kill = (path: string) => {
    while (signal(path, 'SIGKILL') > 0);
  }
  const discard = () => {
    kill('')
    for (const name of readdirSync(folder))
      if (name !== 'log') rmSync(join(folder, name), { recursive: true, force: true })
  }
  process.once('exit', discard)

  const start = (path: string, command: string, args: string[], env: NodeJS.ProcessEnv = {}) => {
    const log = openSync(join(folder, 'log', path.replace('/', '-')), 'a')
    const cwd = join(folder, path)
    spawn(command, args, {
      ...user,
      cwd,
      env: { PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: cwd, ...env },
      detached: true, // Ctrl-C is for the proof, which ends the rest
      stdio: ['ignore', log, log],
    }).unref()
    closeSync(log)
  }
  const startEtcd = (node: NodeName) => {
    const lines = fill('/etc/default/etcd', node).trim().split('\n')
    start(`${node}/etcd`, 'etcd', [], Object.fromEntries(lines.map((line) => line.split(/=(.*)/, 2))))
  }
  const startPatroni = (node: NodeName) => start(`${node}/patroni`, 'patroni', ['config.yml'])
  const startHaproxy = () => start('haproxy', '/usr/sbin/haproxy', ['-db', '-f', 'haproxy.cfg'])

  /** As one of the nodes has them from etcd. */
  const members = async (): Promise<readonly Member[]> => {
    for (const node of NODES) {
      const state = (await getJson(`http://${address(node)}:8008/cluster`)) as
        | { members: Member[] }
        | undefined
      if (state) return state.members
    }
    return []
  }
  /** Three running nodes on one timeline, without lag. */
  const whole = async () => {
    const isWhole = until('three nodes are whole', mode === 'etcd3' ? 30 : 120, async () => {
      const healthy = await Promise.all(NODES.map((node) => getJson(`http://${address(node)}:2379/health`)))
      const all = await members()
      const leader = all.find(({ role }) => role === 'leader')
      return (
        healthy.every(Boolean) &&
        all.length === NODES.length &&
        all.every(
          ({ state, lag = 0, timeline }) => state === 'running' && lag === 0 && timeline === leader?.timeline,
        ) &&
        (mode === 'asynchronous' || all.some(({ role }) => role === 'sync_standby'))
      )
    })
    // Past its trap, etcd3 may leave no standby synchronous.
    await (mode === 'etcd3' ? isWhole.catch(() => undefined) : isWhole)
  }
  /** The node whose Patroni holds the leader's lock. @param except not this one */
  const primary = (except?: NodeName) =>
    until('there is a primary', 120, async () => {
      for (const node of NODES)
        if (node !== except && (await getJson(`http://${address(node)}:8008/primary`))) return node
    })
  const etcdLeader = () =>
    until('etcd has a leader', 60, async () => {
      for (const node of NODES) {
        const self = await getJson(`http://${address(node)}:2379/v2/stats/self`)
        if ((self as { state: string } | undefined)?.state === 'StateLeader') return node
      }
    })

  makeFolder(join(folder, 'log'))
  for (const node of NODES) {
    for (const path of ['', 'etcd', 'patroni', 'postgresql']) makeFolder(join(folder, node, path))
    writeFileSync(join(folder, node, 'patroni/config.yml'), fill('/etc/patroni/config.yml', node))
    startEtcd(node)
  }
  makeFolder(join(folder, 'haproxy'))
  writeFileSync(join(folder, 'haproxy/haproxy.cfg'), fill('/etc/haproxy/haproxy.cfg'))
  await etcdLeader()
  for (const node of NODES) startPatroni(node)
  startHaproxy()
  await whole()

  const url = fill('api.env')
    .trim()
    .replace(/^DATABASE_URL=/, '')
  const superuser = new URL(url)
  superuser.username = 'postgres'
  superuser.password = 'SUPERUSER-PASSWORD'
  superuser.pathname = '/postgres'
  const client = new pg.Client(superuser.href)
  await client.connect()
  for (const statement of fill('database.sql').trim().split('\n')) await client.query(statement)
  await client.end()

  return {
    /** The address that follows the primary. */
    url,
    /** Past HAProxy. */
    urlOf: (node: NodeName) => url.replace(/(?<=@)[\d.]+/, address(node)),
    members,
    whole,
    primary,
    etcdLeader,
    signal,
    kill,
    startEtcd,
    startPatroni,
    startHaproxy,
    stop() {
      process.removeListener('exit', discard)
      discard()
    },
  }
}
