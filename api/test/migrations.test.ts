import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, expect, test } from '@jest/globals'
import pg from 'pg'
import { migrationsFolder } from '../src/build-info.ts'
import { newDatabaseUrl } from './database.ts'

const client = new pg.Client({ connectionString: await newDatabaseUrl(false) })
await client.connect()
afterAll(() => client.end())

const FACTS = `
WITH own AS (SELECT * FROM pg_class WHERE relnamespace = 'public'::regnamespace)
SELECT relname AS "table", format('relation %s %s', relname, relkind) AS fact FROM own WHERE relkind <> 'i'
UNION ALL SELECT relname, format('grants on %s: %s', relname, acl) FROM own, unnest(relacl::text[]) AS acl
UNION ALL SELECT relname, format('column %s.%s %s%s%s', relname, attname, format_type(atttypid, atttypmod),
    CASE WHEN attnotnull THEN ' NOT NULL' END, CASE WHEN atthasdef OR attidentity <> '' THEN ' with default' END)
  FROM pg_attribute a JOIN own ON own.oid = a.attrelid WHERE attnum > 0 AND NOT attisdropped AND relkind <> 'i'
UNION ALL SELECT conrelid::regclass::text, format('constraint on %s: %s', conrelid::regclass, pg_get_constraintdef(oid))
  FROM pg_constraint WHERE connamespace = 'public'::regnamespace AND contype <> 'n' -- of Postgres 18; columns say it too
UNION ALL SELECT tablename, 'index ' || indexdef FROM pg_indexes WHERE schemaname = 'public'
UNION ALL SELECT tgrelid::regclass::text, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
UNION ALL SELECT NULL, pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace AND prokind <> 'a'
UNION ALL SELECT NULL, format('enum %s: %s', enumtypid::regtype, enumlabel) FROM pg_enum`
const readFacts = async () =>
  (await client.query<{ table: string | null; fact: string }>(FACTS)).rows

/** Forbids what the version before does. */
const TIGHTENS = /^(constraint|CREATE .*TRIGGER|index CREATE UNIQUE)|^column .* NOT NULL$/

/**
 * Returns what the migration breaks, by both schemas and by statements that
 * remove rows.
 */
async function run(sql: string): Promise<string> {
  const before = await readFacts()
  await client.query("SELECT set_config('event.tickets_per_stage', '6', false)")
  await client.query(sql)
  const after = await readFacts()
  const [known, left] = [before, after].map((facts) => new Set(facts.map(({ fact }) => fact)))
  const tables = new Set(before.map(({ table }) => table))
  const removed = before.filter(({ fact }) => !left?.has(fact)).map(({ fact }) => `removes ${fact}`)
  const tightened = after
    .filter(({ table, fact }) => !known?.has(fact) && tables.has(table) && TIGHTENS.test(fact))
    .map(({ fact }) => `tightens ${fact}`)
  const rows = /\b(delete\s+from|truncate)\b/i.exec(sql.replaceAll(/--.*|\/\*[\s\S]*?\*\//g, ''))
  return [...removed, ...tightened, ...(rows ? [`removes rows: ${rows[0]}`] : [])].join('\n')
}

test('migrations only add, unless they are called .breaking.sql', async () => {
  const [first = '', ...later] = readdirSync(migrationsFolder).sort()
  await run(readFileSync(join(migrationsFolder, first), 'utf8'))
  for (const name of later) {
    const broken = await run(readFileSync(join(migrationsFolder, name), 'utf8'))
    expect({ name, broken: name.endsWith('.breaking.sql') ? '' : broken }).toEqual({
      name,
      broken: '',
    })
  }
  expect((await readFacts()).length).toBeGreaterThan(100)
})

test.each([
  ['ALTER TABLE ticket ADD COLUMN note text', ''],
  ["ALTER TABLE ticket ADD COLUMN note text NOT NULL DEFAULT ''", ''],
  ['CREATE TABLE note (id bigint PRIMARY KEY, text text NOT NULL UNIQUE)', ''],
  ['CREATE INDEX ticket_mission ON ticket (mission) -- DROP TABLE ticket, TRUNCATE ticket', ''],
  ['DROP TABLE login_attempt', 'removes relation login_attempt'],
  ['ALTER TABLE ticket RENAME COLUMN voided_at TO void_at', 'removes column ticket.voided_at'],
  ['ALTER TABLE ticket RENAME TO lottery_ticket', 'removes relation ticket'],
  [
    "DO $$ BEGIN EXECUTE 'ALTER TABLE member DROP ' || 'bank_hash'; END $$",
    'removes column member.bank_hash',
  ],
  ['ALTER TABLE member ALTER account TYPE varchar(20)', 'removes column member.account text'],
  ['ALTER TABLE member ALTER banned_at SET NOT NULL', 'tightens column member.banned_at'],
  ['ALTER TABLE member ADD nick text NOT NULL', 'tightens column member.nick text NOT NULL'],
  [
    'ALTER TABLE member ALTER address_required DROP DEFAULT',
    'removes column member.address_required',
  ],
  ["ALTER TABLE member ADD CHECK (account <> '')", 'tightens constraint on member'],
  ['CREATE UNIQUE INDEX one ON ticket (member_id)', 'tightens index CREATE UNIQUE INDEX one'],
  ['DROP FUNCTION event_time CASCADE', 'removes CREATE OR REPLACE FUNCTION public.event_time'],
  ['TRUNCATE login_attempt', 'removes rows: TRUNCATE'],
])('the check of %j finds %j', async (sql, found) => {
  await client.query('BEGIN')
  const broken = await run(sql).finally(() => client.query('ROLLBACK'))
  if (found) expect(broken).toContain(found)
  else expect(broken).toBe('')
})
