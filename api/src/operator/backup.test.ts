import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { newDatabase } from '../../test/database.ts'
import { newFolder } from '../../test/folder.ts'
import { startTestApi } from '../../test/test-api.ts'
import { type Database, statement } from '../database/database.ts'
import { ban } from '../use-cases/corrections.ts'
import { readAudit, recordChange } from './audit.ts'
import { dump, load, TABLES } from './backup.ts'
import { readLines, writeLines } from './backup-file.ts'

const api = await startTestApi()
afterAll(() => api.close())

describe('a backup', () => {
  const folder = newFolder()
  const file = join(folder, 'first.backup')
  let claimed: string[]
  const token: Record<string, string> = {}

  const restore = (target: Database, path: string, replace = false) =>
    target.transaction((tx) => load(tx, readLines(path), replace))
  const count = async (database: Database, table: string) =>
    (
      await database.query<{ n: number }>(
        statement(`test-count-${table}`, `SELECT count(*)::int AS n FROM ${table}`),
      )
    )[0]?.n

  beforeAll(async () => {
    for (let i = 0; i < 60; i++) {
      const member = await api.addSession({ account: `Số\u2028 ${i}` })
      token[member.account] = member.token
      await api.act(member.account, ['2025-08-11', 'deposit', 300], ['2025-08-11', 'bet', 5000])
    }
    await recordChange(api.database, { subject: 'x' }, { who: 'an', what: 'unlock' })
    const tokens = Object.values(token)
    const codes = async (each: string[], mission: string) =>
      (await Promise.all(each.map((t) => api.claim(t, mission)))).flatMap(({ body }) => body.data)
    claimed = await codes(tokens, 'NAP_300')
    // Claims go on while it is taken: after their missions were read, and before their tickets.
    async function* meanwhile(lines: AsyncIterable<string>) {
      for await (const line of lines) {
        yield line
        if (line.startsWith('member_mission')) await codes(tokens, 'CUOC_5000')
      }
    }
    await api.database.transaction((tx) => writeLines(file, meanwhile(dump(tx, ['pepper-of-the-tests']))))
  })

  test('taken under claims is whole elsewhere: it verifies, it has all that was answered before, and claims go on', async () => {
    const target = await newDatabase()
    const header = await restore(target, file)
    expect(header.peppers).toEqual(['pepper-of-the-tests'])
    const codes = await target.query<{ code: string }>(statement('test-codes', 'SELECT code FROM ticket'))
    expect(codes.map(({ code }) => code).sort()).toEqual(claimed.sort())
    const moved = await startTestApi({ database: target })
    const member = await moved.addSession()
    await moved.act(member.account, ['2025-08-11', 'deposit', 300])
    expect((await moved.claim(member.token, 'NAP_300')).body.data).toHaveLength(1)
    const [account = '', session] = Object.entries(token)[0] ?? []
    expect((await moved.call({ url: '/api/client/history', token: session ?? '' })).status).toBe(200)
    expect((await moved.login(account)).status).toBe(200)
    await moved.close()
  })

  test('is for its owner alone, and overwrites no file', async () => {
    expect(statSync(file).mode & 0o777).toBe(0o600)
    await expect(api.database.transaction((tx) => writeLines(file, dump(tx)))).rejects.toThrow(
      'exists already; give another name',
    )
  })

  test('is refused by a database with members, unless it may replace them; the audit is kept', async () => {
    const target = await newDatabase()
    await restore(target, file)
    await target.transaction(async (tx) => {
      const change = await ban(tx, [Object.keys(token)[0] ?? ''])
      await recordChange(tx, change, { who: 'an', what: 'ban' })
    })
    await expect(restore(target, file)).rejects.toThrow('the database has members already')
    expect(await count(target, 'member WHERE banned_at IS NOT NULL')).toBe(1)
    await restore(target, file, true)
    expect(await count(target, 'member WHERE banned_at IS NOT NULL')).toBe(0)
    expect((await readAudit(target, null)).map(({ what }) => what)).toEqual(['ban', 'unlock'])
    await target.close()
  })

  describe('that is not whole is refused in one line, and loses nothing:', () => {
    let target: Database
    beforeAll(async () => {
      target = await newDatabase()
      await restore(target, file)
    })
    afterAll(() => target.close())

    const edited = (edit: (text: string) => string) => () =>
      gzipSync(edit(gunzipSync(readFileSync(file)).toString()))
    test.each<[string, () => Buffer, RegExp]>([
      ['empty', () => Buffer.alloc(0), /^it is cut off$/],
      ['no backup', () => Buffer.from('username,last_bank_number\n'), /^it is damaged, or no backup$/],
      ['of another program', () => gzipSync('{"a":1}\n'), /^it is no backup of this program$/],
      ['cut off', () => readFileSync(file).subarray(0, -9000), /^it is cut off$/],
      ['without its last byte', () => readFileSync(file).subarray(0, -1), /^it is cut off$/],
      ['without its last line', edited((text) => text.replace(/end\t.*\n/, '')), /^it is cut off$/],
      [
        'damaged',
        () => {
          const bytes = readFileSync(file)
          bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 255, bytes.length >> 1)
          return bytes
        },
        /^it is damaged, or no backup$/,
      ],
      [
        'of another schema',
        edited((text) => text.replace(/"schema":"\w+/, '"schema":"0001_first')),
        /^it was made at schema 0001_first[\w-]*, and this program is at \w+/,
      ],
      [
        'changed by hand',
        edited((text) => text.replace(/"deposit_total":300/, '"deposit_total":301')),
        /^stage_activity arrived differently: /,
      ],
      [
        'lacking a row',
        edited((text) => text.replace(/ticket\t\[\{.*?\},/, 'ticket\t[')),
        /arrived differently/,
      ],
    ])('%s', async (_what, content, message) => {
      const path = join(folder, 'wrong.backup')
      writeFileSync(path, content())
      const before = await count(target, 'ticket')
      await expect(restore(target, path, true)).rejects.toThrow(message)
      expect(await count(target, 'ticket')).toBe(before)
      expect(before).toBeGreaterThan(0)
    })

    test('not there', async () => {
      await expect(restore(target, join(folder, 'nothing'), true)).rejects.toThrow('there is no such file')
    })
  })

  test('holds every table but limits, failed logins and reports', async () => {
    const rows = await api.sql<{ name: string }>(
      `SELECT relname AS name FROM pg_class
       WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = current_schema()::regnamespace
         AND relname NOT IN ('schema_migration', 'login_attempt', 'rate_limit', 'view_count', 'remote_error')`,
    )
    expect(rows.map(({ name }) => name).sort()).toEqual([...TABLES].sort())
  })
})
