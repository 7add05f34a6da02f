import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from '@jest/globals'
import { newFolder } from '../../test/folder.ts'
import { startTestApi } from '../../test/test-api.ts'
import { type Database, statement } from '../database/database.ts'
import { dryRun, type Importer, importFile } from './import-file.ts'
import { activityImporter, drawImporter, memberImporter } from './importers.ts'
import { type Finding, verify } from './verify.ts'

const folder = newFolder()
const api = await startTestApi()
afterAll(() => api.close())

describe("the operator's work", () => {
  const path = join(folder, 'file.csv')
  const report = join(folder, 'refused.csv')
  const load = async (importer: Importer<object>, text: string) => {
    writeFileSync(path, text)
    const summary = await importFile(path, report, importer, async () => undefined)
    return { ...summary, report: existsSync(report) ? readFileSync(report, 'utf8') : '' }
  }
  const members = () => memberImporter(api.database, api.loginKeys)
  const activity = () => activityImporter(api.database, api.now)
  const draw = () => drawImporter(api.database)
  /** The broken invariants. */
  const findings = async (database: Database = api.database) => {
    const found: Finding[] = []
    await verify(database, (finding) => found.push(finding))
    return found.filter(({ broken }) => broken > 0)
  }

  describe('import members', () => {
    test('adds them, refuses bad lines by number and reason, and changes nothing the second time', async () => {
      const text = [
        '\uFEFFusername,last_bank_number,address_required',
        'Nguyễn01,0042,1',
        'nguyen02,1234,',
        'ab,1234,0',
        'nguyen03,42,0',
        'nguyen04,1234,perhaps',
        'nguyen05,1234',
        '"nguyen06,1234,0',
      ].join('\n')
      const first = await load(members(), text)
      expect(first).toMatchObject({ accepted: 2, repeated: 0 })
      expect(first.report.split('\n').slice(0, 5)).toEqual([
        'line,reason',
        expect.stringMatching(/^4,"username: /),
        '5,"last_bank_number: must be 4 digits"',
        '6,"address_required: must be 0 or 1"',
        '7,"has 2 fields instead of 3"',
      ])
      expect(first.report).toMatch(/\n8,"not CSV: /)
      expect(first.report).not.toContain('1234')
      expect((await api.login('NGUYỄN01', '0042')).body.data).toMatchObject({ required_address: true })
      expect(await load(members(), text)).toMatchObject({ accepted: 0, repeated: 2 })
    })

    test('of new digits lets the new ones in, and ends the sessions of the old', async () => {
      const account = await api.addMember({ addressRequired: true })
      const token = (await api.login(account)).body.data.sign
      const renewed = await load(members(), `last_bank_number,username\n5678,${account}\n`)
      expect(renewed).toMatchObject({ accepted: 1, refused: 0, report: '' })
      expect((await api.call({ url: '/api/client/info', token })).status).toBe(401)
      expect((await api.login(account, '1234')).body.data).toEqual({})
      expect((await api.login(account, '5678')).body.data).toMatchObject({ required_address: true })
    })

    test('two lines of one account that differ: the second is refused and names the first', async () => {
      const text = 'username,last_bank_number\nOk01,1234\nother,1234\nok01,9999\nOK01,1234\n'
      const imported = await load(members(), text)
      expect(imported).toMatchObject({ accepted: 2, repeated: 1, refused: 1 })
      expect(imported.report).toBe('line,reason\n4,"username: line 2 says otherwise"\n')
      expect((await api.login('ok01', '1234')).body.data.sign).toBeTruthy()
    })

    test.each([
      ['', 'the file is empty; it needs a header: username,last_bank_number'],
      ['username|last_bank_number\n', 'the header lacks: username, last_bank_number'],
      ['username,last_bank_number,username\n', 'the header has username twice'],
    ])('of %j says what is wrong with it', async (text, message) => {
      await expect(load(members(), text)).rejects.toThrow(message)
    })
  })

  test('a dry run says what an import would do, across batches, and changes nothing', async () => {
    const [one, two] = [await api.addSession(), await api.addSession()]
    const lines = Array.from(
      { length: 1001 },
      (_, i) => `trial,${i % 1000},${one.account},deposit,1,2025-08-11T09:00:00+07:00,`,
    )
    lines.push(`trial,x,${two.account},bet,5000,2025-08-11T09:00:00+07:00,`)
    const text = `source,ref,username,kind,amount,occurred_at,reverses\n${lines.join('\n')}\n`
    const tried = await dryRun(api.database, (database) => load(activityImporter(database, api.now), text))
    expect(tried).toMatchObject({ accepted: 1001, repeated: 1, refused: 0 })
    expect(await api.sql("SELECT FROM activity WHERE source = 'trial'")).toEqual([])
    expect(await load(activity(), text)).toMatchObject({ accepted: 1001, repeated: 1 })
  })

  test('import activity takes what the call takes, across batches, and nothing twice', async () => {
    const sessions = await Promise.all([api.addSession(), api.addSession()])
    const [one, two] = sessions.map((s) => s.account)
    const lines = Array.from(
      { length: 2500 },
      (_, i) => `file,${i},${i % 2 ? one : two},deposit,1,2025-08-11T09:00:00+07:00,`,
    )
    lines.splice(1200, 0, `file,x,${one},deposit,"1,000",2025-08-11T09:00:00+07:00,`)
    lines.push(`file,y,nobody-here,bet,5,2025-08-11T09:00:00+07:00,`)
    // As spreadsheets write them: fifteen thousand in Viet Nam, and a long number.
    lines.push(`file,z,${one},deposit,15.000,2025-08-11T09:00:00+07:00,`)
    lines.push(`file,1.23457E+14,${one},deposit,15,2025-08-11T09:00:00+07:00,`)
    const text = `source,ref,username,kind,amount,occurred_at,reverses\n${lines.join('\n')}\n`
    const first = await load(activity(), text)
    expect(first).toMatchObject({ lines: 2504, accepted: 2500, repeated: 0, refused: 4 })
    expect(first.report).toMatch(
      /^line,reason\n1202,"amount: must be a number of points.*"\n2504,"amount: .*"\n2505,"ref: .* rounded .*"\n2503,"unknown-member"\n$/,
    )
    for (const { token } of sessions) {
      const list = (await api.call({ url: '/api/client/info', token })).body.data
      expect(list.map((m: { claimed: number }) => m.claimed)).toEqual([2, 0, 3, 0, 2, 2])
    }
    expect(await load(activity(), text)).toMatchObject({ accepted: 0, repeated: 2500, refused: 4 })
    const other = `source,ref,username,kind,amount,occurred_at\nfile,0,${two},deposit,2,2025-08-11T09:00:00+07:00\n`
    expect((await load(activity(), other)).report).toContain('2,"conflict"')
  })

  describe('with tickets', () => {
    let token: string
    let codes: [string, string]
    beforeEach(async () => {
      ;({ token, codes } = await api.addHolder())
    })

    // spec: code-wins-once
    test('import draw notes winners once and tells every reason not to', async () => {
      const [first, second] = codes
      const text = [
        'draw,code,prize,giftcode',
        `1,${first.toLowerCase()},999K,G-${first}`,
        `3,${second},Xe máy,`,
        `1,0000-0000-0000,999K,X`,
        `1,${first.slice(0, -1)},999K,X`,
        `4,${first},999K,X`,
        `1,${second},999K,G-${first}\u200b`,
      ].join('\n')
      const doubled = `draw,code,prize,giftcode\n1,${first},999K,G-${first}\n1,${second},p,G-${first}\n`
      const tried = await dryRun(api.database, (database) => load(drawImporter(database), doubled))
      expect(tried.report).toBe('line,reason\n3,"giftcode: belongs to another ticket"\n')
      const imported = await load(draw(), text)
      expect(imported).toMatchObject({ accepted: 2, repeated: 0, refused: 4 })
      expect(imported.report).toContain('4,"code: no such ticket"')
      expect(imported.report).toContain('5,"code: is not a ticket code (mistyped?)"')
      expect(imported.report).toContain('6,"draw: must be a draw\'s number, 1 to 3"')
      expect(imported.report).toContain('7,"giftcode: must not hold control or invisible characters"')
      expect(await load(draw(), text)).toMatchObject({ accepted: 0, repeated: 2 })
      const again = await load(draw(), `draw,code,prize,giftcode\n2,${first},999K,H-${first}\n`)
      expect(again.report).toContain('2,"code: has won already, in draw 1"')
      const trade = await api.trade(token)
      expect(trade.body.data).toEqual([{ giftcode: `G-${first}`, traded_at: '2025-08-20T20:00:00+07:00' }])
      expect(await findings()).toEqual([])
    })

    // Each damage is done to a sound database, found under its name, and taken back.
    test.each([
      [
        "every stage's counter",
        `UPDATE stage_tickets SET tickets = tickets + 1 WHERE member_id = (SELECT member_id FROM ticket WHERE code = $1)`,
      ],
      [
        'has its completed mission',
        `UPDATE member_mission m SET tickets = 2 FROM ticket t WHERE t.code = $1 AND t.member_id = m.member_id AND t.mission = m.mission`,
      ],
      [
        'while its stage was open',
        `WITH t AS (UPDATE ticket SET claimed_at = '2025-09-07T00:00:00+07' WHERE code = $1 RETURNING *)
         UPDATE member_mission m SET claimed_at = t.claimed_at FROM t WHERE t.member_id = m.member_id AND t.mission = m.mission`,
      ],
      [
        'every mission stands',
        `UPDATE member_mission m SET needs_review = true FROM ticket t
         WHERE t.code = $1 AND t.member_id = m.member_id AND t.mission = m.mission`,
      ],
      [
        'every kept sum',
        `UPDATE activity SET amount = amount - 1 WHERE kind = 'deposit' AND member_id = (SELECT member_id FROM ticket WHERE code = $1)`,
      ],
    ])('verify finds damage: %s', async (name, damage) => {
      expect(await findings()).toEqual([])
      const found = await dryRun(api.database, async (trial) => {
        await trial.query(statement(damage), [codes[0]])
        return findings(trial)
      })
      expect(found).toEqual([expect.objectContaining({ invariant: expect.stringContaining(name) })])
    })
  })
})
