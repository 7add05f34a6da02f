import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { expect, test } from '@jest/globals'
import pg from 'pg'
import { newDatabaseUrl } from '../../test/database.ts'
import { openDatabase } from './open.ts'
import { checkPooler } from './pooler.ts'

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

test('a start is refused, with the same advice, where our settings of a connection are', async () => {
  const fields = 'SFATAL\0C08P01\0Munsupported startup parameter: statement_timeout\0\0'
  const refusal = Buffer.from(`E....${fields}`)
  refusal.writeInt32BE(refusal.length - 1, 1)
  const pooler = createServer((client) => client.once('data', () => client.end(refusal)))
  await once(pooler.listen(0, '127.0.0.1'), 'listening')
  const { port } = pooler.address() as AddressInfo // listening on a port, not a pipe
  const url = `postgres://an@127.0.0.1:${port}/pooled`
  await expect(openDatabase({ url }, () => undefined)).rejects.toThrow(REFUSED)
  pooler.close()
})
