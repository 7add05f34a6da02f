import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { errorCode } from '@anniversary/shared/error-code'
import { errorMessage } from '@anniversary/shared/error-message'
import { runner } from 'node-pg-migrate'
import type { ClientBase } from 'pg'
import { migrationsFolder } from '../build-info.ts'
import { StartupError } from '../startup-error.ts'

const RUNNER_LOCK = '7241865325823964' // the runner's own
export const LOCK_NOT_AVAILABLE = '55P03'

/** A migration that waits for a lock holds up every claim behind it. */
const ATTEMPTS = { tries: 10, lockMs: 1000, pauseMs: 1000 }

interface MigrateOptions extends Partial<typeof ATTEMPTS> {
  readonly folder?: string
}

/**
 * Throws when a newer version has removed something (`NNNN_name.breaking.sql`).
 * All other migrations only add, which api/test/migrations.test.ts checks.
 */
async function checkNewerMigrations(client: ClientBase, folder: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'SELECT name FROM schema_migration ORDER BY id',
  )
  const breaking = rows.filter(
    ({ name }) => name.endsWith('.breaking') && !existsSync(join(folder, `${name}.sql`)),
  )
  if (breaking.length > 0)
    throw new Error(
      `a newer version has made ${breaking.map(({ name }) => name).join(', ')}; start that version`,
    )
}

async function hasSchema(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query(
    "SELECT to_regclass('schema_migration') IS NOT NULL AS exists",
  )
  return rows[0].exists
}

/** @throws StartupError when this version does not understand the schema */
export async function checkSchema(client: ClientBase): Promise<void> {
  if (!(await hasSchema(client)))
    throw new StartupError(
      'this database has no schema; check DATABASE_URL, or run "event migrate"',
    )
  await checkNewerMigrations(client, migrationsFolder).catch((error: unknown) => {
    throw new StartupError(errorMessage(error), { cause: error })
  })
}

async function oldestHolder(client: ClientBase): Promise<string> {
  const { rows } = await client.query<{ holder: string }>(
    `SELECT format('process %s (%s of %s) has held a lock on %s since %s',
       a.pid, a.application_name, a.usename,
        l.relation::regclass, to_char(a.xact_start, 'HH24:MI:SS TZ')) AS holder
     FROM pg_locks l JOIN pg_stat_activity a USING (pid)
     WHERE l.granted AND l.pid <> pg_backend_pid() AND a.datname = current_database()
       AND l.relation IN (SELECT oid FROM pg_class WHERE relnamespace = 'public'::regnamespace
         AND relkind = 'r')
     ORDER BY a.xact_start LIMIT 1`,
  )
  return rows[0]?.holder ?? 'its holder has ended meanwhile'
}

/** @param onMigration called with each name */
async function runMissing(
  client: ClientBase,
  folder: string,
  lockMs: number,
  onMigration: (name: string) => void,
) {
  await client.query('BEGIN')
  // The lock of servers that start together belongs to the transaction, since
  // poolers share sessions.
  await client.query('SELECT pg_advisory_xact_lock($1)', [RUNNER_LOCK])
  await client.query("SELECT set_config('lock_timeout', $1, true)", [`${lockMs}ms`])
  if (await hasSchema(client)) await checkNewerMigrations(client, folder)
  await client.query("SELECT set_config('event.tickets_per_stage', $1, true)", [
    String(TICKETS_PER_STAGE),
  ])
  await runner({
    dbClient: client,
    dir: folder,
    direction: 'up',
    migrationsTable: 'schema_migration',
    noLock: true,
    // The runner's BEGIN is ignored inside our transaction, and its COMMIT ends
    // it.
    singleTransaction: true,
    checkOrder: true,
    log(text) {
      const name = /^### MIGRATION (\S+)/.exec(text)?.[1]
      if (name) onMigration(name)
    },
  })
  await client.query('COMMIT')
}

/**
 * Brings the schema up to date, all or nothing.
 * @returns the names of the migrations that were missing
 * @throws StartupError, which names who holds a lock that was not granted
 */
export async function migrateSchema(
  client: ClientBase,
  options: MigrateOptions = {},
): Promise<readonly string[]> {
  const { folder = migrationsFolder, tries, lockMs, pauseMs } = { ...ATTEMPTS, ...options }
  for (let failures = 1; ; failures++) {
    const names: string[] = []
    try {
      await runMissing(client, folder, lockMs, (name) => names.push(name))
      return names
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined)
      const isLocked = errorCode(error) === LOCK_NOT_AVAILABLE
      if (!isLocked || failures === tries) {
        const holder = isLocked ? `; ${await oldestHolder(client)}; let it end, then repeat` : ''
        const place = names.length > 0 ? `${names.at(-1)}: ` : ''
        throw new StartupError(
          `the schema cannot be brought up to date: ${place}${errorMessage(error)}${holder}`,
          { cause: error },
        )
      }
      await sleep(pauseMs)
    }
  }
}
