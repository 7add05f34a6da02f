import { errorCode } from '@anniversary/shared/error-code'
import type pg from 'pg'
import { StartupError } from '../startup-error.ts'

/** A prepared statement that the server does not know, or knows already: another client's connection got it. */
const MIXED_UP: readonly unknown[] = ['26000', '42P05']

/** A pooler refuses startup parameters that it cannot keep for each client. */
const isRefusal = (error: unknown) =>
  error instanceof Error && error.message.startsWith('unsupported startup parameter')

const REFUSAL =
  'the connection pooler before the database does not keep prepared statements: use PgBouncer 1.21 or newer with ' +
  'pool_mode = transaction, max_prepared_statements = 200 and ignore_startup_parameters = statement_timeout, or ' +
  'connect to Postgres itself'

/**
 * Runs a named statement on two connections in turns. A pooler gives both the same server connection; an old one does
 * not know which client has prepared what, and answers would fail at random.
 * @throws StartupError when they do
 */
export async function checkPooler(pool: pg.Pool): Promise<void> {
  const clients: pg.PoolClient[] = []
  try {
    clients.push(await pool.connect(), await pool.connect())
    for (let turn = 0; turn < 3; turn++)
      for (const client of clients) await client.query({ name: 'pooler-check', text: 'SELECT 1' })
  } catch (error) {
    if (!isRefusal(error) && !MIXED_UP.includes(errorCode(error))) throw error
    throw new StartupError(REFUSAL, { cause: error })
  } finally {
    for (const client of clients) client.release()
  }
}
