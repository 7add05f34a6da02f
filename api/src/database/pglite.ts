import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import pg from 'pg'
import { errorCode } from '../error-code.ts'
import { StartupError } from '../startup-error.ts'
import type { Database, Queryable, Statement } from './database.ts'
import { type DirectoryLock, lockDirectory } from './directory-lock.ts'
import { DurableNodeFS, durableStartParams } from './durable-filesystem.ts'
import { scheduleMaintenance } from './maintenance.ts'
import { turnstile } from './turnstile.ts'

interface Engine {
  readonly pglite: PGlite
  readonly client: pg.Client
}

/** Milliseconds between two attempts to start a dead engine again. */
const REVIVE_EVERY_MS = 5000
/** Statements that may wait for the one connection; more are told to come back. */
const MAX_WAITING = 1000

/** An error that callers see as "the database is away, come back" (SQLSTATE cannot_connect_now). */
const away = (message: string, cause?: unknown) =>
  Object.assign(new Error(message, { cause }), { code: '57P03' })

/**
 * True for what ends the engine: Postgres' PANIC and FATAL (a full disk under the write-ahead log, for one), and
 * anything that is no Postgres error at all, such as a trap in the wasm. The engine answers nothing afterwards.
 */
function isDeadly(error: unknown): boolean {
  if (!/^[0-9A-Z]{5}$/.test(errorCode(error) ?? '')) return true
  return (
    typeof error === 'object' &&
    error !== null &&
    'severity' in error &&
    /PANIC|FATAL/.test(String(error.severity))
  )
}

function load(
  directory: string | undefined,
  snapshot: Blob | undefined,
  onStderr: (text: string) => boolean,
) {
  const loaded = snapshot && { loadDataDir: snapshot }
  if (directory === undefined) return PGlite.create({ ...loaded })
  return PGlite.create({
    ...loaded,
    fs: new DurableNodeFS(directory),
    startParams: durableStartParams,
    onStderr,
  })
}

/**
 * Makes a database in a folder beside its place and moves it there when it is whole: a process that dies meanwhile
 * leaves nothing that the next start would take for a database. The engine that made it is closed, since it holds twice
 * the memory of one that only runs.
 */
async function make(
  directory: string,
  snapshot: Blob | undefined,
  onStderr: (text: string) => boolean,
): Promise<void> {
  const unfinished = `${directory}.unfinished`
  rmSync(unfinished, { recursive: true, force: true })
  const maker = await load(unfinished, snapshot, onStderr)
  await maker.close()
  renameSync(unfinished, directory)
}

async function startEngine(folder: string | undefined, snapshot?: Blob): Promise<Engine> {
  const said: string[] = []
  const onStderr = (text: string) => {
    said.push(text)
    return true
  }
  try {
    const directory = folder === undefined ? undefined : join(folder, 'database')
    if (directory !== undefined && !existsSync(directory)) await make(directory, snapshot, onStderr)
    const pglite = await load(directory, directory === undefined ? snapshot : undefined, onStderr)
    const client = new pg.Client(createPgConfig(pglite))
    client.on('error', () => undefined)
    await client.connect()
    return { pglite, client }
  } catch (error) {
    const reason = said.filter((line) => /PANIC|FATAL|ERROR/.test(line)).at(-1) ?? String(error)
    throw new StartupError(`the database in ${folder} cannot be opened: ${reason}`, { cause: error })
  }
}

/** The embedded database, with its one connection for work that needs it, such as migrations. */
export type EmbeddedDatabase = Database & {
  withClient<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T>
}

/**
 * Opens the embedded database, in `folder` on disk, or in memory when there is none.
 * @param onError told of failed maintenance and of an engine that died
 * @param snapshot a dump to begin a new database with, which is six times quicker than making one
 * @throws StartupError when another process has the folder, or the files are not a database
 */
export async function openPglite(
  folder: string | undefined,
  onError: (error: unknown) => void,
  snapshot?: Blob,
): Promise<EmbeddedDatabase> {
  const lock: DirectoryLock | undefined = folder === undefined ? undefined : lockDirectory(folder)
  let engine: Engine | undefined
  try {
    engine = await startEngine(folder, snapshot)
  } catch (error) {
    lock?.release()
    throw error
  }
  let revivedAt = 0
  const turns = turnstile(MAX_WAITING, () => away('too many statements wait for the database'))

  const living = async (): Promise<Engine> => {
    if (engine) return engine
    if (performance.now() - revivedAt < REVIVE_EVERY_MS) throw away('the embedded database has stopped')
    revivedAt = performance.now()
    try {
      engine = await startEngine(folder)
    } catch (error) {
      throw away('the embedded database does not start again', error)
    }
    return engine
  }
  /** Runs work on the engine; when the engine dies of it, forgets the engine: the next caller starts it again. */
  const using = async <T>(work: (client: pg.Client) => Promise<T>): Promise<T> => {
    const { client } = await living()
    try {
      return await work(client)
    } catch (error) {
      if (isDeadly(error) && folder !== undefined) {
        engine = undefined
        onError(error)
      }
      throw error
    }
  }

  const run = async <Row>(
    client: pg.Client,
    statement: Statement,
    values: readonly unknown[] = [],
  ): Promise<Row[]> => {
    const result = await client.query({ name: statement.name, text: statement.text, values: [...values] })
    if (statement.writes) maintenance.noteRows(result.rowCount ?? 0)
    return result.rows as Row[] // the statement's author names its row type
  }
  const maintenance = scheduleMaintenance(
    () => turns.enter(() => using(async (client) => void (await client.query('VACUUM (ANALYZE)')))),
    onError,
  )
  let closing: Promise<void> | undefined
  const close = async () => {
    await maintenance.stop()
    await turns.enter(async () => {
      await engine?.client.end()
      await engine?.pglite.close()
    })
    lock?.release()
  }

  return {
    engine: 'pglite',
    withClient: (work) => turns.enter(() => using(work)),
    query: (statement, values) => turns.enter(() => using((client) => run(client, statement, values))),
    transaction: (work) =>
      turns.enter(async () => {
        const { client } = await living()
        const tx: Queryable = { query: (statement, values) => using(() => run(client, statement, values)) }
        await client.query('BEGIN')
        try {
          const result = await work(tx)
          await using((same) => same.query('COMMIT'))
          return result
        } catch (error) {
          if (engine?.client === client) await client.query('ROLLBACK')
          throw error
        }
      }),
    stats: () => ({
      connections: engine ? 1 : 0,
      idle: turns.length() === 0 ? 1 : 0,
      waiting: Math.max(0, turns.length() - 1),
    }),
    close() {
      closing ??= close()
      return closing
    },
  }
}
