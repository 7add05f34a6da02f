import { readdirSync, readFileSync } from 'node:fs'
import { TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { errorMessage } from '@anniversary/shared/error-message'
import type { ClientBase } from 'pg'
import { StartupError } from '../startup-error.ts'

const FOLDER = new URL('../../migrations/', import.meta.url)
/** Any number that nothing else locks in this database. */
const LOCK = '7241865325823964'

async function readDone(client: ClientBase): Promise<readonly string[]> {
  const { rows } = await client.query("SELECT to_regclass('schema_migration') IS NOT NULL AS exists")
  if (!rows[0].exists) return []
  return (await client.query('SELECT name FROM schema_migration ORDER BY name')).rows.map(({ name }) => name)
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
    const done = await readDone(client)
    const names = readdirSync(FOLDER)
      .map((file) => file.replace('.sql', ''))
      .sort()
    const later = done.filter((name) => !names.includes(name))
    if (later.length > 0) throw new Error(`a newer version has made ${later.join(', ')}; start that version`)
    await client.query("SELECT set_config('event.tickets_per_stage', $1, true)", [String(TICKETS_PER_STAGE)])
    for (const name of names.filter((each) => !done.includes(each))) {
      running = `${name}: `
      await client.query(readFileSync(new URL(`${name}.sql`, FOLDER), 'utf8'))
      await client.query('INSERT INTO schema_migration (name, run_on) VALUES ($1, now())', [name])
    }
    await client.query('COMMIT')
  } catch (error) {
    throw new StartupError(`the schema cannot be brought up to date: ${running}${errorMessage(error)}`, {
      cause: error,
    })
  }
}
