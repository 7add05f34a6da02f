import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import pg from 'pg'
import { newDatabaseUrl } from '../../test/database.ts'
import { startTestApi } from '../../test/test-api.ts'
import { namedStatement } from '../database/database.ts'
import { recordChange } from './audit.ts'

/** The guide's roles: one owns the tables, and one serves. */
const url = await newDatabaseUrl(false)
const role = `serves_${process.pid}`
const guide = readFileSync(new URL('../../../docs/operate/go-live.md', import.meta.url), 'utf8')
const owner = new pg.Client(url)
await owner.connect()
const roles = guide.match(/^(CREATE ROLE event_api|ALTER DEFAULT) .*$/gm) ?? ['no such statements']
await owner.query(
  roles.join('\n').replaceAll('event_api', role).replaceAll('event_owner', 'postgres'),
)
await owner.end()

const api = await startTestApi({ url })

const change = (why: string) => ({ who: 'an', what: 'void', why })

describe('with one role that owns and another that serves', () => {
  let serving: Awaited<ReturnType<typeof startTestApi>>
  beforeAll(async () => {
    serving = await startTestApi({ url: url.replace('//postgres@', `//${role}@`) })
  })
  afterAll(async () => {
    await serving.close()
    await api.sql(`DROP OWNED BY ${role}`)
    await api.sql(`DROP ROLE ${role}`)
  })

  test.each([
    ["UPDATE audit SET why = 'nothing'", /append-only/],
    ['DELETE FROM audit WHERE false', /append-only/],
    ['TRUNCATE audit', /permission denied/],
    ['ALTER TABLE audit DISABLE TRIGGER ALL', /must be owner/],
    ['DROP FUNCTION refuse_audit_change CASCADE', /must be owner/],
    ['SET session_replication_role = replica', /permission denied/],
  ])('the serving role may not run %s', async (text, why) => {
    await recordChange(serving.database, { subject: 'file.csv' }, change('may be added'))
    await expect(serving.database.query(namedStatement(text))).rejects.toThrow(why)
  })

  test('the serving role can serve members', async () => {
    const { codes } = await serving.addHolder()
    expect(codes).toHaveLength(2)
    // pg_dump reads it.
    await serving.sql('SELECT last_value FROM audit_id_seq')
  })
})
