import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from '@jest/globals'
import pg from 'pg'
import { migrationsFolder } from '../src/build-info.ts'
import { newDatabaseUrl } from './database.ts'
import { breakingChanges, schemaFacts } from './schema-facts.ts'

const client = new pg.Client({ connectionString: await newDatabaseUrl(false) })
await client.connect()
afterAll(() => client.end())

/** Runs a migration. Returns what it breaks, by the schema before and after, and by statements that remove rows. */
async function run(sql: string): Promise<string[]> {
  const before = await schemaFacts(client)
  await client.query("SELECT set_config('event.tickets_per_stage', '6', false)")
  await client.query(sql)
  const statements = sql.replaceAll(/--.*|\/\*[\s\S]*?\*\//g, '')
  const rows = /\b(delete\s+from|truncate)\b/i.exec(statements)
  return [
    ...breakingChanges(before, await schemaFacts(client)),
    ...(rows ? [`removes rows: ${rows[0]}`] : []),
  ]
}

const [first = '', ...later] = readdirSync(migrationsFolder).sort()
test('the first migration makes the schema', async () => {
  await run(readFileSync(join(migrationsFolder, first), 'utf8'))
  expect((await schemaFacts(client)).length).toBeGreaterThan(100)
})

test('later migrations only add, unless they are called .breaking.sql', async () => {
  for (const name of later) {
    const broken = await run(readFileSync(join(migrationsFolder, name), 'utf8'))
    expect({ name, broken: name.endsWith('.breaking.sql') ? [] : broken }).toEqual({ name, broken: [] })
  }
})

describe('the check of migrations', () => {
  const tried = async (sql: string) => {
    await client.query('BEGIN')
    return run(sql).finally(() => client.query('ROLLBACK'))
  }

  test.each([
    'ALTER TABLE ticket ADD COLUMN note text',
    "ALTER TABLE ticket ADD COLUMN note text NOT NULL DEFAULT ''",
    'CREATE TABLE note (id bigint PRIMARY KEY, text text NOT NULL UNIQUE)',
    'CREATE INDEX ticket_mission ON ticket (mission)',
    'ALTER TABLE member ALTER COLUMN account SET STATISTICS 1000',
    '-- DROP TABLE ticket, TRUNCATE ticket',
  ])('allows %s', async (sql) => {
    expect(await tried(sql)).toEqual([])
  })

  test.each([
    ['DROP TABLE login_attempt', 'removes relation login_attempt'],
    ['ALTER TABLE ticket RENAME COLUMN voided_at TO void_at', 'removes column ticket.voided_at'],
    ['ALTER TABLE ticket RENAME TO lottery_ticket', 'removes relation ticket'],
    [
      "DO $$ BEGIN EXECUTE 'ALTER TABLE member DROP ' || 'bank_hash'; END $$",
      'removes column member.bank_hash',
    ],
    ['ALTER TABLE member ALTER account TYPE varchar(20)', 'removes column member.account text'],
    ['ALTER TABLE member ALTER banned_at SET NOT NULL', 'tightens: column member.banned_at'],
    ['ALTER TABLE member ADD nick text NOT NULL', 'tightens: column member.nick text NOT NULL'],
    ['ALTER TABLE member ALTER address_required DROP DEFAULT', 'removes column member.address_required'],
    ["ALTER TABLE member ADD CHECK (account <> '')", 'tightens: constraint on member'],
    ['CREATE UNIQUE INDEX one ON ticket (member_id)', 'tightens: index CREATE UNIQUE INDEX one'],
    ['DROP INDEX session_member', 'removes index CREATE INDEX session_member'],
    ['DROP FUNCTION event_time CASCADE', 'removes CREATE OR REPLACE FUNCTION public.event_time'],
    ['TRUNCATE login_attempt', 'removes rows: TRUNCATE'],
  ])('rejects %s', async (sql, line) => {
    expect((await tried(sql)).join('\n')).toContain(line)
  })
})
