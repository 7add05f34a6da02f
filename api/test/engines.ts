import { randomBytes } from 'node:crypto'
import pg from 'pg'
import type { Database } from '../src/database/database.ts'
import { openDatabase } from '../src/database/open.ts'
import { pgliteSnapshot } from './pglite-snapshot.ts'

export type Engine = Database['engine']

/** Engines of this run: both, unless TEST_ENGINES names one. */
export const engines: readonly Engine[] = (['pglite', 'postgres'] as const).filter((engine) =>
  (process.env.TEST_ENGINES ?? 'pglite,postgres').split(',').includes(engine),
)

/** A new, empty database on the server of TEST_DATABASE_URL, which the global setup starts. @returns its URL */
export async function newPostgresDatabase(): Promise<string> {
  const server = process.env.TEST_DATABASE_URL
  if (!server)
    throw new Error('TEST_DATABASE_URL is not set: run through Jest, whose global setup starts a server')
  const name = `test_${randomBytes(6).toString('hex')}`
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  await client.query(`CREATE DATABASE ${name}`)
  await client.end()
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** A migrated, empty database: PGlite in memory, or a new one on the Postgres server. */
export async function newDatabase(engine: Engine): Promise<Database> {
  const place =
    engine === 'postgres' ? { url: await newPostgresDatabase() } : { snapshot: await pgliteSnapshot() }
  return openDatabase(place, (error) => console.error(error))
}

/** Puts an empty, migrated database into a data folder: making one takes seconds, unpacking a dump does not. */
export async function seedFolder(folder: string): Promise<void> {
  const snapshot = await pgliteSnapshot()
  if (!snapshot) return
  const database = await openDatabase({ folder, snapshot }, (error) => console.error(error))
  await database.close()
}
