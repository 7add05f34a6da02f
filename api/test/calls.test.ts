import { livezAnswer } from '@anniversary/shared/contract/api-version'
import { errorsSchema } from '@anniversary/shared/contract/report'
import {
  checkData,
  drawsAnswer,
  drawsData,
  envelope,
  historyData,
  loginData,
  missionData,
  takeCodeData,
  tradeData,
} from '@anniversary/shared/contract/wire'
import { beforeAll, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { z } from 'zod'
import { BATCH_LIMIT } from '../src/backoffice/contract.ts'
import { REPORT_BYTES } from '../src/reports/routes.ts'
import type { Answer, Call } from './caller.ts'
import { cspReport, failureReport } from './failure-report.ts'
import { LINKS, REPORTS_KEY, SERVICE_KEY, startTestApi } from './test-api.ts'

const api = await startTestApi()

const account = 'caller01'
let token: string
beforeAll(async () => {
  const { codes, ...holder } = await api.addHolder({ account })
  token = holder.token
  await api.win(codes[0])
  await api.trade(token)
  await api.win(codes[1])
  await api.act(account, ['2025-08-11', 'deposit', 15_000])
  await api.win((await api.claim(token, 'NAP_15000')).body.data[0], { giftcode: null })
})

const at = '2025-08-11T09:30:00+07:00'
const { site } = api.config
const event = {
  source: 's',
  ref: 'r',
  username: account,
  kind: 'deposit',
  amount: 300,
  occurred_at: at,
}
const completion = { username: account, event_code_detail: 'NAP_10LAN', completed_at: at }
const batch = z.object({ accepted: z.literal(1), repeated: z.literal(0), refused: z.tuple([]) })
const status = z.object({ status: z.literal('ok') })
const some = <T extends z.ZodType>(of: T) => z.array(of).min(1)

type Guard = 'nobody' | 'member' | 'back office' | 'reports'
const CALLS: readonly (readonly [
  name: string,
  guard: Guard,
  body: object | undefined,
  data: z.ZodType,
])[] = [
  [
    'POST /api/client/login',
    'nobody',
    { site, username: account, lastBankNumber: '1234' },
    loginData,
  ],
  [
    'POST /api/client/update-info',
    'member',
    { fullname: 'An', phone_number: '0900', address: 'Huế', note: '' },
    z.literal(true),
  ],
  ['GET /api/client/info', 'member', undefined, some(missionData).length(6)],
  ['POST /api/client/take-code', 'member', { event_code_detail: 'NAP_300' }, takeCodeData],
  ['POST /api/client/lottery/trade-giftcode', 'member', undefined, tradeData.length(1)],
  [
    'GET /api/client/history',
    'member',
    undefined,
    historyData.extend({
      giftcode_trade: tradeData.length(2),
      code_details: historyData.shape.code_details.length(3),
    }),
  ],
  ['GET /api/client/draws', 'nobody', undefined, drawsData.length(1)],
  ['POST /api/client/check', 'nobody', { site, by: 'username', value: account }, checkData],
  ['POST /api/users/activity', 'back office', { events: [event] }, batch],
  ['POST /api/users/mission/completed', 'back office', { completions: [completion] }, batch],
  ['POST /api/reports', 'nobody', failureReport, z.null()],
  ['POST /api/reports', 'nobody', [cspReport], z.null()],
  ['GET /api/reports/errors', 'reports', undefined, errorsSchema],
  [
    'GET /livez',
    'nobody',
    undefined,
    livezAnswer.required({ site: true, share_host: true }).strict(),
  ],
  ['GET /healthz', 'nobody', undefined, status],
  ['GET /metrics', 'reports', undefined, z.string()],
  ['POST /api/client/logout', 'member', undefined, z.literal(true)],
]
function schemaOf(name: string, data: z.ZodType): z.ZodType {
  if (name.endsWith('/draws')) return drawsAnswer.extend({ data })
  return name.includes(' /api/') ? envelope(data) : data
}
function callOf(name: string, payload?: unknown): Call {
  const [method = '', url = ''] = name.split(' ')
  return { method, url, payload }
}
const credentials = (guard: Guard) =>
  ({
    nobody: {},
    member: { token },
    'back office': { key: SERVICE_KEY },
    reports: { key: REPORTS_KEY },
  })[guard]
function expectProblem(
  name: string,
  answer: Answer,
  status: number,
  message: unknown = expect.any(String),
): void {
  expect([name, answer.status]).toEqual([name, status])
  expect(answer.body).toMatchObject({ status_code: status, message, data: null })
}

// spec: calls-need-token
test('a call without valid credentials is refused', async () => {
  for (const [name, guard, body] of CALLS) {
    if (guard === 'nobody') continue
    const expectRefused = async (key: string, text: string) =>
      expectProblem(
        name,
        await api.call({ ...callOf(name, body), key }),
        401,
        guard === 'member' ? text : 'Khóa dịch vụ không hợp lệ',
      )
    if (guard === 'reports') await expectRefused(SERVICE_KEY, '')
    if (guard === 'back office') await expectRefused(REPORTS_KEY, '')
    await expectRefused('', 'Token không tồn tại. Vui lòng đăng nhập lại!')
    // A logout may be repeated.
    if (!name.endsWith('/logout'))
      await expectRefused('dead', 'Phiên đăng nhập đã hết hạn. Vui lòng đăng nhập lại để tiếp tục!')
  }
})

// spec: calls-fail-as-declared
test.each([
  ['no sense', 400, { payload: {} }],
  ['half a body', 400, { payload: '{"a":' }],
  ['no body', 400, { payload: '' }],
  ['a poisoned prototype', 400, { payload: '{"__proto__":{"x":1}}' }],
  [
    'a form',
    415,
    { payload: 'a=b', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  ],
  ['too much', 413, { payload: { x: 'x'.repeat(BATCH_LIMIT * 1500) } }],
])('a call fails with a message for %s', async (_name, status, wrong) => {
  for (const [name, guard, body] of CALLS)
    if (body)
      expectProblem(
        name,
        await api.call({ ...callOf(name), ...credentials(guard), ...wrong }),
        status,
      )
})

test('only reports may be sent as text', async () => {
  const text = { payload: '{}', headers: { 'content-type': 'text/plain' } }
  for (const [name, guard, body] of CALLS)
    if (body)
      expectProblem(
        name,
        await api.call({ ...callOf(name), ...credentials(guard), ...text }),
        name.endsWith('/reports') ? 400 : 415,
      )
})

// spec: calls-succeed-as-declared
test('every call answers its declared data and nothing else', async () => {
  api.setNow('2025-09-10T12:00:00+07:00')
  for (const [name, guard, body, data] of CALLS) {
    const answer = await api.call({ ...callOf(name, body), ...credentials(guard) })
    expect([name, answer.status]).toEqual([name, 200])
    expect(answer.headers).toMatchObject({
      'cache-control': name.endsWith('/draws') ? expect.stringMatching(/^public, /) : 'no-store',
      'x-content-type-options': 'nosniff',
    })
    const declared = schemaOf(name, data)
    // Parsing drops undeclared fields.
    expect([name, declared.parse(answer.body)]).toEqual([name, answer.body])
  }
})

test('an undecodable path gets the usual headers', async () => {
  const answer = await api.call({ url: '/api/%zz' })
  expectProblem('/api/%zz', answer, 400)
  expect(answer.headers).toMatchObject({
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-request-id': expect.any(String),
  })
})

const nasty = fc.constantFrom<unknown>(
  "'; DROP TABLE ticket; --",
  '../../../../etc/passwd',
  '\u0000',
  '\uD800',
  '\uFFFF\u202E\u200B',
  'A'.repeat(70_000),
  '__proto__',
  'NaN',
  '9'.repeat(400),
  '2025-02-30',
  '0000-01-01',
  '-271821-04-20',
  '99999-12-31',
  '2025-08-20T20:00:00+99:99',
  'https://facebook.com:99999/',
  'http://[::1',
  'https://facebook.com/%00an',
  ...[-0, -1, 1.005, 1e21, 1e308, 2 ** 53, 5e-324],
)
const anyText = fc.string({ unit: 'binary', maxLength: 60 })
const anything = fc.oneof(
  { weight: 8, arbitrary: nasty },
  anyText,
  fc.double(),
  fc.anything({ key: anyText, maxDepth: 3 }),
)
const broken = fc.constantFrom<string | Uint8Array>(
  '{',
  '['.repeat(20_000),
  '{"username":"\\ud800abc","lastBankNumber":"1234","site":"ANNIVERSARY"}',
  '\uFEFF{}',
  'x'.repeat(300_000),
  Uint8Array.from([0x7b, 0xff, 0x7d]),
)
const keysOf = (value: unknown): string[] =>
  Object.entries(value instanceof Object ? value : {}).flatMap(([key, inner]) => [
    key,
    ...keysOf(inner),
  ])

const requests = fc.constantFrom<
  readonly [name: string, guard: Guard, body: object | undefined, ...unknown[]]
>(
  ...CALLS.filter(([name]) => !name.endsWith('/logout')),
  ['POST /api/client/take-code', 'member', { event_code_detail: 'CHIASE', share_links: LINKS }],
  [
    'POST /api/client/take-code',
    'member',
    { event_code_detail: 'NAP_STREAK', startTimeStreak: '2025-08-11', endTimeStreak: '2025-08-15' },
  ],
  [
    'POST /api/client/take-code',
    'member',
    { event_code_detail: 'NAP_STREAK', startTimeStreak: '0000-01-01', endTimeStreak: '0000-01-02' },
  ],
  ['POST /api/client/take-code?event_code_detail[a]=2&__proto__[x]=%00', 'member', {}],
  ['GET /api/%E0%A4%A', 'nobody', undefined],
  [`GET /api/${'a'.repeat(4000)}`, 'nobody', undefined],
)
const someHeaders = fc.dictionary(
  fc.constantFrom(
    'x-sign-key',
    'authorization',
    'cookie',
    'x-request-id',
    'x-forwarded-for',
    'accept',
  ),
  anyText.map((value) => value.replace(/[^\x20-\x7e]/g, '?')),
  { maxKeys: 2 },
)

/** What no answer may contain. */
const LEAK =
  /\n\s+at |node_modules|\.ts:\d|file:\/\/|SELECT |INSERT |syntax error|invalid input|violates|ZodError/
/** The server closes the connection of a body that is too large. */
const mayLoseConnection = (payload: unknown): boolean =>
  Buffer.from(payload instanceof Uint8Array ? payload : String(payload)).length > REPORT_BYTES
const REQUESTS = Number(process.env.FUZZ ?? 500)

test('no malformed request causes a 5xx or reveals internals', async () => {
  ;({ token } = await api.addSession())
  let refused = 0
  const malformed = fc.asyncProperty(
    requests,
    fc.nat(),
    anything,
    fc.oneof({ weight: 8, arbitrary: fc.constant(undefined) }, broken),
    someHeaders,
    async ([name, guard, body], field, bad, brokenBody, headers) => {
      const keys = ['', ...keysOf(body)]
      const badKey = keys[field % keys.length]
      const withBadField = JSON.stringify(body, (key, value) => (key === badKey ? 'BAD' : value))
      const payload =
        body &&
        (brokenBody ?? withBadField.replaceAll('"BAD"', () => JSON.stringify(bad) ?? 'null'))
      const call = { ...callOf(name, payload), ...credentials(guard), headers }
      const answer = await api.call(call).catch((error) => {
        if (!mayLoseConnection(payload) || error instanceof SyntaxError) throw error
      })
      if (!answer) return
      expect(answer.status).toBeLessThan(500)
      expect(JSON.stringify(answer.body)).not.toMatch(LEAK)
      if (answer.status < 400) return
      refused++
      expectProblem(name, answer, answer.status, expect.stringMatching(/\p{L}/u))
    },
  )
  await fc.assert(malformed, { numRuns: REQUESTS })
  expect(refused).toBeGreaterThan(REQUESTS / 4)
  expect(await api.isSound()).toBe(true)
})
