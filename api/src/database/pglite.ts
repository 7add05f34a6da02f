import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import pg from 'pg'
import { StartupError } from '../startup-error.ts'
import type { Database, Queryable, Statement } from './database.ts'
import { type DirectoryLock, lockDirectory } from './directory-lock.ts'
import { DurableNodeFS, durableStartParams } from './durable-filesystem.ts'
import { scheduleMaintenance } from './maintenance.ts'

/** One at a time: PGlite is one connection. */
function turnstile() {
  let last: Promise<unknown> = Promise.resolve()
  let waiting = 0
  return {
    waiting: () => waiting,
    enter<T>(work: () => Promise<T>): Promise<T> {
      waiting++
      const mine = last.then(work).finally(() => {
        waiting--
      })
      last = mine.catch(() => undefined)
      return mine
    },
  }
}

const isWrite = (text: string) => /\b(insert|update|delete)\b/i.test(text)

async function open(directory: string): Promise<PGlite> {
  if (directory === 'memory') return PGlite.create()
  return PGlite.create({ fs: new DurableNodeFS(directory), startParams: durableStartParams })
}

/**
 * Opens the embedded database, in `folder` on disk, or in memory when there is none.
 * @param onError told of failed maintenance
 * @throws StartupError when another process has the folder, or the files are not a database
 */
export async function openPglite(
  folder: string | undefined,
  onError: (error: unknown) => void,
): Promise<Database & { client: pg.ClientBase }> {
  const lock: DirectoryLock | undefined = folder === undefined ? undefined : lockDirectory(folder)
  let engine: PGlite
  try {
    engine = await open(folder === undefined ? 'memory' : join(folder, 'database'))
  } catch (error) {
    lock?.release()
    throw new StartupError(`the database in ${folder} cannot be opened: ${String(error)}`, { cause: error })
  }
  const client = new pg.Client(createPgConfig(engine))
  await client.connect()
  const turns = turnstile()

  const run = async <Row>(statement: Statement, values: readonly unknown[] = []): Promise<Row[]> => {
    const result = await client.query({ ...statement, values: [...values] })
    if (isWrite(statement.text)) maintenance.noteWrite()
    return result.rows as Row[] // the statement's author names its row type
  }
  const maintenance = scheduleMaintenance(
    () => turns.enter(async () => void (await client.query('VACUUM (ANALYZE)'))),
    onError,
  )
  const tx: Queryable = { query: run }
  let closing: Promise<void> | undefined

  return {
    engine: 'pglite',
    client,
    query: (statement, values) => turns.enter(() => run(statement, values)),
    transaction: (work) =>
      turns.enter(async () => {
        await client.query('BEGIN')
        try {
          const result = await work(tx)
          await client.query('COMMIT')
          return result
        } catch (error) {
          await client.query('ROLLBACK')
          throw error
        }
      }),
    stats: () => ({
      connections: 1,
      idle: turns.waiting() === 0 ? 1 : 0,
      waiting: Math.max(0, turns.waiting() - 1),
    }),
    close() {
      closing ??= (async () => {
        await maintenance.stop()
        await turns.enter(async () => {
          await client.end()
          await engine.close()
        })
        lock?.release()
      })()
      return closing
    },
  }
}
