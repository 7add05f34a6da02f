import { afterAll, describe, expect, test } from '@jest/globals'
import { LINKS, startTestApi } from '../../test/test-api.ts'
import { parseTicketCode } from '../rules/ticket-code.ts'

const api = await startTestApi()
afterAll(() => api.close())

describe('the calls of a member', () => {
  describe('login', () => {
    // spec: login-answer
    test('answers sign, username and the address flag', async () => {
      await api.addMember({ account: 'Nguyen01' })
      const answer = await api.login('  nguyen01 ')
      expect(answer.status).toBe(200)
      expect(answer.body).toEqual({
        status_code: 200,
        data: {
          required_address: false,
          sign: expect.stringMatching(/^[0-9A-Z]{2}[\w-]{43}$/),
          username: 'Nguyen01',
        },
      })
    })

    // spec: login-refusals-look-alike
    test('a wrong number, an unknown account and another site look the same', async () => {
      const account = await api.addMember()
      const answers = [
        await api.login(account, '4321'),
        await api.login('nobody-of-that-name'),
        await api.call({
          url: '/api/client/login',
          payload: { site: 'OTHER', username: account, lastBankNumber: '1234' },
        }),
      ]
      for (const answer of answers) {
        expect(answer.status).toBe(200)
        expect(answer.body).toEqual({
          status_code: 4010,
          message: 'Tài khoản hoặc mật khẩu không chính xác!',
          data: {},
        })
      }
    })

    // spec: malformed-login
    test.each([
      [{ username: 'ab', lastBankNumber: '1234' }, 'Tài khoản phải có ít nhất 3 ký tự'],
      [{ username: 'abc', lastBankNumber: '12a4' }, 'Vui lòng nhập đủ 4 số cuối'],
      [{ username: 'abc', lastBankNumber: 1234 }, 'Vui lòng nhập đủ 4 số cuối'],
    ])('malformed input %j is HTTP 400 with words for a member', async (fields, message) => {
      const answer = await api.call({
        url: '/api/client/login',
        payload: { site: api.config.site, ...fields },
      })
      expect(answer.status).toBe(400)
      expect(answer.body).toMatchObject({ status_code: 400, message, data: null })
    })
  })

  // spec: address-answer
  test('the token of a login that needs an address saves the address; then none is needed', async () => {
    const account = await api.addMember({ addressRequired: true })
    const first = (await api.login(account)).body.data
    expect(first.required_address).toBe(true)
    const saved = await api.call({
      url: '/api/client/update-info',
      token: first.sign,
      payload: { fullname: 'Nguyễn An', phone_number: '0900', address: '1 Lê Lợi', note: '' },
    })
    expect(saved.body).toEqual({ status_code: 200, data: true })
    expect((await api.login(account)).body.data.required_address).toBe(false)
  })

  test('the address needs name, phone and address; blanks do not count', async () => {
    const { token } = await api.addSession()
    const answer = await api.call({
      url: '/api/client/update-info',
      token,
      payload: { fullname: ' ', phone_number: '0900', address: '1 Lê Lợi' },
    })
    expect(answer.status).toBe(400)
    expect(answer.body.message).toBe('Vui lòng nhập họ và tên')
  })

  describe('the token', () => {
    const isAlive = async (token: string) =>
      (await api.call({ url: '/api/client/info', token })).status === 200

    test('ends with the logout, which may be repeated; the member’s other sessions go on', async () => {
      const { account, token } = await api.addSession()
      const other = (await api.login(account)).body.data.sign
      const logout = () => api.call({ method: 'POST', url: '/api/client/logout', token })
      for (let i = 0; i < 2; i++) expect((await logout()).body).toEqual({ status_code: 200, data: true })
      expect([await isAlive(token), await isAlive(other)]).toEqual([false, true])
    })

    test('ends when ten newer ones were given, and no other member’s does', async () => {
      const { account, token: first } = await api.addSession()
      const { token: stranger } = await api.addSession()
      const tokens = [first]
      for (let i = 0; i < 10; i++) tokens.push((await api.login(account)).body.data.sign)
      expect(await Promise.all(tokens.map(isAlive))).toEqual([false, ...Array(10).fill(true)])
      expect(await isAlive(stranger)).toBe(true)
    })

    test('twenty logins at once all succeed, and the next leaves ten sessions', async () => {
      const account = await api.addMember()
      const logins = await Promise.all(Array.from({ length: 20 }, () => api.login(account)))
      expect(logins.map(({ status }) => status)).toEqual(Array(20).fill(200))
      await api.login(account)
      const count =
        'SELECT count(*)::int AS n FROM session JOIN member m ON m.id = member_id WHERE account = $1'
      expect(await api.sql(count, [account])).toEqual([{ n: 10 }])
    })

    // spec: calls-need-token
    test.each([
      ['info', undefined],
      ['history', undefined],
      ['take-code', { event_code_detail: 'NAP_300' }],
      ['update-info', { fullname: 'a', phone_number: 'b', address: 'c' }],
    ])('%s is 401 without and with a dead one', async (path, payload) => {
      const call = { url: `/api/client/${path}`, payload }
      const message = 'Token không tồn tại. Vui lòng đăng nhập lại!'
      expect(await api.call(call)).toMatchObject({ status: 401, body: { message } })
      const dead = await api.call({ ...call, token: 'dead' })
      expect([dead.status, dead.body.message]).toEqual([401, expect.stringContaining('đã hết hạn')])
    })

    // spec: bearer-header
    test('is read from the bearer header too, and dies when its time is over', async () => {
      const { token } = await api.addSession()
      const headers = { authorization: `Bearer ${token}` }
      expect((await api.call({ url: '/api/client/info', headers })).status).toBe(200)
      await api.sql(`UPDATE session SET expires_at = now() - interval '1 second'`)
      expect((await api.call({ url: '/api/client/info', headers })).status).toBe(401)
    })
  })

  // spec: mission-list-answer
  test('the list has the six missions in order, with the states of the specification', async () => {
    const { account, token } = await api.addSession()
    await api.act(account, ['2025-08-11', 'deposit', 300])
    const answer = await api.call({ url: '/api/client/info', token })
    expect(answer.headers['x-event-time']).toBe('2025-08-20T13:00:00.000Z')
    expect(answer.body.data[0]).toEqual({
      event_code_detail: 'NAP_300',
      name: 'Tổng nạp 300 điểm',
      code: '',
      claimed: 2,
      tickets: 1,
    })
    const codes = answer.body.data.map((mission: { event_code_detail: string }) => mission.event_code_detail)
    expect(codes).toEqual(['NAP_300', 'CUOC_5000', 'NAP_STREAK', 'NAP_15000', 'NAP_10LAN', 'CHIASE'])
    expect(await api.states(token)).toBe('203002')
  })

  describe('a claim', () => {
    // spec: claim-answer
    test('gives a self-checking code once; repeated, the same code; list and history show it', async () => {
      const { account, token } = await api.addSession()
      await api.act(account, ['2025-08-11', 'deposit', 300])
      const first = await api.claim(token, 'NAP_300')
      expect(first.body).toEqual({
        status_code: 200,
        data: [expect.stringMatching(/^[\dA-Z]{4}(-[\dA-Z]{4}){2}$/)],
      })
      const code = first.body.data[0]
      expect(parseTicketCode(code)).toBe(code)
      expect((await api.claim(token, 'NAP_300')).body).toEqual(first.body)
      const list = (await api.call({ url: '/api/client/info', token })).body.data
      expect(list[0]).toMatchObject({ claimed: 1, code })
      expect((await api.call({ url: '/api/client/history', token })).body.data).toEqual({
        code_details: [
          {
            event_code_detail: 'NAP_300',
            code: [code],
            claimed_at: '2025-08-20T20:00:00+07:00',
            name: 'Tổng nạp 300 điểm',
          },
        ],
        giftcode_trade: [],
      })
    })

    test('of an unreached or unknown mission is refused with words, as HTTP 200', async () => {
      const { token } = await api.addSession()
      const unreached = await api.claim(token, 'NAP_300')
      expect(unreached.status).toBe(200)
      expect(unreached.body).toEqual({
        status_code: 4030,
        message: 'Bạn chưa đủ điều kiện để nhận vé',
        data: null,
      })
      const unknown = await api.claim(token, 'NAP_301')
      expect(unknown.body).toMatchObject({ status_code: 4040, message: 'Không tìm thấy thông tin nhiệm vụ' })
    })

    // spec: claim-names-one-mission
    test('whose address and body name different missions is malformed', async () => {
      const { token } = await api.addSession()
      const answer = await api.call({
        url: '/api/client/take-code?event_code_detail=NAP_300',
        token,
        payload: { event_code_detail: 'CHIASE' },
      })
      expect(answer.status).toBe(400)
    })
  })

  describe('the share mission', () => {
    // spec: share-answer
    test('gives a ticket for four different links of the share host', async () => {
      const { token } = await api.addSession()
      const answer = await api.claim(token, 'CHIASE', { share_links: LINKS })
      expect(answer.body).toEqual({ status_code: 200, data: [expect.any(String)] })
      expect(await api.states(token)).toBe('003001')
    })

    test('is refused with other links, and can be tried again', async () => {
      const { token } = await api.addSession()
      const answer = await api.claim(token, 'CHIASE', {
        share_links: [...LINKS.slice(0, 3), 'https://example.com/?facebook.com'],
      })
      expect(answer.status).toBe(200)
      expect(answer.body).toMatchObject({ status_code: 4220, message: 'Có Link chia sẻ chưa hợp lệ' })
      expect(await api.states(token)).toBe('003002')
    })
  })

  describe('the streak mission', () => {
    const range = { startTimeStreak: '2025-08-11', endTimeStreak: '2025-08-15' }
    const deposit = (day: string): [string, 'deposit', number] => [`2025-08-${day}`, 'deposit', 10]

    // spec: streak-answer
    test('gives a ticket for five days in a row inside the range', async () => {
      const { account, token } = await api.addSession()
      await api.act(account, ...['11', '12', '13', '14', '15'].map(deposit))
      const narrow = await api.claim(token, 'NAP_STREAK', { ...range, endTimeStreak: '2025-08-14' })
      expect(narrow.body).toMatchObject({ status_code: 4220, data: null })
      const answer = await api.claim(token, 'NAP_STREAK', range)
      expect(answer.body).toEqual({ status_code: 200, data: { code: [expect.any(String)] } })
      expect((await api.claim(token, 'NAP_STREAK')).body).toEqual(answer.body)
    })

    test.each([
      [{}, 200, 'Vui lòng nhập đầy đủ ngày bắt đầu và ngày kết thúc.'],
      [
        { startTimeStreak: '2025-08-15', endTimeStreak: '2025-08-11' },
        200,
        'Ngày bắt đầu phải trước ngày kết thúc',
      ],
      [
        { startTimeStreak: '2025-02-30', endTimeStreak: '2025-08-11' },
        400,
        'Vui lòng nhập đầy đủ ngày bắt đầu và ngày kết thúc.',
      ],
    ])('dates %j', async (dates, status, message) => {
      const { token } = await api.addSession()
      const answer = await api.claim(token, 'NAP_STREAK', dates)
      expect(answer.status).toBe(status)
      expect(answer.body.message).toBe(message)
    })
  })

  test('between the stages nothing new is given, but what was given is still told', async () => {
    const { account, token } = await api.addSession()
    await api.act(account, ['2025-08-11', 'deposit', 300], ['2025-08-11', 'bet', 5000])
    const first = await api.claim(token, 'NAP_300')
    try {
      api.setNow('2025-09-06T23:59:59+07:00')
      expect(await api.states(token)).toBe('123002')
      api.setNow('2025-09-07T00:00:00+07:00')
      expect(await api.states(token)).toBe('100000')
      expect((await api.claim(token, 'CUOC_5000')).body.status_code).toBe(4100)
      expect((await api.claim(token, 'NAP_300')).body).toEqual(first.body)
      api.setNow('2025-09-10T00:00:00+07:00')
      expect(await api.states(token)).toBe('003002')
    } finally {
      api.setNow('2025-08-20T20:00:00+07:00')
    }
  })

  // spec: six-tickets-a-stage
  test('a claim that would pass the six tickets of a stage is refused whole', async () => {
    const { account, token } = await api.addSession()
    await api.act(account, ['2025-08-11', 'deposit', 300], ['2025-08-11', 'bet', 5000])
    await api.sql(
      `UPDATE member_mission SET tickets = CASE mission WHEN 'NAP_300' THEN 5 ELSE 2 END
      WHERE member_id = (SELECT id FROM member WHERE account = $1)`,
      [account],
    )
    expect((await api.claim(token, 'NAP_300')).body.data).toHaveLength(5)
    const over = await api.claim(token, 'CUOC_5000')
    expect(over.status).toBe(200)
    expect(over.body).toMatchObject({ status_code: 4090, message: 'Bạn đã nhận đủ 6 vé của giai đoạn này' })
    expect(await api.states(token)).toBe('123002')
    expect((await api.claim(token, 'CHIASE', { share_links: LINKS })).body.data).toHaveLength(1)
  })
})
