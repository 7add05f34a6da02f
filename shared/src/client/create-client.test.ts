import { EVENT_TIME_HEADER, SIGN_HEADER, SPREAD_HEADER } from '../contract/headers.ts'
import { expectConsoleError } from '../testing/console-errors.ts'
import { ok, settle, startWireServer, until, type WireServer } from '../testing/wire-server.ts'
import { createClient } from './create-client.ts'

let server: WireServer
let token: string | undefined
let failures: unknown[][]
let times: string[]
let spreads: number[]
let putOffs: number[]

const client = () =>
  createClient({
    config: { apiBase: server.url, site: 'SITE1' },
    token: () => token,
    onFailure: (...failure) => failures.push(failure),
    onEventTime: (now) => times.push(now.toISOString()),
    onSpread: (ms) => spreads.push(ms),
    onPutOff: (ms) => putOffs.push(ms),
  })

beforeEach(async () => {
  server = await startWireServer()
  token = 'tok'
  failures = []
  times = []
  spreads = []
  putOffs = []
})
afterEach(() => server.close())

describe('leaving the page', () => {
  function clickLink() {
    document.body.innerHTML = '<a href="https://example.com/">x</a>'
    document.body.firstElementChild?.dispatchEvent(new MouseEvent('click', { bubbles: true }))
  }

  test.each<[string, () => unknown]>([
    ['beforeunload', () => dispatchEvent(new Event('beforeunload'))],
    ['pagehide', () => dispatchEvent(new Event('pagehide'))],
    ['a click on a link to another document', clickLink],
  ])('a call that ends after %s raises no toast', async (_name, leave) => {
    server.answer('GET /client/info', ok([]))
    const { missions } = client()
    await missions()
    expectConsoleError(/socket hang up/)
    server.answer('GET /client/info', null)
    // jsdom follows no links.
    if (leave === clickLink) expectConsoleError(/navigation/)
    leave()
    const wait = jest.spyOn(window, 'setTimeout')
    const rejected = expect(missions()).rejects.toMatchObject({ failure: 'unreachable' })
    // Until the failure waits to see whether the page stays.
    await until(() => wait.mock.calls.some(([, ms]) => ms === 20_000))
    dispatchEvent(new Event('pageshow'))
    await rejected
    expect(failures).toEqual([])
  })

  test.each([
    ['to a new tab', 'https://example.com/', { ctrlKey: true }],
    ['within the page', '#main', {}],
  ])('a link %s leaves no page', async (_name, href, keys) => {
    server.answer('GET /client/info', ok([]))
    const { missions } = client()
    await missions()
    if (href !== '#main') expectConsoleError(/navigation/)
    document.body.innerHTML = `<a href="${href}">x</a>`
    document.body.firstElementChild?.dispatchEvent(
      new MouseEvent('click', { bubbles: true, ...keys }),
    )
    expectConsoleError(/socket hang up/)
    server.answer('GET /client/info', null)
    await expect(missions()).rejects.toMatchObject({ failure: 'unreachable' })
    expect(failures).toHaveLength(1)
  })
})

describe('login', () => {
  // spec: login-call
  test('the login sends digits as text and reads the answer', async () => {
    token = undefined
    server.answer(
      'POST /client/login',
      ok({ required_address: '0', sign: 's1', username: 'demo01' }),
    )
    const result = await client().login({ username: 'demo01', lastBankNumber: '0042' })
    expect(result).toEqual({ ok: true, sign: 's1', username: 'demo01', needsAddress: false })
    expect(server.seen[0]?.body).toEqual({
      site: 'SITE1',
      username: 'demo01',
      lastBankNumber: '0042',
    })
    expect(server.seen[0]?.headers.authorization).toBeUndefined()
  })

  // spec: address-required-flag
  test.each([
    ...[0, '0', false, 'false', null, undefined, ''].map((flag) => [flag, false]),
    ...[1, '1', true, 'true'].map((flag) => [flag, true]),
  ])('required_address %p means that an address is needed: %p', async (flag, needsAddress) => {
    server.answer('POST /client/login', ok({ required_address: flag, sign: 's', username: 'u' }))
    expect(await client().login({ username: 'u', lastBankNumber: '1234' })).toMatchObject({
      needsAddress,
    })
  })

  // spec: login-without-sign
  test.each([{}, null, { sign: '' }])(
    'an answer without sign (%p) is a rejection',
    async (data) => {
      server.answer('POST /client/login', ok(data))
      expect(await client().login({ username: 'u', lastBankNumber: '1234' })).toEqual({ ok: false })
    },
  )
})

