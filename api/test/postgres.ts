import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCluster } from '../src/database/managed/cluster.ts'
import { connectOrStart } from '../src/database/managed/server.ts'

/** Process of the server that runs on a folder; undefined: none does. */
export function serverPid(folder: string): number | undefined {
  const file = join(folder, 'postmaster.pid')
  const pid = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : 0
  return pid > 0 && existsSync(`/proc/${pid}`) ? pid : undefined
}

/** Sends a signal to the postmaster and its children. */
function signalServer(pid: number, signal: NodeJS.Signals): void {
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
  for (const each of [pid, ...children.split('\n').map(Number).filter(Boolean)]) {
    try {
      process.kill(each, signal)
    } catch {
      // It has ended already.
    }
  }
}

/** kill -9 of a server: of all its processes, so that no session is closed cleanly. */
export const killServer = (pid: number): void => signalServer(pid, 'SIGKILL')

/**
 * A Postgres that DATABASE_URL may name: the API does not start it, only `start` does.
 * @param settings of the server, such as `shared_buffers=512MB`
 */
export async function startPostgres(settings: readonly string[] = []) {
  const folder = mkdtempSync(join(tmpdir(), 'anniversary-postgres-'))
  const cluster = await openCluster(folder)
  const start = async () => (await connectOrStart(cluster, settings)).end()
  await start()
  const signal = (name: NodeJS.Signals) => {
    const pid = serverPid(cluster.folder)
    if (pid !== undefined) signalServer(pid, name)
  }
  // No server outlives a process that is interrupted.
  const discard = () => {
    signal('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  }
  process.once('exit', discard)
  return {
    url: `postgres://postgres@${encodeURIComponent(cluster.folder)}:5432/postgres`,
    /** Of its data, and its socket. */
    folder: cluster.folder,
    /** Starts it again after `crash`, and waits until it answers. */
    start,
    /** kill -9 of the whole server. */
    crash: () => signal('SIGKILL'),
    /** Connections stay open and nothing answers. */
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
    /** Stops it and removes its folder. */
    async stop() {
      process.removeListener('exit', discard)
      await cluster.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
