import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from '@jest/globals'
import { type Answer, cookieOf } from '../../test/caller.ts'
import { NO_LIST } from '../../test/draw-lists.ts'
import { completeMission, LINKS, startTestApi } from '../../test/test-api.ts'
import { lockMembersOf } from '../backoffice/ledger.ts'
import type { Queryable } from '../database/database.ts'
import { importDrawResults } from '../draws/import-draw.ts'
import { tradeGiftcodes } from '../draws/routes.ts'
import { pseudonymKey } from '../login/credentials.ts'
import { newMember, saveMembers } from '../login/members.ts'
import { sessionKey } from '../login/session.ts'
import type { Correction } from './apply-correction.ts'
import { readAuditRows } from './audit.ts'
import { writeCsvExport } from './exports.ts'
import { withoutCommits } from './import-file.ts'
import {
  banMember,
  closeEvent,
  forgetMember,
  unbanMember,
  unlockMember,
} from './member-corrections.ts'
import {
  keepTickets,
  undoCompletion,
  undoDrawResult,
  unvoidTicket,
  voidTicket,
} from './ticket-corrections.ts'

const api = await startTestApi()

const ADDRESS = {
  fullname: 'Trần Bí Mật',
  phone_number: '0912000111',
  address: '12 Phố Kín',
  note: 'gọi',
}
const saveAddress = (token: string) =>
  api.call({ url: '/api/client/update-info', token, payload: ADDRESS })
const isValid = async (code: string) => (await api.check('code', code)).body.data.valid

const during = (correction: Correction, subject: string, calls: () => Promise<Answer>[]) =>
  api.during((tx) => correction(tx, [subject], api.now(), async () => api.loginKeys, 'an'), calls)

// spec: banned-double-accounts
test('a ban stops calls, logins, checks and exchanges', async () => {
  const { account, token, codes } = await api.addHolder()
  await api.win(codes[0])
  await api.correct(banMember, account.toUpperCase())
  const message =
    'Tài khoản của bạn đã bị khóa do vi phạm thể lệ chương trình. Vui lòng liên hệ bộ phận chăm sóc khách hàng!'
  const banned = { status: 403, body: { message, data: null } }
  for (const url of ['/api/client/info', '/api/client/history'])
    expect(await api.call({ url, token })).toMatchObject(banned)
  expect(await api.trade(token)).toMatchObject(banned)
  expect(await api.claim(token, 'NAP_10LAN')).toMatchObject(banned)
  expect(await api.login(account)).toMatchObject(banned)
  expect((await api.login(account, '0000')).body).toMatchObject({ status_code: 4010, data: {} })
  expect(await isValid(codes[0])).toBe(false)

  await api.correct(unbanMember, account)
  expect((await api.list(token)).status).toBe(401)
  const again = (await api.login(account)).body.data.sign
  expect((await api.trade(again)).body.data).toHaveLength(1)
  expect(await isValid(codes[0])).toBe(true)
})

test('a login during the ban gets no session', async () => {
  const account = await api.addMember()
  const [login] = await during(banMember, account, () => [api.login(account)])
  expect(login?.status).toBe(403)
})

test('concurrent bans do not deadlock', async () => {
  for (let pair = 0; pair < 10; pair++) {
    const accounts = [await api.addMember(), await api.addMember()]
    await Promise.all(accounts.map((account) => api.correct(banMember, account)))
  }
})

test('a void ticket keeps its slot but takes part in nothing', async () => {
  const { account, token, codes } = await api.addHolder()
  const [code] = codes
  await api.win(code)
  const counted = async () => (await api.check('username', account)).body.data.stages[0].tickets
  expect(await counted()).toBe(2)
  await api.correct(voidTicket, code.toLowerCase())
  expect((await api.trade(token)).body.data).toEqual([])
  expect(await isValid(code)).toBe(false)
  expect(await counted()).toBe(1)
  const result = { code, draw: 1, prize: '999K', giftcode: null }
  expect(
    (await api.database.transaction((tx) => importDrawResults(tx, [result], NO_LIST))).refused,
  ).toEqual([{ index: 0, reason: expect.stringMatching(/^code: void since 20/) }])
  expect(await api.states(token)).toMatch(/^1/)
  expect(await api.isSound()).toBe(true)

  await api.correct(unvoidTicket, code)
  expect((await api.trade(token)).body.data).toHaveLength(1)
})