// spec: address-call
test('the address call carries the sign of the login', async () => {
  token = undefined
  server.answer('POST /client/update-info', ok(true))
  const address = { fullname: 'An', phoneNumber: '09', address: 'HN', note: '' }
  expect(await client().updateInfo(address, 'sign-1')).toBe(true)
  expect(server.seen[0]?.headers[SIGN_HEADER]).toBe('sign-1')
  expect(server.seen[0]?.body).toEqual({
    fullname: 'An',
    phone_number: '09',
    address: 'HN',
    note: '',
  })
  server.answer('POST /client/update-info', ok(false))
  expect(await client().updateInfo(address, 'sign-1')).toBe(false)
})

// spec: missions-call
test('missions are read with codes split and states known', async () => {
  server.answer('GET /client/info', {
    ...ok([
      { event_code_detail: 'A', name: 'a', code: ' X1, X2 ,,', claimed: 1, tickets: 2 },
      {
        event_code_detail: 'B',
        name: 'b',
        claimed: 7,
        progress: { kind: 'streak', value: 3, goal: 5 },
      },
    ]),
    headers: { [EVENT_TIME_HEADER]: '2025-08-20T13:00:00.000Z' },
  })
  expect(await client().missions()).toEqual([
    { id: 'A', name: 'a', claimed: 1, codes: ['X1', 'X2'], tickets: 2 },
    {
      id: 'B',
      name: 'b',
      claimed: 0,
      codes: [],
      tickets: 1,
      progress: { kind: 'streak', value: 3, goal: 5 },
    },
  ])
  expect(server.seen[0]?.headers).toMatchObject({
    authorization: 'Bearer tok',
    [SIGN_HEADER]: 'tok',
  })
  expect(times).toEqual(['2025-08-20T13:00:00.000Z'])
})

test.each([
  [{ kind: 'streak', value: 9, goal: 5 }, 5],
  [{ kind: 'streak', value: -1, goal: 5 }, 0],
  [{ kind: 'streak', goal: 5 }, undefined],
  [{ value: 3 }, undefined],
  [null, undefined],
])('progress %j is shown as %j', async (progress, shown) => {
  server.answer(
    'GET /client/info',
    ok([{ event_code_detail: 'A', name: 'a', claimed: 0, progress }]),
  )
  expect((await client().missions())[0]?.progress?.value).toBe(shown)
})

describe('take-code', () => {
  // spec: claim-codes
  test.each([[['A', ' B ']], ['A, B'], [{ code: ['A', 'B'] }], [{ code: 'A,B' }]])(
    'reads codes from %j',
    async (data) => {
      server.answer('POST /client/take-code', ok(data))
      expect(await client().takeCode({ mission: 'NAP 1' })).toEqual({ ok: true, codes: ['A', 'B'] })
      expect(server.seen[0]?.path).toBe('/client/take-code?event_code_detail=NAP+1')
    },
  )

  // spec: claim-call
  test('a claim sends share links and streak by their wire names', async () => {
    server.answer('POST /client/take-code', ok([]))
    await client().takeCode({ mission: 'CHIASE', shareLinks: ['a', 'b', 'c', 'd'] })
    await client().takeCode({
      mission: 'NAP_STREAK',
      streak: { start: '2025-08-11', end: '2025-08-15' },
    })
    expect(server.seen.map(({ body }) => body)).toEqual([
      { event_code_detail: 'CHIASE', share_links: ['a', 'b', 'c', 'd'] },
      {
        event_code_detail: 'NAP_STREAK',
        startTimeStreak: '2025-08-11',
        endTimeStreak: '2025-08-15',
      },
    ])
  })

  test("a refused claim resolves with the server's message", async () => {
    server.answer('POST /client/take-code', {
      body: { status_code: 422, message: 'Chưa đạt', data: null },
    })
    expect(await client().takeCode({ mission: 'A' })).toEqual({ ok: false, message: 'Chưa đạt' })
    expect(failures).toEqual([])
  })
})

