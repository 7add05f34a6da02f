import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import type { ClientBase } from 'pg'

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url))

/** Any number that nothing else locks; the runner's own, so that an instance of an older version waits too. */
const LOCK = '7241865325823964'

/**
 * Brings the schema up to date, all or nothing. Instances that start together wait for each other: by a lock of the
 * transaction, since a pooler lends one session to many clients.
 */
export async function migrate(client: ClientBase): Promise<void> {
  await client.query('BEGIN')
  await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK])
  await runner({
    dbClient: client,
    dir: migrations,
    direction: 'up',
    migrationsTable: 'schema_migration',
    noLock: true,
    // Its BEGIN finds ours, and its COMMIT ends it.
    singleTransaction: true,
    checkOrder: true,
    log: () => undefined,
  })
  await client.query('COMMIT')
}
