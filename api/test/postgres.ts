import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCluster } from '../src/database/managed/cluster.ts'
import { connectOrStart } from '../src/database/managed/server.ts'

/** A Postgres that DATABASE_URL may name: the API does not start it, only `start` does. */
export interface TestPostgres {
  readonly url: string
  /** Of its data, and its socket. */
  readonly folder: string
  /** kill -9 of the whole server. */
  crash(): void
  /** Starts it again after `crash`, and waits until it answers. */
  start(): Promise<void>
  /** Stops it and removes its folder. */
  stop(): Promise<void>
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}

/** kill -9 of a server: of the postmaster and its children, so that no session is closed cleanly. */
export function killServer(pid: number): void {
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
  for (const each of [pid, ...children.split('\n').map(Number).filter(Boolean)]) kill(each)
}

/** @param settings of the server, such as `shared_buffers=512MB` */
export async function startPostgres(settings: readonly string[] = []): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'anniversary-postgres-'))
  const cluster = await openCluster(folder)
  const start = async () => (await connectOrStart(cluster, settings)).end()
  await start()
  return {
    url: `postgres://postgres@${encodeURIComponent(cluster.folder)}:5432/postgres`,
    folder: cluster.folder,
    start,
    crash() {
      const pid = cluster.pid()
      if (pid !== undefined) killServer(pid)
    },
    async stop() {
      await cluster.stop()
      cluster.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