describe('failures reach the interceptor once each', () => {
  // spec: server-message
  test('a refused call shows the message of the server', async () => {
    server.answer('GET /client/info', { status: 429, body: { message: 'Máy chủ nói' } })
    const error = { name: 'ApiError', failure: 'refused', status: 429 }
    await expect(client().missions()).rejects.toMatchObject(error)
    expect(failures).toEqual([['refused', 'Máy chủ nói', 429]])
  })

  test.each([
    ['HTTP 401', 'token', ['unauthorized', 'Máy chủ nói', 401]],
    [
      'no token',
      undefined,
      ['no-token', 'Token không tồn tại. Vui lòng đăng nhập lại!', undefined],
    ],
  ])("a member's call with %s is announced and never ends", async (_, found, failure) => {
    token = found
    server.answer('GET /client/info', { status: 401, body: { message: 'Máy chủ nói' } })
    const ended = jest.fn()
    void client().missions().then(ended, ended)
    await until(() => failures.length > 0)
    await settle()
    expect(failures).toEqual([failure])
    expect(ended).not.toHaveBeenCalled()
  })

  // spec: connection-text
  test('a failure without a message shows the connection text', async () => {
    server.answer('GET /client/info', { status: 500 })
    await expect(client().missions()).rejects.toMatchObject({ failure: 'refused' })
    expectConsoleError(/socket hang up/)
    server.answer('GET /client/info', null)
    await expect(client().missions()).rejects.toMatchObject({ failure: 'unreachable' })
    const text = 'Không thể kết nối đến máy chủ. Vui lòng thử lại sau!'
    expect(failures).toEqual([
      ['refused', text, 500],
      ['unreachable', text, undefined],
    ])
  })

  test('an answer without a list rejects without a toast', async () => {
    server.answer('GET /client/info', { body: { status_code: 422, data: null } })
    await expect(client().missions()).rejects.toMatchObject({ failure: 'refused' })
    expect(failures).toEqual([])
  })
})

