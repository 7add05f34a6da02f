import { fileURLToPath } from 'node:url'
import { runner } from 'node-pg-migrate'
import type { ClientBase } from 'pg'

const migrations = fileURLToPath(new URL('../../migrations', import.meta.url))

/**
 * Brings the schema up to date. Instances that start together wait for each other: the advisory lock of the default
 * mode makes all but one fail.
 */
export async function migrate(client: ClientBase): Promise<void> {
  await runner({
    dbClient: client,
    dir: migrations,
    direction: 'up',
    migrationsTable: 'schema_migration',
    advisoryLockMode: 'wait',
    checkOrder: true,
    log: () => undefined,
  })
}
