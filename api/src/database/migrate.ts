import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { errorMessage } from '@anniversary/shared/error-message'
import { runner } from 'node-pg-migrate'
import type { ClientBase } from 'pg'
import { StartupError } from '../startup-error.ts'

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url))

const LOCK = '7241865325823964' // the runner's own

async function laterMigrations(client: ClientBase): Promise<readonly string[]> {
  const { rows } = await client.query("SELECT to_regclass('schema_migration') IS NOT NULL AS exists")
  if (!rows[0].exists) return []
  const done = await client.query<{ name: string }>('SELECT name FROM schema_migration ORDER BY id')
  return done.rows.map(({ name }) => name).filter((name) => !existsSync(join(migrations, `${name}.sql`)))
}

/**
 * Brings the schema up to date, all or nothing. Instances that start together wait for each other, by a lock of the
 * transaction: a pooler lends one session to many clients.
 * @throws StartupError
 */
export async function migrate(client: ClientBase): Promise<void> {
  let running = ''
  try {
    await client.query('BEGIN')
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
    const later = await laterMigrations(client)
    if (later.length > 0) throw new Error(`a newer version has made ${later.join(', ')}; start that version`)
    await client.query("SELECT set_config('event.tickets_per_stage', $1, true)", [String(TICKETS_PER_STAGE)])
    await runner({
      dbClient: client,
      dir: migrations,
      direction: 'up',
      migrationsTable: 'schema_migration',
      noLock: true,
      // Its BEGIN finds ours, and its COMMIT ends it.
      singleTransaction: true,
      checkOrder: true,
      log: (text) => {
        running = /^### MIGRATION (\S+)/.exec(text)?.[1]?.concat(': ') ?? running
      },
    })
    await client.query('COMMIT')
  } catch (error) {
    throw new StartupError(`the schema cannot be brought up to date: ${running}${errorMessage(error)}`, {
      cause: error,
    })
  }
}
