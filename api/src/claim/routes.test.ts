import { expect, test } from '@jest/globals'
import { LINKS, startTestApi } from '../../test/test-api.ts'
import { voidTicket } from '../operator/ticket-corrections.ts'

const api = await startTestApi()

const saveAddress = (token: string) =>
  api.call({
    url: '/api/client/update-info',
    payload: { fullname: 'An', phone_number: '0901234567', address: 'Huế', note: '' },
    token,
  })

// spec: mission-list-answer
test('the list has six missions in order with their states', async () => {
  const { token } = await api.addDepositor()
  const answer = await api.list(token)
  expect(answer.headers['x-event-time']).toBe('2025-08-20T13:00:00.000Z')
  expect(answer.body.data[0]).toEqual({
    event_code_detail: 'NAP_300',
    name: 'Tổng nạp 300 điểm',
    code: '',
    claimed: 2,
    tickets: 1,
    progress: { kind: 'deposit-total', goal: 300, value: 300 },
  })
  const codes = answer.body.data.map(
    (mission: { event_code_detail: string }) => mission.event_code_detail,
  )
  expect(codes).toEqual(['NAP_300', 'CUOC_5000', 'NAP_STREAK', 'NAP_15000', 'NAP_10LAN', 'CHIASE'])
  expect(await api.states(token)).toBe('203002')
})

/** Progress of each mission in the list, such as '3/5'. */
const progress = async (token: string) =>
  (await api.list(token)).body.data.map(
    (mission: { progress: { value: number; goal: number } | null }) =>
      mission.progress && `${mission.progress.value}/${mission.progress.goal}`,
  )

test('the list shows progress of missions that are not reached', async () => {
  const { account, token } = await api.addSession()
  expect(await progress(token)).toEqual(['0/300', '0/5000', '0/5', '0/15000', '0/10', null])
  const days = ['2025-08-01', '2025-08-03', '2025-08-04', '2025-08-04', '2025-08-05', '2025-09-08']
  await api.act(
    account,
    ...days.map((day): [string, 'deposit', number] => [day, 'deposit', 36.5]),
    ['2025-08-02', 'bet', 1200],
  )
  // The last deposit is after the stage.
  expect(await progress(token)).toEqual([
    '182.5/300',
    '1200/5000',
    '3/5',
    '182.5/15000',
    '5/10',
    null,
  ])
})

// spec: streak-rule
test.each([
  ['11 12 13 14 15', 5],
  ['11 12 13 14 16', 4],
  ['29 30 31 32 33', 5],
  ['11 11 11 11 11', 1],
  ['15 03 11 14 12 12 13 20', 5],
  ['-2 -1 00 01 02', 2],
  ['35 36 37 38 39', 3],
])('deposits on August %s are a streak of %i', async (days, longest) => {
  const { account, token } = await api.addSession()
  const dayOf = (n: string) => new Date(Date.UTC(2025, 7, Number(n))).toISOString().slice(0, 10)
  for (const n of days.split(' ')) await api.act(account, [dayOf(n), 'deposit', 1])
  expect((await progress(token))[2]).toBe(`${longest}/5`)
  const range = { startTimeStreak: '2025-01-01', endTimeStreak: '2025-12-31' }
  const answer = (await api.claim(token, 'NAP_STREAK', range)).body
  expect(answer.status_code).toBe(longest === 5 ? 200 : 4220)
})

// spec: claim-answer
test('a repeated claim returns the same code', async () => {
  const { token } = await api.addDepositor()
  const first = await api.claim(token, 'NAP_300')
  expect(first.body).toEqual({
    status_code: 200,
    data: [expect.stringMatching(/^[\dA-Z]{4}(-[\dA-Z]{4}){2}$/)],
  })
  const code = first.body.data[0]
  expect((await api.claim(token, 'NAP_300')).body).toEqual(first.body)
  const list = (await api.list(token)).body.data
  expect(list[0]).toMatchObject({ claimed: 1, code })
  const history = await api.history(token)
  expect(history.code_details).toEqual([
    {
      event_code_detail: 'NAP_300',
      code: [code],
      claimed_at: '2025-08-20T20:00:00+07:00',
      name: 'Tổng nạp 300 điểm',
      prizes: [],
      lists: [],
      voided: [],
    },
  ])
})