describe('a call that the server puts off', () => {
  const putOff = (seconds: string) => ({
    status: 503,
    body: { message: 'Đang bận' },
    headers: { 'retry-after': seconds },
  })

  /** Waits pass at once; their milliseconds are recorded. */
  function skipWaits() {
    const { setTimeout } = globalThis
    const waits: number[] = []
    jest.spyOn(globalThis, 'setTimeout').mockImplementation((run, ms = 0) => {
      if (ms >= 1000) waits.push(ms)
      return setTimeout(run, ms >= 1000 ? 0 : ms)
    })
    return waits
  }

  test.each(['0', '', '1'])('a call put off for %p s is sent again as it was', async (seconds) => {
    const waits = skipWaits()
    server.answer('POST /client/take-code', putOff(seconds))
    const claimed = client().takeCode({ mission: 'A' })
    await until(() => server.seen.length >= 2)
    token = 'of another member'
    await until(() => server.seen.length >= 3)
    server.answer('POST /client/take-code', ok(['X1']))
    expect(await claimed).toEqual({ ok: true, codes: ['X1'] })
    expect(waits).toHaveLength(server.seen.length - 1)
    expect(failures).toEqual([])
    const sent = {
      body: { event_code_detail: 'A' },
      headers: { authorization: 'Bearer tok', [SIGN_HEADER]: 'tok' },
    }
    for (const call of server.seen) expect(call).toMatchObject(sent)
  })

  test("each wait is one to two times the server's, and reported", async () => {
    const waits = skipWaits()
    server.answer('GET /client/info', putOff('60'))
    const asked = client().missions()
    await until(() => server.seen.length >= 4)
    server.answer('GET /client/info', ok([]))
    expect(await asked).toEqual([])
    expect(putOffs).toEqual(waits)
    for (const ms of waits) expect(ms >= 60_000 && ms <= 120_000).toBe(true)
    expect(failures).toEqual([])
  })

  test('a put-off call waits again when its repeat finds no network', async () => {
    const waits = skipWaits()
    server.answer('POST /client/take-code', putOff('1'))
    const claimed = client().takeCode({ mission: 'A' })
    await until(() => putOffs.length > 0)
    expectConsoleError(/socket hang up/)
    server.answer('POST /client/take-code', null)
    const before = server.seen.length
    await until(() => server.seen.length >= before + 2 || failures.length > 0)
    server.answer('POST /client/take-code', ok(['X1']))
    expect(await claimed).toEqual({ ok: true, codes: ['X1'] })
    expect(putOffs).toEqual(waits)
    expect(waits.at(-1)).toBe(waits.at(-2))
    expect(failures).toEqual([])
  })

  test('a call put off for more than half an hour rejects', async () => {
    server.answer('GET /client/info', putOff('1900'))
    await expect(client().missions()).rejects.toMatchObject({ failure: 'refused', status: 503 })
    expect(failures).toEqual([['refused', 'Đang bận', 503]])
    expect(server.seen).toHaveLength(1)
  })

  test('a repeated call of a past session ends no other session', async () => {
    skipWaits()
    server.answer('GET /client/info', putOff('2'))
    const call = client().missions()
    await until(() => server.seen.length > 0)
    token = 'of another member'
    server.answer('GET /client/info', { status: 401, body: { message: 'Hết hạn' } })
    const ended = jest.fn()
    void call.then(ended, ended)
    const before = server.seen.length
    await until(() => server.seen.length > before)
    await settle()
    expect(failures).toEqual([])
    expect(ended).not.toHaveBeenCalled()
  })

  test('calls for the draws are repeated as one, for at most half an hour', async () => {
    const waits = skipWaits()
    const passed = () => waits.reduce((sum, ms) => sum + ms, 0)
    jest.spyOn(performance, 'now').mockImplementation(passed)
    server.answer('GET /client/draws', putOff('60'))
    const { draws } = client()
    expect(await Promise.all([draws(), draws(), draws()])).toEqual([[], [], []])
    expect(passed()).toBeGreaterThan(1_600_000)
    expect(passed()).toBeLessThan(1_800_000)
    expect(failures).toEqual([])
    expect(server.seen).toHaveLength(waits.length + 1)
  })
})

test.each([
  ['age', { age: '20' }, '2025-09-09T15:00:20.000Z'],
  [
    'the times of nginx',
    { 'last-modified': 'Tue, 09 Sep 2025 15:00:00 GMT', date: 'Tue, 09 Sep 2025 15:00:07 GMT' },
    '2025-09-09T15:00:07.000Z',
  ],
])('an answer from a cache sets the clock right by %s', async (_, headers, time) => {
  const own = { [EVENT_TIME_HEADER]: '2025-09-09T15:00:00.000Z', [SPREAD_HEADER]: '400' }
  server.answer('GET /client/draws', { ...ok([]), headers: { ...own, ...headers } })
  await client().draws()
  expect(times).toEqual([time])
  expect(spreads).toEqual([400_000])
})

test.each([
  ['GET /client/draws', () => client().draws()],
  ['GET /client/info', () => client().missions()],
])('an answer to %s that a frozen page gets late sets no clock', async (call, ask) => {
  server.answer(call, {
    ...ok([]),
    headers: { [EVENT_TIME_HEADER]: '2025-09-09T13:00:00.000Z' },
  })
  const now = Date.now
  const hour = 3_600_000
  jest.spyOn(Date, 'now').mockImplementation(() => now() + server.seen.length * hour)
  await ask()
  expect(times).toEqual([])
})

test("a list of missions carries the next stage's list", async () => {
  const missions = [{ event_code_detail: 'A', name: 'a', claimed: 2 }]
  const next = { at: '2025-09-09T17:00:00.000Z', missions }
  server.answer('GET /client/info', { body: { status_code: 200, data: [], next } })
  const shown = { id: 'A', name: 'a', claimed: 2, codes: [], tickets: 1 }
  expect((await client().missions()).next).toEqual({ at: new Date(next.at), missions: [shown] })
})