test('undo-draw frees ticket and gift code until the exchange', async () => {
  const { token, codes } = await api.addHolder()
  const [code] = codes
  await api.win(code)
  expect((await api.correct(undoDrawResult, code)).detail).toMatchObject({
    draw: 1,
    giftcode: `G-${code}`,
  })
  expect((await api.trade(token)).body.data).toEqual([])
  await api.win(code)
  expect((await api.trade(token)).body.data).toHaveLength(1)
  await expect(api.correct(undoDrawResult, code)).rejects.toThrow(
    'was exchanged at 2025-09-09T20:00:00',
  )
})

test('an exchange during undo-draw or void gives nothing', async () => {
  for (const correction of [undoDrawResult, voidTicket]) {
    const { token, codes } = await api.addHolder()
    await api.win(codes[0])
    const [exchange] = await during(correction, codes[0], () => [api.trade(token)])
    expect(exchange).toMatchObject({ status: 200, body: { data: [] } })
  }
})

test('undo-draw during an exchange says that it is too late', async () => {
  const { token, codes } = await api.addHolder()
  await api.win(codes[0])
  const [undone] = await api.during(
    (tx) => tradeGiftcodes(tx, sessionKey(token), new Date('2025-09-09T20:00:00+07:00')),
    () => [api.correct(undoDrawResult, codes[0]).catch(String)],
  )
  expect(undone).toMatch('was exchanged at 2025-09-09T20:00:00')
})

test('a void or ban during an import of results names what was won', async () => {
  const { account, codes } = await api.addHolder()
  const won = { draw: 1, prize: 'Xe máy' }
  const results = codes.map((code) => ({ code, ...won, giftcode: null }))
  const corrected = await api.during(
    (tx) => importDrawResults(tx, results, NO_LIST),
    () => [api.correct(voidTicket, codes[0]), api.correct(banMember, account)],
  )
  const details = corrected.map(({ detail }) => detail)
  expect(details).toEqual([
    { ...won, exchanged: null },
    { won: expect.arrayContaining(codes.map((code) => ({ code, ...won }))) },
  ])
})

test('undo-completion closes an unclaimed mission of a stage by its number', async () => {
  const { account, token } = await api.addSession()
  await api.complete(account, 'NAP_300', 3)
  for (const stage of ['0x1', ' 1.0e0', ''])
    await expect(api.correct(undoCompletion, account, 'NAP_300', stage)).rejects.toThrow(
      'has completed no',
    )
  expect(await api.states(token)).toMatch(/^2/)
  await api.correct(undoCompletion, account, 'NAP_300', '1')
  expect(await api.states(token)).toMatch(/^0/)
  await api.act(account, ['2025-08-11', 'deposit', 300])
  expect((await api.claim(token, 'NAP_300')).body.data).toHaveLength(1)
  expect(await api.isSound()).toBe(true)
})

test('undo-completion marks a claimed mission for review', async () => {
  const [without, carried] = [await api.addSession(), await api.addDepositor()]
  for (const { account, token } of [without, carried]) {
    await api.complete(account)
    await api.claim(token, 'NAP_300')
    await api.correct(undoCompletion, account, 'NAP_300', '1')
    expect(await api.states(token)).toMatch(/^1/)
  }
  const review =
    'SELECT account FROM member_mission JOIN member ON id = member_id WHERE needs_review'
  expect(await api.sql(review)).toEqual([{ account: without.account }])
  expect(await api.isSound()).toBe(true)
})

test.each([[[300]], [[100, 200]]])(
  'undo-completion marks tickets that deposits of %j do not give',
  async ([before = 0, ...after]) => {
    const { account, token } = await api.addSession()
    await api.act(account, ['2025-08-11', 'deposit', before])
    await api.complete(account, 'NAP_300', 3)
    const codes: string[] = (await api.claim(token, 'NAP_300')).body.data
    await api.correct(undoCompletion, account, 'NAP_300', '1')
    for (const amount of after) await api.act(account, ['2025-08-12', 'deposit', amount])
    for (const code of codes.slice(1)) {
      expect(await api.needsReview(account)).toBe(true)
      await api.correct(voidTicket, code)
    }
    expect(await api.needsReview(account)).toBe(false)
  },
)

