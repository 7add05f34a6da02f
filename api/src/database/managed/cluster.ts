import { execFileSync, spawn } from 'node:child_process'
import {
  closeSync,
  existsSync,
  fstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type pg from 'pg'
import { StartupError } from '../../startup-error.ts'
import { findBinaries, type SystemUser } from './binaries.ts'

/** The files of a Postgres server (its manual's word for them), in `DATA_DIR/postgres`. */
export type Cluster = Awaited<ReturnType<typeof openCluster>>

const isLinux = process.platform === 'linux'

/** No network: whoever may enter the socket's folder may read the data too. Small, for many servers on one machine. */
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
const INITDB = ['-U', 'postgres', '-E', 'UTF8', '--locale=C', '--auth-local=trust', '--auth-host=reject']
const MAX_SOCKET_PATH = 103
const environment = { PATH: process.env.PATH ?? '', LC_ALL: 'C' }

/** The first failure that Postgres' programs name: later ones follow from it. */
export function firstCause(output: string): string {
  const lines = output
    .split('\n')
    .filter((line) => !/^($|pg_ctl: could not start|Examine the log)/.test(line))
  const line = lines.find((each) => /\b(PANIC|FATAL|ERROR|error):/.test(each)) ?? lines.at(-1)
  return line?.replace(/^.*?\b(PANIC|FATAL|ERROR|error): +(\w{5}: )?/, '') ?? 'no reason given'
}

/** Whom root's server runs as, since Postgres refuses root: the owner of `folder`, else a user without rights. */
export function serverUser(folder: string): SystemUser | undefined {
  if (process.getuid?.() !== 0) return undefined
  const { uid, gid } = statSync(folder)
  if (uid !== 0) return { uid, gid }
  const users = readFileSync('/etc/passwd', 'utf8')
  const entry = /^postgres:[^:]*:(\d+):(\d+)/m.exec(users) ?? /^nobody:[^:]*:(\d+):(\d+)/m.exec(users)
  return { uid: Number(entry?.[1] ?? 65_534), gid: Number(entry?.[2] ?? 65_534) }
}

/** The folder as the programs know it, who inherit it open: the folders above may be closed to root's server. */
const INHERITED = '/proc/self/fd/3'

/** Runs a Postgres program on a folder. @param log where it, and a server that it starts, writes @returns why it failed */
function run(
  program: string,
  args: readonly string[],
  { folder, user, log }: { folder: string; user: SystemUser | undefined; log?: number },
): Promise<string | undefined> {
  const descriptor = openSync(folder, 'r')
  const child = spawn(program, [...args, '-D', isLinux ? INHERITED : folder], {
    ...user,
    cwd: '/',
    env: environment,
    stdio: ['ignore', log ?? 'ignore', log ?? 'pipe', descriptor],
  })
  closeSync(descriptor)
  let output = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    output += chunk
  })
  return new Promise((done) => {
    child.once('error', (error) => done(String(error)))
    child.once('close', (code) => done(code === 0 ? undefined : output))
  })
}

/**
 * Makes a cluster beside its place and renames it when it is whole, so that a start that dies leaves no half database. Of
 * several starts at once the first wins, and the others use what it made.
 */
async function make(folder: string): Promise<void> {
  const user = serverUser(dirname(folder))
  const initdb = join(findBinaries(user, undefined), 'initdb')
  const unfinished = mkdtempSync(`${folder}.unfinished-`)
  if (user) giveTo(user, unfinished)
  try {
    const failure = await run(initdb, INITDB, { folder: unfinished, user })
    if (failure !== undefined)
      throw new StartupError(`the database in ${folder} cannot be made: ${firstCause(failure)}`)
    renameSync(unfinished, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
}

function giveTo({ uid, gid }: SystemUser, folder: string): void {
  if (statSync(folder).uid !== uid) execFileSync('chown', ['-R', `${uid}:${gid}`, folder])
}

function majorIn(folder: string): number {
  const file = join(folder, 'PG_VERSION')
  const major = existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : 0
  if (major > 0) return major
  throw new StartupError(
    `${folder} holds no database (${file} is missing or empty); put its content back, or remove the folder to begin anew`,
  )
}

export const clusterFolder = (dataDir: string): string => join(resolve(dataDir), 'postgres')

/** Opens the cluster of a data folder, making it where there is none. @throws StartupError */
export async function openCluster(dataDir: string) {
  if (process.platform === 'win32')
    throw new StartupError('on Windows the server cannot run a Postgres of its own; set DATABASE_URL')
  const folder = clusterFolder(dataDir)
  if (Buffer.byteLength(join(folder, '.s.PGSQL.5432')) > MAX_SOCKET_PATH)
    throw new StartupError(`the path of ${folder} is too long for a socket; set DATA_DIR to a shorter one`)
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 })
  if (!existsSync(folder)) await make(folder)
  const user = serverUser(statSync(folder).uid === 0 ? dirname(folder) : folder)
  if (user) giveTo(user, folder)
  const pgCtl = (args: readonly string[], log?: number) =>
    run(join(findBinaries(user, majorIn(folder)), 'pg_ctl'), args, { folder, user, ...(log && { log }) })

  return {
    folder,
    /** For `pg`: the server's Unix socket, in the folder, which its owner alone may enter. */
    connection: {
      host: folder,
      port: 5432,
      user: 'postgres',
      database: 'postgres',
      ssl: false,
    } satisfies pg.ClientConfig,
    /** Starts a server, which outlives this process, and waits until it answers. @returns why it does not start */
    async start(settings: readonly string[]): Promise<string | undefined> {
      const logFile = join(dirname(folder), 'postgres.log')
      const log = openSync(logFile, 'a', 0o600)
      try {
        const begin = fstatSync(log).size
        const options = [...SETTINGS, ...settings].map((setting) => `-c ${setting}`).join(' ')
        const failure = await pgCtl(['start', '--silent', '--wait', '-o', options], log)
        if (failure === undefined) return undefined
        const output = failure || readFileSync(logFile).toString('utf8', begin)
        return firstCause(output).replaceAll(INHERITED, folder)
      } finally {
        closeSync(log)
      }
    },
    async stop(): Promise<void> {
      await pgCtl(['stop', '--silent', '--wait', '--mode=fast'])
    },
  }
}