test('a repeated claim returns no void code', async () => {
  const { token, codes } = await api.addHolder()
  await api.correct(voidTicket, codes[0])
  expect((await api.claim(token, 'NAP_300')).body).toEqual({ status_code: 200, data: [] })
})

test('a refused claim is HTTP 200 with a message', async () => {
  const { token } = await api.addSession()
  expect(await api.claim(token, 'NAP_300')).toMatchObject({
    status: 200,
    body: { status_code: 4030, message: 'Bạn chưa đủ điều kiện để nhận vé', data: null },
  })
  expect(await api.claim(token, 'NAP_301')).toMatchObject({
    status: 200,
    body: { status_code: 4040, message: 'Không tìm thấy thông tin nhiệm vụ', data: null },
  })
})

test('a claim without a session is HTTP 401', async () => {
  for (const mission of ['NAP_300', 'NAP_301', 'CHIASE'])
    expect((await api.claim('nobody', mission)).status).toBe(401)
})

test('claims of unknown missions are counted as one', async () => {
  for (const mission of ['MADE_UP_1', 'MADE_UP_2']) await api.claim('nobody', mission)
  const metrics = await api.metrics()
  expect(metrics).toMatch(/^claims_total\{mission="unknown",result="no-session"\} \d/m)
  expect(metrics).not.toContain('MADE_UP')
})

// spec: claim-names-one-mission
test('a claim whose query and body differ is malformed', async () => {
  const { token } = await api.addSession()
  const answer = await api.claim(token, 'NAP_300', { event_code_detail: 'CHIASE' })
  expect(answer.status).toBe(400)
})

// spec: share-answer
test('four links of the share host give a ticket', async () => {
  const { account, token } = await api.addSession()
  const share = async (...share_links: string[]) =>
    (await api.claim(token, 'CHIASE', { share_links })).body
  expect(await share(...LINKS.slice(0, 3), 'https://example.com/?facebook.com')).toEqual({
    status_code: 4220,
    message: expect.stringContaining('Có Link chia sẻ chưa hợp lệ. Link '),
    data: null,
  })
  const without = await api.claim(token, 'CHIASE')
  expect(without.body).toMatchObject({
    status_code: 4220,
    message: expect.stringContaining('4 URL'),
  })
  expect(await api.states(token)).toBe('003002')
  expect(await share(...LINKS)).toEqual({ status_code: 200, data: [expect.any(String)] })
  expect(await api.states(token)).toBe('003001')
  const shared_pages = LINKS.map(() => expect.stringContaining('facebook.com/posts/'))
  expect(await proofOf(account)).toEqual({ share_links: LINKS, shared_pages })
})

const proofOf = async (account: string) =>
  (
    await api.sql<{ proof: unknown }>(
      `SELECT proof FROM member_mission JOIN member m ON m.id = member_id
       WHERE m.account = $1 AND proof IS NOT NULL`,
      [account],
    )
  )[0]?.proof

test('the proof of a streak has only days of the stage', async () => {
  const { account, token } = await api.addSession()
  for (const day of [1, 2, 3, 4, 5]) await api.act(account, [`2025-08-0${day}`, 'deposit', 10])
  const range = { startTimeStreak: '2025-01-01', endTimeStreak: '2025-12-31' }
  await api.claim(token, 'NAP_STREAK', range)
  expect(await proofOf(account)).toEqual({ start: '2025-08-01', end: '2025-09-06' })
})

