import { createHash, randomBytes } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { type Database, namedStatement, type Queryable } from '../src/database/database.ts'
import { openManagedServer } from '../src/database/managed/server.ts'
import { openPostgres } from '../src/database/postgres.ts'

const checkout = fileURLToPath(new URL('../..', import.meta.url))
const hash = createHash('sha256').update(checkout).digest('hex').slice(0, 12)
/** Its path is short, since it holds a socket. */
const folder = join(tmpdir(), `anniversary-tests-${userInfo().uid}-${hash}`)
const SETTINGS = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'max_connections=1000',
  // Its folder stays, so that the next run starts soon.
  'max_wal_size=64MB',
]

async function openServer() {
  const open = () => openManagedServer(folder, SETTINGS)
  try {
    return await open()
  } catch {
    // Another major version or a power cut may have left it.
    rmSync(folder, { recursive: true, force: true })
    return open()
  }
}

/**
 * Joins the server of another run, if any. Names of databases begin with this
 * process's id, so that a later run finds and drops those of a killed one.
 */
export async function startTestServer() {
  const server = await openServer()
  const { user, host, port } = server.connection
  const origin = `postgres://${user}@${encodeURIComponent(host)}:${port}/`
  const client = new pg.Client({ connectionString: `${origin}postgres` })
  await client.connect()
  const drop = async (isOld: (run: number) => boolean) => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT datname AS name FROM pg_database WHERE starts_with(datname, 'test_')`,
    )
    for (const { name } of rows)
      if (isOld(Number(name.split('_')[1])))
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
  }
  await drop((run) => run === process.pid || !existsSync(`/proc/${run}`))
  const template = `test_${process.pid}_template`
  await client.query(`CREATE DATABASE ${template}`)
  await (await openPostgres({ connectionString: origin + template }, console.error)).close()
  process.env.TEST_TEMPLATE = origin + template
  return {
    async stop() {
      await drop((run) => run === process.pid)
      await client.end()
      await server.close()
    },
  }
}

/** @param isMigrated false: without a schema */
export async function newDatabaseUrl(isMigrated = true): Promise<string> {
  const { TEST_TEMPLATE: url } = process.env
  if (!url) throw new Error('no test server: run through Jest, whose global setup starts it')
  const template = new URL(url).pathname.slice(1)
  const name = template.replace('template', randomBytes(6).toString('hex'))
  const client = new pg.Client({ connectionString: new URL('postgres', url).href })
  await client.connect()
  await client.query(`CREATE DATABASE ${name} TEMPLATE ${isMigrated ? template : 'template0'}`)
  await client.end()
  return new URL(name, url).href
}

/** Without a URL, statements have minutes, since a busy machine is slow. */
export async function newDatabase(url?: string): Promise<Database> {
  const connectionString =
    url ?? `${await newDatabaseUrl()}?statement_timeout=120000&query_timeout=125000`
  return openPostgres({ connectionString }, () => undefined)
}

/** Statements that wait for locks. */
export const WAITING =
  "FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"

export function locksOf(database: Database) {
  /** Runs `work` in a transaction after `text`, such as a lock. */
  const holding = <T>(text: string, work: () => Promise<T>) =>
    database.transaction(async (tx) => {
      await tx.query(namedStatement(text))
      return work()
    })

  /** Waits until so many statements wait for locks, or are `over`. */
  const untilLocked = async (count: number, over = () => 0): Promise<void> => {
    const waiting = namedStatement(`SELECT ${WAITING}`)
    while (over() + (await database.query(waiting)).length < count) await sleep(5)
  }

  /**
   * Begins calls when a transaction has done its work, and commits when they
   * wait for it or are over.
   */
  async function during<T>(
    work: (tx: Queryable) => Promise<unknown>,
    begin: () => readonly Promise<T>[],
  ): Promise<T[]> {
    const { calls } = await database.transaction(async (tx) => {
      await work(tx)
      let over = 0
      const calls = begin().map((call) => call.finally(() => over++))
      await untilLocked(calls.length, () => over)
      return { calls: Promise.all(calls) }
    })
    return calls
  }

  return { holding, untilLocked, during }
}
