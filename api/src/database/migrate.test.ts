import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from '@jest/globals'
import pg from 'pg'
import { newDatabaseUrl } from '../../test/database.ts'
import { newFolder } from '../../test/folder.ts'
import { migrationsFolder } from '../build-info.ts'
import { checkSchema, migrateSchema } from './migrate.ts'

const folder = newFolder()
cpSync(migrationsFolder, folder, { recursive: true })
writeFileSync(
  join(folder, '0999_note.sql'),
  '-- Up Migration\nALTER TABLE ticket ADD COLUMN note text;\n',
)

const clients: pg.Client[] = []
afterEach(() => Promise.all(clients.splice(0).map((client) => client.end())))
async function connect(connectionString: string) {
  const client = new pg.Client({ connectionString, application_name: 'pg_dump' })
  await client.connect()
  clients.push(client)
  return client
}

test('a migration waits for a lock, then names its holder', async () => {
  const url = await newDatabaseUrl()
  const [client, reader, claim] = await Promise.all([connect(url), connect(url), connect(url)])
  await reader.query('BEGIN; SELECT FROM ticket')
  const { rows } = await reader.query('SELECT pg_backend_pid() AS pid')
  await expect(migrateSchema(client, { folder, tries: 3, lockMs: 50, pauseMs: 1 })).rejects.toThrow(
    new RegExp(
      `^the schema cannot be brought up to date: 0999_note: canceling statement due to lock timeout; process ${rows[0].pid} \\(pg_dump of postgres\\) has held a lock on ticket since [^;]+; let it end, then repeat$`,
    ),
  )
  const migrating = migrateSchema(client, { folder, tries: 1000, lockMs: 50, pauseMs: 50 })
  // For one attempt at most, as a claim does.
  const waiting = "SELECT FROM pg_locks WHERE NOT granted AND relation = 'ticket'::regclass"
  while ((await reader.query(waiting)).rowCount === 0);
  await claim.query('SELECT FROM ticket')
  await reader.query('COMMIT')
  expect(await migrating).toEqual(['0999_note'])
})

test('an older version starts on a newer schema that only adds', async () => {
  const client = await connect(await newDatabaseUrl())
  expect(await migrateSchema(client, { folder })).toEqual(['0999_note'])
  expect(await migrateSchema(client)).toEqual([])
  await checkSchema(client)
})
