import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from '@jest/globals'
import { type Answer, cookieOf, LINKS, startTestApi } from '../../test/test-api.ts'
import { complete as completeMissions } from '../backoffice/complete.ts'
import { importDraw } from '../draws/import-draw.ts'
import {
  ban,
  type Correction,
  close,
  forget,
  unban,
  undoCompletion,
  undoDraw,
  unlock,
  unvoidTicket,
  voidTicket,
} from './corrections.ts'
import { verify } from './verify.ts'

const api = await startTestApi()
afterAll(() => api.close())

describe("an operator's correction", () => {
  const BANNED =
    'Tài khoản của bạn đã bị khóa do vi phạm thể lệ chương trình. Vui lòng liên hệ bộ phận chăm sóc khách hàng!'
  const correct = (correction: Correction, ...args: string[]) =>
    api.database.transaction((tx) => correction(tx, args, api.now()))
  const isValid = async (code: string) => (await api.check('code', code)).body.data.valid
  const draw = (code: string) =>
    api.database.transaction((tx) =>
      importDraw(tx, [{ ticketCode: code, draw: 1, prize: '999K', giftcode: `G-${code}` }]),
    )
  const withTicket = async () => {
    const { codes, ...member } = await api.addHolder()
    return { ...member, code: codes[0] }
  }
  const expectSound = async () => expect(await verify(api.database, () => undefined)).toBe(true)

  // spec: banned-double-accounts
  test('ban: calls and right logins get the message, wrong ones learn nothing, tickets take part in nothing', async () => {
    const { account, token, code } = await withTicket()
    await draw(code)
    await correct(ban, account.toUpperCase())
    const banned = { status: 403, body: { message: BANNED, data: null } }
    for (const url of ['/api/client/info', '/api/client/history'])
      expect(await api.call({ url, token })).toMatchObject(banned)
    expect(await api.trade(token)).toMatchObject(banned)
    expect(await api.claim(token, 'CUOC_5000')).toMatchObject(banned)
    expect(await api.login(account)).toMatchObject(banned)
    expect((await api.login(account, '0000')).body).toMatchObject({ status_code: 4010, data: {} })
    expect(await isValid(code)).toBe(false)

    await correct(unban, account)
    expect((await api.call({ url: '/api/client/info', token })).status).toBe(401)
    const again = (await api.login(account)).body.data.sign
    expect((await api.trade(again)).body.data).toHaveLength(1)
    expect(await isValid(code)).toBe(true)
  })

  /** Makes calls after the correction and before its commit. @returns their answers, which come after it */
  const during = async (correction: Correction, account: string, calls: () => Promise<Answer>[]) => {
    const { answers } = await api.database.transaction(async (tx) => {
      await correction(tx, [account], api.now())
      let over = 0
      const answers = calls().map((call) => call.finally(() => over++))
      const waiting =
        "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'"
      while (over + (await api.sql(waiting)).length < answers.length) await sleep(5)
      return { answers: Promise.all(answers) }
    })
    return answers
  }

  test('ban: a login that is under way gets no session', async () => {
    const account = await api.addMember()
    const [login] = await during(ban, account, () => [api.login(account)])
    expect(login?.status).toBe(403)
  })

  test('forget: what is under way leaves no session, address and links', async () => {
    const { account, token } = await api.addSession()
    const payload = { fullname: 'Trần Bí Mật', phone_number: '0912000111', address: '12 Phố Kín', note: '' }
    const answers = await during(forget, account, () => [
      api.login(account),
      api.call({ url: '/api/client/update-info', token, payload }),
      api.claim(token, 'CHIASE', { share_links: LINKS }),
    ])
    expect(answers.map(({ status }) => status)).toEqual([403, 401, 401])
    const left =
      await api.sql(`SELECT id FROM member JOIN session ON member_id = id WHERE account_key LIKE chr(1) || '%'
      UNION SELECT member_id FROM member_address UNION SELECT member_id FROM member_mission WHERE proof ? 'share_links'`)
    expect(left).toEqual([])
  })

  test('bans of two members at once do not wait for each other in a circle', async () => {
    for (let pair = 0; pair < 10; pair++) {
      const accounts = [await api.addMember(), await api.addMember()]
      await Promise.all(accounts.map((account) => correct(ban, account)))
    }
  })

  test('void: the ticket stays in its slot and takes part in no draw, check and exchange', async () => {
    const { account, token, code } = await withTicket()
    await draw(code)
    const counted = async () => (await api.check('username', account)).body.data.stages[0].tickets
    expect(await counted()).toBe(2)
    await correct(voidTicket, code.toLowerCase())
    expect((await api.trade(token)).body.data).toEqual([])
    expect(await isValid(code)).toBe(false)
    expect(await counted()).toBe(1)
    expect((await draw(code)).refused).toEqual([
      { index: 0, reason: 'code: the ticket is void, or its member is banned' },
    ])
    expect(await api.states(token)).toMatch(/^1/)
    await expectSound()

    await correct(unvoidTicket, code)
    expect((await api.trade(token)).body.data).toHaveLength(1)
  })

  test('undo-draw frees ticket and gift code, unless the prize was exchanged', async () => {
    const { token, code } = await withTicket()
    await draw(code)
    expect((await correct(undoDraw, code)).detail).toMatchObject({ draw: 1, giftcode: `G-${code}` })
    expect((await api.trade(token)).body.data).toEqual([])
    await api.win(code, { draw: 2 })
    expect((await api.trade(token)).body.data).toHaveLength(1)
    await expect(correct(undoDraw, code)).rejects.toThrow('was exchanged at 2025-08-20T20:00:00')
  })

  const complete = (account: string, mission: string, tickets?: number) =>
    api.database.transaction((tx) =>
      completeMissions(
        tx,
        [{ username: account, event_code_detail: mission, ...(tickets && { tickets }) }],
        api.now(),
      ),
    )

  test('undo-completion closes a mission that is not claimed, and its tickets are its own number again', async () => {
    const { account, token } = await api.addSession()
    await complete(account, 'NAP_300', 3)
    expect(await api.states(token)).toMatch(/^2/)
    await correct(undoCompletion, account, 'NAP_300', '1')
    expect(await api.states(token)).toMatch(/^0/)
    await api.act(account, ['2025-08-11', 'deposit', 300])
    expect((await api.claim(token, 'NAP_300')).body.data).toHaveLength(1)
    await expectSound()
  })

  test('undo-completion marks a claimed mission for review, and leaves one that the ledger carries', async () => {
    const [without, carried] = [await api.addSession(), await api.addSession()]
    await api.act(carried.account, ['2025-08-11', 'deposit', 300])
    for (const { account, token } of [without, carried]) {
      await complete(account, 'NAP_300')
      await api.claim(token, 'NAP_300')
      await correct(undoCompletion, account, 'NAP_300', '1')
      expect(await api.states(token)).toMatch(/^1/)
    }
    const review = await api.sql<{ account: string }>(
      'SELECT account FROM member_mission JOIN member ON id = member_id WHERE needs_review',
    )
    expect(review).toEqual([{ account: without.account }])
    await expectSound()
  })

  test("undo-completion, then the member's proof: a reversal of deposits does not concern it", async () => {
    const { account, token } = await api.addSession()
    await complete(account, 'CHIASE')
    await correct(undoCompletion, account, 'CHIASE', '1')
    expect((await api.claim(token, 'CHIASE', { share_links: LINKS })).body.data).toHaveLength(1)
    const event = { source: 'undone', username: account, occurred_at: '2025-08-11T12:00:00+07:00' }
    await api.send([
      { ...event, ref: 'd', kind: 'deposit', amount: 1 },
      { ...event, ref: 'r', kind: 'reversal', reverses: 'd' },
    ])
    expect(await api.sql("SELECT FROM member_mission WHERE mission = 'CHIASE' AND needs_review")).toEqual([])
  })

  test('unlock forgets failed logins, on known devices too', async () => {
    const account = await api.addMember()
    const cookie = cookieOf(await api.login(account))
    for (const headers of [{}, { cookie }])
      for (let i = 0; i < 7; i++) await api.login(account, '0000', { headers })
    expect((await api.login(account, '1234', { headers: { cookie } })).body.status_code).toBe(4010)
    expect(await correct(unlock, account)).toMatchObject({ detail: { locks: 2 } })
    expect((await api.login(account, '1234', { headers: { cookie } })).status).toBe(200)
  })

  test.each<[Correction, args: string[], message: string]>([
    [voidTicket, ['A51C'], 'A51C is not a ticket code (mistyped?)'],
    [voidTicket, ['0000-0000-0000'], 'there is no ticket 0000-0000-0000'],
    [close, [], 'prizes can be claimed until 2025-10-29T15:00:00.000Z: too early to close the event'],
  ])('%p of %j, which is not there, says so', async (correction, args, message) => {
    await expect(correct(correction, ...args)).rejects.toThrow(message)
  })
})