test('fewer tickets of a mission put no earlier claim into the review', async () => {
  const setTickets = (n: number) =>
    api.sql("UPDATE mission SET tickets = $1 WHERE code = 'NAP_300'", [n])
  await setTickets(2)
  const { account, token } = await api.addDepositor()
  expect((await api.claim(token, 'NAP_300')).body.data).toHaveLength(2)
  await setTickets(1)
  expect(await api.needsReview(account)).toBe(false)
})

test("after undo-completion the member's proof decides", async () => {
  const { account, token } = await api.addSession()
  await api.complete(account, 'CHIASE')
  await api.correct(undoCompletion, account, 'CHIASE', '1')
  expect((await api.claim(token, 'CHIASE', { share_links: LINKS })).body.data).toHaveLength(1)
  await api.reverse(account, await api.act(account, ['2025-08-11', 'deposit', 1]))
  expect(
    await api.sql("SELECT FROM member_mission WHERE mission = 'CHIASE' AND needs_review"),
  ).toEqual([])
})

test.each<[string, Correction]>([
  ['session', banMember],
  ['member_address', forgetMember],
])('while %s is locked, %p gives up, since members wait behind it', async (table, correction) => {
  const account = await api.addMember()
  await api.holding(`LOCK TABLE ${table} IN SHARE MODE`, async () => {
    await expect(api.correct(correction, account)).rejects.toThrow(/lock timeout/)
  })
})

test('unlock removes failed logins, also on known devices', async () => {
  const account = await api.addMember()
  const cookie = cookieOf(await api.login(account))
  for (const headers of [{}, { cookie }])
    for (let i = 0; i < 7; i++) await api.login(account, '0000', { headers })
  expect((await api.login(account, '1234', { headers: { cookie } })).body.status_code).toBe(4010)
  expect(await api.correct(unlockMember, account)).toMatchObject({ detail: { locks: 2 } })
  expect((await api.login(account, '1234', { headers: { cookie } })).status).toBe(200)
})

test.each<[Correction, args: string[], message: string]>([
  [voidTicket, ['A51C'], 'A51C is not a ticket code (mistyped?)'],
  [voidTicket, ['0000-0000-0000'], 'there is no ticket 0000-0000-0000'],
])('%p of %j says what is wrong', async (correction, args, message) => {
  await expect(api.correct(correction, ...args)).rejects.toThrow(message)
})

async function holds(what: string) {
  const tables = await api.sql<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
  )
  const found = []
  for (const { name } of tables) {
    const rows = await api.sql(
      `SELECT FROM ${name} x WHERE strpos(lower(x::text), lower($1)) > 0`,
      [what],
    )
    if (rows.length > 0) found.push(name)
  }
  return found.sort()
}
async function withPersonalData(account: string) {
  const holder = await api.addHolder({ account })
  await saveAddress(holder.token)
  const share_links = [1, 2, 3, 4].map((n) => `https://facebook.com/${account}/${n}`)
  await api.claim(holder.token, 'CHIASE', { share_links })
  await api.win(holder.codes[0])
  await api.trade(holder.token)
  await api.login(account, '9999')
  await api.correct(unlockMember, account)
  await api.correct(voidTicket, holder.codes[1])
  await api.login(account, '9999')
  return holder
}

const saveDigits = (tx: Queryable, account: string) =>
  saveMembers(tx, [newMember(api.loginKeys, account, '4321')])

test.each([
  [banMember, saveDigits],
  [forgetMember, completeMission],
  [closeEvent, completeMission],
])('%p does not deadlock with a batch that waits for it: %p', async (correction, work) => {
  const { account } = await api.addSession()
  const [corrected] = await api.database.transaction(async (tx) => {
    await lockMembersOf(tx, [{ username: account }])
    const at = new Date('2025-10-30T00:00:00+07:00')
    const corrected = withoutCommits(api.database).transaction((other) =>
      correction(other, [account], at, async () => api.loginKeys, 'an'),
    )
    await api.untilLocked(1)
    await work(tx, account)
    return [corrected]
  })
  await corrected
})

