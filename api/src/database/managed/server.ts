import { execFileSync, spawn } from 'node:child_process'
import fs from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '@anniversary/shared/error-code'
import { errorMessage } from '@anniversary/shared/error-message'
import pg from 'pg'
import { StartupError } from '../../startup-error.ts'
import { packagedPrograms, type SystemUser } from './binaries.ts'

/** No network: only the owner of the socket's folder can connect. */
const SETTINGS = [
  'listen_addresses=',
  'unix_socket_directories=.',
  'max_connections=60',
  'shared_buffers=64MB',
  // Its log holds no statement and no row, which may be personal.
  'log_min_messages=log',
  'log_error_verbosity=terse',
]
const INITDB = [
  '-U',
  'postgres',
  '-E',
  'UTF8',
  '--locale=C',
  '--auth-local=trust',
  '--auth-host=reject',
]
const MAX_SOCKET_PATH = 103
const START_MS = 30_000
/** After a crash with much to repeat. A server that ends is noticed at once. */
const RECOVERY_SECONDS = 86_400
const RETRY_MS = 50
/** Key of the advisory lock that every user of a server shares. */
const USERS = 20_250_801

/**
 * Another process has just started a server here, or a killed one is still
 * ending.
 */
const IS_RACE = /lock file .* already exists|shared memory block|unexpected postmaster exit/

export const clusterFolder = (dataDir: string): string => join(resolve(dataDir), 'postgres')

const NOBODY: SystemUser = { uid: 65_534, gid: 65_534 }
/**
 * Postgres refuses root, so that the folder's owner, else `nobody`, runs it.
 */
export function postgresUser(folder: string): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const { uid, gid } = fs.statSync(folder)
  if (uid === 0) return NOBODY
  return { uid, gid }
}

/** @throws StartupError */
function requireMajor(folder: string, major: number): void {
  const file = join(folder, 'PG_VERSION')
  if (!fs.existsSync(file)) return
  const made = Number.parseInt(fs.readFileSync(file, 'utf8'), 10)
  if (made !== major)
    throw new StartupError(
      `Postgres ${made} made the data in ${folder}, and this one is ${major}; remove that folder to begin anew, or set DATABASE_URL to a Postgres ${made}`,
    )
}

async function run(
  program: 'initdb' | 'pg_ctl',
  args: readonly string[],
  folder: string,
  parent = folder,
) {
  const user = postgresUser(parent)
  if (user && fs.statSync(folder).uid !== user.uid)
    execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, folder])
  const programs = packagedPrograms(user)
  requireMajor(folder, programs.major)
  const logFile = join(dirname(folder), 'postgres.log')
  const log = fs.openSync(logFile, 'a', 0o600)
  const begin = fs.statSync(logFile).size
  const descriptor = fs.openSync(folder, 'r')
  // Inherited, since root's server user may not enter the folders above it.
  const path = process.platform === 'linux' ? '/proc/self/fd/3' : folder
  const child = spawn(join(programs.folder, program), [...args, '-D', path], {
    ...user,
    cwd: '/',
    env: { PATH: process.env.PATH ?? '', LC_ALL: 'C' },
    stdio: ['ignore', log, log, descriptor],
  })
  for (const each of [log, descriptor]) fs.closeSync(each)
  const code = await new Promise((done) => child.once('error', done).once('close', done))
  if (code === 0) return undefined
  const lines = fs.readFileSync(logFile).toString('utf8', begin).split('\n')
  // A server that runs here writes to this log, too. Later failures follow from the first.
  const line =
    lines.find((each) => IS_RACE.test(each)) ??
    lines.find((each) => /\b(PANIC|FATAL|ERROR|error):/.test(each)) ??
    lines.find(Boolean) ??
    String(code)
  return line.replace(/^.*?\b(PANIC|FATAL|ERROR|error): +/, '').replaceAll(path, folder)
}

/** Renamed at the end, so that an interrupted start leaves no half database. */
async function make(folder: string): Promise<void> {
  const unfinished = fs.mkdtempSync(`${folder}.unfinished-`)
  try {
    const failure = await run('initdb', INITDB, unfinished, dirname(folder))
    if (failure) throw new StartupError(`the database in ${folder} cannot be made: ${failure}`)
    fs.renameSync(unfinished, folder)
  } catch (error) {
    // Of concurrent first starts one wins, and the others use its database.
    if (!fs.existsSync(folder)) throw error
  } finally {
    fs.rmSync(unfinished, { recursive: true, force: true })
  }
}

