import { expect, test } from '@jest/globals'
import pg from 'pg'
import { newDatabaseUrl } from '../../test/database.ts'
import { checkPooler } from './postgres.ts'

const REFUSED =
  /^the connection pooler before the database does not keep prepared statements: use PgBouncer 1\.21 or/

// An old PgBouncer lends a connection to one client after the other, whatever they have prepared.
test.each([
  {
    what: 'knows a statement of another client',
    text: 'PREPARE "pooler-check" AS SELECT 2',
    isPrepared: false,
  },
  { what: 'has lost one of its client', text: 'DEALLOCATE ALL', isPrepared: true },
])('a start is refused where a connection $what', async ({ text, isPrepared }) => {
  const pool = new pg.Pool({ connectionString: await newDatabaseUrl() })
  // Before the check's own queries, which wait for these.
  pool.on('connect', (client) => {
    const own = isPrepared && client.query({ name: 'pooler-check', text: 'SELECT 1' })
    Promise.all([own, client.query(text)]).catch(() => undefined)
  })
  await expect(checkPooler(pool)).rejects.toThrow(REFUSED)
  await pool.end()
})
