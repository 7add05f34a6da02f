import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { clusterFolder, openManagedServer } from '../src/database/managed/server.ts'

export function serverPid(folder: string): number | undefined {
  const file = join(folder, 'postmaster.pid')
  const pid = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : 0
  return pid > 0 && existsSync(`/proc/${pid}`) ? pid : undefined
}

export const childrenOf = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').map(Number).filter(Boolean)

export function signalServer(pid: number, signal: NodeJS.Signals): void {
  for (const each of [pid, ...childrenOf(pid)]) {
    try {
      process.kill(each, signal)
    } catch {
      // It has ended already.
    }
  }
}

/**
 * Ends a server when its caller has ended, also by a signal, which causes no
 * 'exit' in a worker of Jest.
 */
const WATCHER = `cat; read pid < "$0/postmaster.pid" &&
  kill -9 $(cat /proc/$pid/task/$pid/children) $pid; rm -rf "$1"`

/**
 * The server dies with this process.
 * @param settings of the server, such as `shared_buffers=512MB`
 */
export async function startPostgres(settings: readonly string[] = []) {
  const data = mkdtempSync(join(tmpdir(), 'anniversary-postgres-'))
  const folder = clusterFolder(data)
  const watcher = spawn('sh', ['-c', WATCHER, folder, data], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  watcher.unref()
  let server = await openManagedServer(data, settings)
  const signal = (name: NodeJS.Signals) => {
    const pid = serverPid(folder)
    if (pid !== undefined) signalServer(pid, name)
  }
  const stop = async () => {
    await server.close()
    watcher.stdin.end()
  }
  return {
    url: `postgres://postgres@${encodeURIComponent(folder)}:5432/postgres`,
    /** Its data and its socket. */
    folder,
    /** Waits until it answers. */
    async start() {
      server = await openManagedServer(data, settings)
    },
    crash: () => signal('SIGKILL'),
    /** Connections stay open without an answer. */
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    stop,
    [Symbol.asyncDispose]: stop,
  }
}