test('forget leaves tickets, prizes and audit under a pseudonym', async () => {
  const { token, codes } = await withPersonalData('Minh.Bimat')
  const other = await withPersonalData('other.bimat')
  expect(await holds('minh.bimat')).toEqual([
    'login_attempt',
    'member',
    'member_mission',
    'rate_limit',
  ])
  const { memberId } = await api.correct(forgetMember, 'minh.bimat')
  for (const what of ['minh.bimat', token]) expect(await holds(what)).toEqual([])
  expect(await api.sql('SELECT FROM member_address WHERE member_id = $1', [memberId])).toEqual([])
  expect((await api.list(token)).status).toBe(401)
  expect((await api.login('Minh.Bimat')).body.data).toEqual({})

  const pseudonym = `forgotten-${memberId}`
  expect(await isValid(codes[0])).toBe(true)
  const changes = await readAuditRows(api.database, [pseudonymKey(pseudonym)])
  expect(changes.map(({ what, subject }) => `${what} ${subject}`)).toEqual([
    `forget ${pseudonym}`,
    `void ${codes[1]}`,
    `unlock ${pseudonym}`,
  ])
  const out = new PassThrough()
  const [winners] = await Promise.all([
    text(out),
    writeCsvExport(api.database, 'winners', out, { addresses: true }),
  ])
  expect(winners).toContain(
    `,${codes[0]},${pseudonym},G-${codes[0]},2025-09-09T20:00:00+07:00,,,,,\n`,
  )
  expect((await api.call({ url: '/api/client/history', token: other.token })).status).toBe(200)
  expect(winners).toContain(ADDRESS.fullname)
  expect(await api.isSound()).toBe(true)
})

test('a forgotten member is corrected by the pseudonym', async () => {
  const { account, token } = await api.addSession()
  const refs = await api.act(account, ['2025-08-11', 'deposit', 300])
  await api.claim(token, 'NAP_300')
  await api.reverse(account, refs)
  const { memberId } = await api.correct(forgetMember, account)
  const pseudonym = `Forgotten-${memberId}`
  expect(await api.correct(keepTickets, pseudonym, 'NAP_300', '1')).toMatchObject({ memberId })
  expect(await api.correct(banMember, pseudonym)).toMatchObject({ memberId })

  // An account of this name goes before.
  await api.addMember({ account: pseudonym })
  expect((await api.correct(banMember, pseudonym)).memberId).not.toBe(memberId)
})

test('forget also removes what concurrent calls write', async () => {
  const { account, token } = await api.addSession()
  // Calls of one session wait for each other.
  const other = (await api.login(account)).body.data.sign
  const answers = await during(forgetMember, account, () => [
    api.login(account),
    saveAddress(other),
    api.claim(token, 'CHIASE', { share_links: LINKS }),
  ])
  expect(answers.map(({ status }) => status)).toEqual([403, 401, 401])
  const left = await api.sql(
    `SELECT FROM member m WHERE account_key LIKE chr(1) || '%' AND (m.id IN (SELECT member_id FROM session)
       OR m.id IN (SELECT member_id FROM member_address)
       OR m.id IN (SELECT member_id FROM member_mission WHERE proof ? 'share_links'))`,
  )
  expect(left).toEqual([])
})

test('close forgets everybody after the last deadline', async () => {
  const { codes } = await withPersonalData('last.bimat')
  await api.addMember({ account: 'forgotten-1' })
  api.setNow('2025-10-30T00:00:00+07:00')
  const closed = await api.correct(closeEvent)
  expect(closed.detail).toEqual({ members: (await api.sql('SELECT FROM member')).length })
  for (const what of ['bimat', ADDRESS.fullname, ADDRESS.phone_number])
    expect(await holds(what)).toEqual([])
  expect(await isValid(codes[0])).toBe(true)
  expect(await api.isSound()).toBe(true)
})
