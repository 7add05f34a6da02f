import { spawn } from 'node:child_process'
import {
  chmodSync,
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode } from '@anniversary/shared/error-code'
import { errorMessage } from '@anniversary/shared/error-message'
import type pg from 'pg'
import { StartupError } from '../../startup-error.ts'
import { findBinaries } from './binaries.ts'
import { giveTo, type SystemUser, serverUser } from './system-user.ts'

/** The files of a Postgres server (its manual's word for them), in `DATA_DIR/postgres`. */
export type Cluster = Awaited<ReturnType<typeof openCluster>>

const isLinux = process.platform === 'linux'

/** No network: the socket's folder is the lock. Small, because demos and tests run several servers on one machine. */
const SETTINGS = [
  'listen_addresses=',
  'unix_socket_directories=.',
  'port=5432',
  'max_connections=60',
  'shared_buffers=64MB',
  // Its log holds no statement and no row: those may be personal.
  'log_min_messages=log',
  'log_error_verbosity=terse',
  // One call after a crash instead of one for each of a thousand files.
  ...(isLinux ? ['recovery_init_sync_method=syncfs'] : []),
]
const SOCKET = '.s.PGSQL.5432'
/** Bytes of a socket's path: 107 on Linux, 103 elsewhere. */
const MAX_SOCKET_PATH = 103
const STOP_MS = 30_000

/** The open data folder is the server's descriptor 3. */
const INHERITED = 3
/** A path that the server may enter also where the folders above are closed to its user. */
const inherited = (folder: string) => (isLinux ? `/proc/self/fd/${INHERITED}` : folder)

/** Not our own: its PGPORT, PGDATA and the like belong to another server. */
const environment = { PATH: process.env.PATH ?? '', LC_ALL: 'C' }

/** The reason in the output of a Postgres program. */
export function reasonIn(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const line =
    lines.findLast((line) => /\b(PANIC|FATAL|error):/.test(line)) ?? lines.at(-1) ?? 'no reason given'
  return line.replace(/^.*?\b(PANIC|FATAL|error): +(\w{5}: )?/, '')
}

/** Runs a program on a folder. @returns what it wrote when it failed */
function run(
  program: string,
  args: readonly string[],
  folder: string,
  as?: SystemUser,
): Promise<string | undefined> {
  const descriptor = openSync(folder, 'r')
  const child = spawn(program, [...args, inherited(folder)], {
    ...as,
    cwd: '/',
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe', descriptor],
  })
  closeSync(descriptor)
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk
  })
  return new Promise((done) => {
    child.once('error', (error) => done(String(error)))
    child.once('close', (code) => done(code === 0 ? undefined : said))
  })
}

const INITDB = ['-U', 'postgres', '-E', 'UTF8', '--locale=C', '--auth-local=trust', '--auth-host=reject']

/** Makes a cluster in an empty folder. @returns why it failed */
async function initdb(
  program: string,
  folder: string,
  user: SystemUser | undefined,
): Promise<string | undefined> {
  const failure = await run(program, [...INITDB, '--no-sync', '-D'], folder, user)
  if (failure !== undefined) return failure
  // The file system at once, where that can be had: syncing a thousand files one by one takes twice as long as the rest.
  const isSynced = isLinux && (await run('sync', ['-f'], folder)) === undefined
  return isSynced ? undefined : run(program, ['--sync-only', '-D'], folder, user)
}

/** Renames durably; does nothing when another start was quicker. */
function moveInPlace(made: string, folder: string): void {
  try {
    renameSync(made, folder)
  } catch (error) {
    if (existsSync(folder)) return
    throw error
  }
  const parent = openSync(dirname(folder), 'r')
  fsyncSync(parent)
  closeSync(parent)
}

/**
 * Makes a cluster beside its place and moves it there when it is whole: a start that dies meanwhile leaves nothing that
 * the next one would take for a database. Of several starts at once the first wins, and the others use what it made.
 */
async function make(folder: string): Promise<void> {
  const user = serverUser(dirname(folder))
  const program = join(findBinaries(user, undefined), 'initdb')
  const unfinished = mkdtempSync(`${folder}.unfinished-`)
  if (user) giveTo(user, unfinished)
  // A quicker start removes this folder while initdb still writes to it.
  const failure = await initdb(program, unfinished, user).catch((error: unknown) => String(error))
  if (failure === undefined) moveInPlace(unfinished, folder)
  const isMade = existsSync(folder)
  const leftovers = isMade
    ? readdirSync(dirname(folder)).filter((name) => name.startsWith(`${basename(folder)}.unfinished-`))
    : [basename(unfinished)]
  for (const name of leftovers)
    rmSync(join(dirname(folder), name), { recursive: true, force: true, maxRetries: 3 })
  if (!isMade) throw new StartupError(`the database in ${folder} cannot be made: ${reasonIn(failure ?? '')}`)
}