async function connect(connection: pg.ClientConfig): Promise<pg.Client> {
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 5000 })
  client.on('error', () => undefined)
  await client.connect()
  await client.query(`SELECT pg_advisory_lock_shared(${USERS})`)
  return client
}

/** No server listens, or it has just died. */
const isAbsent = (error: unknown) =>
  [undefined, 'ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(errorCode(error))
/** Its server lives, and a recovery may take long. */
const isStartingOrStopping = (error: unknown) => /^57P0/.test(errorCode(error) ?? '')

/** A killed API has left its server running. */
async function connectOrStart(
  connection: pg.ClientConfig,
  folder: string,
  settings: readonly string[],
) {
  const options = [...SETTINGS, ...settings].map((setting) => `-c ${setting}`).join(' ')
  let isMute = true
  for (const giveUpAt = Date.now() + START_MS; ; await sleep(RETRY_MS)) {
    try {
      return await connect(connection)
    } catch (error) {
      if (isStartingOrStopping(error)) {
        if (isMute && Date.now() > giveUpAt) {
          isMute = false
          console.error(`waiting for the database in ${folder}: ${errorMessage(error)}`)
        }
        continue
      }
      const start = ['start', '--silent', '--wait', `--timeout=${RECOVERY_SECONDS}`, '-o', options]
      const failure = isAbsent(error) ? await run('pg_ctl', start, folder) : errorMessage(error)
      if (!failure) continue
      if (!IS_RACE.test(failure) || Date.now() > giveUpAt)
        throw new StartupError(`the database in ${folder} does not start: ${failure}`, {
          cause: error,
        })
    }
  }
}

function runningPid(folder: string): number | undefined {
  try {
    return Number.parseInt(fs.readFileSync(join(folder, 'postmaster.pid'), 'utf8'), 10)
  } catch {
    return undefined
  }
}

/** The option --wait would wait for a server that another start begins, too. */
async function stop(folder: string): Promise<void> {
  const pid = runningPid(folder)
  await run('pg_ctl', ['stop', '--silent', '--no-wait', '--mode=fast'], folder)
  for (const giveUpAt = Date.now() + START_MS; Date.now() < giveUpAt; await sleep(RETRY_MS))
    if (runningPid(folder) !== pid) return
}

/**
 * After the crash of a backend, which ends all connections. Undefined: the
 * server has ended, or nobody wants the lock any more.
 */
async function connectAgain(connection: pg.ClientConfig, isWanted: () => boolean) {
  for (const giveUpAt = Date.now() + START_MS; isWanted(); await sleep(RETRY_MS)) {
    try {
      return await connect(connection)
    } catch (error) {
      if (isStartingOrStopping(error)) continue
      const hasEnded = ['ENOENT', 'ECONNREFUSED'].includes(errorCode(error) ?? '')
      if (hasEnded || Date.now() > giveUpAt) return undefined
    }
  }
  return undefined
}

/**
 * The server survives the death of the process that started it.
 * @param settings such as `fsync=off`
 * @throws StartupError
 */
export async function openManagedServer(dataDir: string, settings: readonly string[] = []) {
  const folder = clusterFolder(dataDir)
  const connection = {
    host: folder,
    port: 5432,
    user: 'postgres',
    database: 'postgres',
    ssl: false,
  } as const
  if (Buffer.byteLength(join(folder, '.s.PGSQL.5432')) > MAX_SOCKET_PATH)
    throw new StartupError(
      `the path of ${folder} is too long for a socket; set DATA_DIR to a shorter one`,
    )
  fs.mkdirSync(dirname(folder), { recursive: true, mode: 0o700 })
  if (!fs.existsSync(folder)) await make(folder)

  let isOpen = true
  const keepLock = (client: pg.Client | undefined) =>
    client?.once('error', () => {
      if (isOpen) held = connectAgain(connection, () => isOpen).then(keepLock)
    })
  let held = Promise.resolve(keepLock(await connectOrStart(connection, folder, settings)))

  return {
    connection,
    async close() {
      isOpen = false
      const client = await held
      // Evaluated from left to right.
      const leave = `SELECT pg_advisory_unlock_shared(${USERS}), pg_try_advisory_lock(${USERS}) AS "isLast"`
      const left = await client?.query(leave).catch(() => undefined)
      // With the lock, so that a start that waits for it does not use the server.
      if (left?.rows[0]?.isLast) await stop(folder)
      await client?.end()
    },
  }
}