// spec: streak-answer
test('five days in a row inside the range give a ticket', async () => {
  const { account, token } = await api.addSession()
  for (const day of [11, 12, 13, 14, 15]) await api.act(account, [`2025-08-${day}`, 'deposit', 10])
  const check = async (startTimeStreak?: string, endTimeStreak?: string) =>
    (await api.claim(token, 'NAP_STREAK', { startTimeStreak, endTimeStreak })).body
  const missing = 'Vui lòng nhập đầy đủ ngày bắt đầu và ngày kết thúc.'
  const reversed = 'Ngày bắt đầu phải trước ngày kết thúc'
  const notMet = expect.stringMatching(/liên tiếp .* Chỉ tính những ngày thuộc giai đoạn này\.$/)
  expect(await check()).toMatchObject({ status_code: 4220, message: missing })
  expect(await check('2025-02-30', '2025-08-11')).toMatchObject({
    status_code: 400,
    message: missing,
  })
  expect(await check('2025-08-15', '2025-08-11')).toMatchObject({
    status_code: 4220,
    message: reversed,
  })
  expect(await check('2025-08-11', '2025-08-14')).toMatchObject({ status_code: 4220, data: null })
  expect(await check('2025-08-11')).toMatchObject({ status_code: 4220, message: missing })
  for (const first of ['2025-08-12', '2025-08-15'])
    expect(await check(first, '2025-08-15')).toMatchObject({ message: notMet })
  // Postgres has no year 0.
  const longAgo = { startTimeStreak: '0000-01-01', endTimeStreak: '0000-01-02' }
  expect((await api.claim(token, 'NAP_STREAK', longAgo)).body).toMatchObject({ message: notMet })
  expect((await api.claim('nobody', 'NAP_STREAK', longAgo)).status).toBe(401)
  const given = await check('2025-08-11', '2025-08-15')
  expect(given).toEqual({ status_code: 200, data: { code: [expect.any(String)] } })
  expect(await check()).toEqual(given)
})

test('between stages only repeated claims are answered', async () => {
  const { account, token } = await api.addSession()
  await api.act(account, ['2025-08-11', 'deposit', 300], ['2025-08-11', 'bet', 5000])
  const first = await api.claim(token, 'NAP_300')
  api.setNow('2025-09-06T23:59:59+07:00')
  expect(await api.states(token)).toBe('123002')
  api.setNow('2025-09-07T00:00:00+07:00')
  expect(await api.states(token)).toBe('100000')
  expect((await api.claim(token, 'CUOC_5000')).body.status_code).toBe(4100)
  const refusals = await api.sql(
    `SELECT mission, reason, times FROM claim_refusal JOIN member m ON m.id = member_id
     WHERE m.account = $1`,
    [account],
  )
  expect(refusals).toEqual([{ mission: 'CUOC_5000', reason: 'stage-closed', times: 1 }])
  expect((await api.claim(token, 'NAP_300')).body).toEqual(first.body)
  api.setNow('2025-09-10T00:00:00+07:00')
  expect(await api.states(token)).toBe('003002')
})

test.each([
  // Five of the member's twelve logins have a session.
  ['address', 5, (account: string) => `member WHERE account = '${account}'`],
  ['login', 12, (account: string) => `login_attempt WHERE key = 'account:${account}'`],
])(
  "one member's calls of %s that wait leave connections to others' claims",
  async (name, successes, row) => {
    const other = await api.addDepositor()
    const account = await api.addMember()
    const tokens: string[] = []
    while (tokens.length < 12) tokens.push((await api.login(account)).body.data.sign)
    const { calls } = await api.holding(`SELECT FROM ${row(account)} FOR UPDATE`, async () => {
      const calls = tokens.map((token) =>
        name === 'login' ? api.login(account) : saveAddress(token),
      )
      await api.untilLocked(1)
      // Meanwhile the calls arrive at the lock, which are several statements.
      for (let n = 0; n < 5; n++) await api.addSession()
      expect((await api.claim(other.token, 'NAP_300')).body.data).toHaveLength(1)
      return { calls }
    })
    const answers = await Promise.all(calls)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(successes)
  },
)

test("a member's seventeenth claim at once is refused, and others' are not", async () => {
  const [one, other] = [await api.addDepositor(), await api.addSession()]
  const claim = () => api.claim(one.token, 'NAP_300')
  const held = await api.holding('SELECT FROM member_mission FOR UPDATE', async () => {
    const claims = Array.from({ length: 17 }, claim)
    const refused = await Promise.race(claims)
    expect(refused.status).toBe(429)
    expect(refused.headers['retry-after']).toBe('1')
    expect((await api.claim(other.token, 'NAP_301')).body.status_code).toBe(4040)
    return { claims }
  })
  const answers = await Promise.all(held.claims)
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(16)
})