/** The folder in a form that is short enough for a socket's path. */
function socketFolder(folder: string, descriptor: number): string {
  if (Buffer.byteLength(join(folder, SOCKET)) <= MAX_SOCKET_PATH) return folder
  if (isLinux) return `/proc/self/fd/${descriptor}`
  throw new StartupError(`the path ${folder} is too long for a socket; set DATA_DIR to a shorter one`)
}

/** The process that the lock file names, and whether it is a server of this folder. */
function lockHolder(folder: string): { pid: number; isOurs: boolean } | undefined {
  let text: string
  try {
    text = readFileSync(join(folder, 'postmaster.pid'), 'utf8')
  } catch {
    return undefined
  }
  const [line = '', home = ''] = text.split('\n')
  const pid = Number(line)
  try {
    process.kill(pid, 0)
    // A copied folder names the server of the original, and after a reboot the pid may be anybody's.
    return { pid, isOurs: realpathSync(isLinux ? `/proc/${pid}/cwd` : home) === realpathSync(folder) }
  } catch {
    return undefined
  }
}

/** Opens the cluster of a data folder, making it where there is none. @throws StartupError */
export async function openCluster(dataDir: string) {
  const folder = join(resolve(dataDir), 'postgres')
  try {
    return await open(folder)
  } catch (error) {
    if (error instanceof StartupError || !/^E[A-Z]+$/.test(errorCode(error) ?? '')) throw error
    throw new StartupError(`the data folder ${resolve(dataDir)} cannot be used: ${errorMessage(error)}`, {
      cause: error,
    })
  }
}

async function open(folder: string) {
  if (process.platform === 'win32')
    throw new StartupError('on Windows the server cannot run a Postgres of its own; set DATABASE_URL')
  const dataDir = dirname(folder)
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  if (!existsSync(folder)) await make(folder)
  const user = serverUser(statSync(folder).uid === 0 ? dataDir : folder)
  if (user) giveTo(user, folder)
  const descriptor = openSync(folder, 'r')
  if ((fstatSync(descriptor).mode & 0o777) !== 0o700) chmodSync(folder, 0o700)
  const logFile = join(dataDir, 'postgres.log')
  const log = openSync(logFile, 'a', 0o600)

  /** Starts a server process, which lives on when this process ends. @param settings such as `fsync=off` */
  const launch = (settings: readonly string[]) => {
    const major = Number(readFileSync(join(folder, 'PG_VERSION'), 'utf8'))
    const binary = join(findBinaries(user, major), 'postgres')
    if (lockHolder(folder)?.isOurs === false)
      for (const lock of ['postmaster.pid', `${SOCKET}.lock`]) rmSync(join(folder, lock), { force: true })
    const begin = fstatSync(log).size
    const options = [...SETTINGS, ...settings].flatMap((setting) => ['-c', setting])
    const child = spawn(binary, ['-D', inherited(folder), ...options], {
      ...user,
      cwd: '/',
      env: environment,
      // A session of its own: Ctrl-C is for us, and we stop the server when nobody needs it.
      detached: true,
      stdio: ['ignore', log, log, descriptor],
    })
    child.unref()
    let failure: string | undefined
    child.once('error', (error) => {
      failure = String(error)
    })
    return {
      hasEnded: () => failure !== undefined || child.exitCode !== null || child.signalCode !== null,
      /** What the servers of this folder have logged since the start; `reasonIn` finds the line that counts. */
      log: () => failure ?? readFileSync(logFile).subarray(begin).toString(),
    }
  }

  /** The server's process, when one runs on this folder. */
  const pid = () => {
    const holder = lockHolder(folder)
    return holder?.isOurs ? holder.pid : undefined
  }
  return {
    folder,
    /** For `pg`: the server's Unix socket, in the folder, which its owner alone may enter. */
    connection: {
      host: socketFolder(folder, descriptor),
      port: 5432,
      user: 'postgres',
      database: 'postgres',
      ssl: false,
    } satisfies pg.ClientConfig,
    launch,
    pid,
    /** Ends the server: sessions are cut, what was committed is on the disk. */
    async stop() {
      const server = pid()
      if (server === undefined) return
      process.kill(server, 'SIGINT')
      const giveUpAt = Date.now() + STOP_MS
      while (pid() === server && Date.now() < giveUpAt) await sleep(10)
    },
    close() {
      closeSync(descriptor)
      closeSync(log)
    },
  }
}