// spec: no-timeout
test('no call has a timeout', async () => {
  const timeout = jest.spyOn(XMLHttpRequest.prototype, 'timeout', 'set')
  server.answer('GET /client/info', ok([]))
  server.answer('POST /client/take-code', ok([]))
  await client().missions()
  await client().takeCode({ mission: 'A' })
  expect(timeout.mock.calls).toEqual([[0], [0]])
})

// spec: history-call
test("history shows a mission's identifier where it has no name", async () => {
  server.answer(
    'GET /client/history',
    ok({
      code_details: [
        { event_code_detail: 'A', code: ['C1', 'C2'], claimed_at: '2025-08-20T20:00:00+07:00' },
      ],
      giftcode_trade: [{ giftcode: 'G' }],
    }),
  )
  expect(await client().history()).toEqual({
    ok: true,
    tickets: [
      {
        mission: 'A',
        name: 'A',
        codes: ['C1', 'C2'],
        voided: [],
        claimedAt: '2025-08-20T20:00:00+07:00',
        prizes: [],
        lists: [],
      },
    ],
    giftcodes: [{ giftcode: 'G', tradedAt: '' }],
    lastDraw: 0,
  })
  server.answer('GET /client/history', { body: { status_code: 500, data: null } })
  expect(await client().history()).toEqual({ ok: false })
})

describe('another API host', () => {
  test('may write numbers as text, codes as numbers and null for what it lacks', async () => {
    const mission = { event_code_detail: 'A', name: 'A', code: 123456, claimed: '2' }
    server.answer('GET /client/info', { body: { status_code: '200', data: [mission] } })
    expect(await client().missions()).toMatchObject([{ claimed: 2, codes: ['123456'] }])
    const won = { code: 'C', draw: 1, prize: 'P' }
    const prizes = [{ ...won, giftcode: true, delivery: null }, won]
    const ticket = { event_code_detail: 7, name: null, code: 1, claimed_at: 5, prizes }
    const trade = { giftcode: 'G', traded_at: 5 }
    server.answer('GET /client/history', {
      body: { status_code: '200', data: { code_details: [ticket], giftcode_trade: [trade] } },
    })
    expect(await client().history()).toMatchObject({
      tickets: [
        {
          mission: '7',
          name: '7',
          codes: ['1'],
          claimedAt: '5',
          prizes: [{ ...won, isGiftcode: true }, won],
        },
      ],
      giftcodes: [{ tradedAt: '5' }],
    })
  })

  test.each([[''], [['Sai']], [{ share_links: ['Sai'] }]])(
    'a refusal whose message is %j has none',
    async (message) => {
      server.answer('POST /client/take-code', { body: { status_code: 422, message, data: null } })
      expect(await client().takeCode({ mission: 'A' })).toEqual({ ok: false })
    },
  )
})

test('the draws need no token and fail silently', async () => {
  token = undefined
  expect(await client().draws()).toEqual([])
  const won = { draw: 1, prize: 'Xe máy', codes: ['A', 'B'] }
  const list = { draw: 1, count: 2, sha256: '9f3c' }
  const frozen = [{ ...list, frozen_at: '2025-09-09T18:00:00+07:00' }]
  server.answer('GET /client/draws', { ...ok([won]), body: { ...ok([won]).body, frozen } })
  const found = await client().draws()
  expect([...found]).toEqual([won])
  expect(found.frozen).toEqual([{ ...list, frozenAt: '2025-09-09T18:00:00+07:00' }])
  server.answer('GET /client/draws', { status: 404, body: { message: 'Not found', data: null } })
  expect(await client().draws()).toEqual([])
  expect(failures).toEqual([])
})

// spec: check-call-missing
test('an API host without the check call counts as unsupported', async () => {
  server.answer('POST /client/check', { status: 404, body: { message: 'Not found' } })
  expect(await client().check({ by: 'code', value: 'X' })).toEqual({ by: 'unsupported' })
  expect(failures).toEqual([])
})
