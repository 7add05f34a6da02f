import fc from 'fast-check'
import { SERVICE_KEY } from './api-process.ts'

/** One bad, or at best senseless, request. */
export interface BadRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
}

const nasty = fc.constantFrom(
  "' OR '1'='1",
  "'; DROP TABLE ticket; --",
  '1); DELETE FROM member; --',
  '$1',
  '%s%n%x',
  '#{7*7}',
  '{{constructor}}',
  '../../../../etc/passwd',
  '\u0000',
  '\uD800',
  '\uFFFF\u202E\u200B',
  '😀'.repeat(50),
  'ﷺ'.repeat(40),
  'A'.repeat(70_000),
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'null',
  'NaN',
  '9'.repeat(400),
  '-0',
  '1e309',
  '2025-02-30',
  '0000-00-00',
  '-271821-04-20',
  '275760-09-13',
  '99999-12-31',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59+00:00',
  '2025-08-20T20:00:00+99:99',
  'NAP_300',
  'NAP_STREAK',
  'CHIASE',
  'javascript:alert(1)//facebook.com',
  'https://facebook.com:99999/',
  'http://[::1',
  '\r\nSet-Cookie: a=b',
)
const text = fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ maxLength: 20 }))
const number = fc.oneof(
  fc.constantFrom(0, -0, -1, 0.1, 1.005, 1e21, 1e308, -1e308, 2 ** 53, -(2 ** 63), 5e-324),
  fc.double(),
  fc.integer(),
)
const value = fc.anything({
  values: [text, number, fc.boolean(), fc.constant(null)],
  key: text,
  maxDepth: 4,
  maxKeys: 6,
})

/** A value that the server may take for each field, so that requests get past the schemas. */
const PLAUSIBLE: Readonly<Record<string, readonly unknown[]>> = {
  site: ['ANNIVERSARY'],
  username: ['demo01', 'demo02'],
  lastBankNumber: ['0000'],
  address: ['1 Lê Lợi'],
  fullname: ['An'],
  phone_number: ['0900'],
  note: [''],
  event_code_detail: ['NAP_300', 'NAP_STREAK', 'CHIASE'],
  startTimeStreak: ['2025-08-11'],
  endTimeStreak: ['2025-08-15'],
  by: ['username', 'code'],
  value: ['demo01'],
  source: ['cashier'],
  ref: ['1', '2'],
  kind: ['deposit', 'bet', 'reversal'],
  amount: [1, 300],
  occurred_at: ['2025-08-11T09:00:00+07:00'],
  completed_at: ['2025-08-11T09:00:00+07:00'],
  reverses: ['1'],
  tickets: [1, 6],
  share_links: [['a', 'b', 'c', 'd']],
}
/** A body of these fields: each plausible, or only a text, or anything, or not there. */
const bodyOf = (...names: string[]) =>
  fc.record(
    Object.fromEntries(
      names.map((name) => [name, fc.oneof(fc.constantFrom(...(PLAUSIBLE[name] ?? [])), text, number, value)]),
    ),
    { requiredKeys: names.slice(0, 2) },
  )
const manyOf = (arbitrary: fc.Arbitrary<unknown>) => fc.array(fc.oneof(arbitrary, value), { maxLength: 8 })
const shaped = fc.oneof(
  bodyOf('site', 'username', 'lastBankNumber'),
  bodyOf('site', 'by', 'value'),
  bodyOf('address', 'fullname', 'phone_number', 'note'),
  bodyOf('event_code_detail', 'startTimeStreak', 'endTimeStreak', 'share_links'),
  fc.record({
    events: manyOf(bodyOf('source', 'ref', 'username', 'kind', 'amount', 'occurred_at', 'reverses')),
  }),
  fc.record({ completions: manyOf(bodyOf('username', 'event_code_detail', 'completed_at', 'tickets')) }),
  fc.dictionary(fc.constantFrom(...Object.keys(PLAUSIBLE)), value, { maxKeys: 8 }),
  value,
)

const broken = fc.constantFrom(
  '',
  '{',
  '[',
  '"',
  'null',
  '0',
  'true',
  '{"a":1,}',
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{"isAdmin":true}}}',
  '{"username":"abc","username":"def"}',
  '['.repeat(20_000),
  `{"a":${'9'.repeat(5000)}}`,
  '{"username":"\\u0000","lastBankNumber":"1234","site":"ANNIVERSARY"}',
  '{"username":"\\ud800abc","lastBankNumber":"1234","site":"ANNIVERSARY"}',
  '\uFEFF{}',
  'x'.repeat(300_000),
)
const body: fc.Arbitrary<string | Uint8Array | undefined> = fc.oneof(
  { weight: 6, arbitrary: shaped.map((v) => JSON.stringify(v) ?? '') },
  { weight: 2, arbitrary: broken },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  { weight: 1, arbitrary: fc.constant(undefined) },
)

const path = fc.oneof(
  {
    weight: 9,
    arbitrary: fc.constantFrom(
      '/api/client/login',
      '/api/client/info',
      '/api/client/update-info',
      '/api/client/take-code',
      '/api/client/take-code?event_code_detail=NAP_300',
      '/api/client/take-code?event_code_detail=%00',
      '/api/client/take-code?event_code_detail[]=1&event_code_detail[a]=2',
      '/api/client/take-code?__proto__[x]=1',
      '/api/client/history',
      '/api/client/check',
      '/api/client/lottery/trade-giftcode',
      '/api/users/activity',
      '/api/users/mission/completed',
      '/api/docs',
      '/metrics',
      '/healthz',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.oneof(
      fc.constantFrom(
        '/',
        '/api',
        '/api/',
        '/api/%',
        '/api/%E0%A4%A',
        '/api/client/../users/activity',
        '/api//client/login',
        '/api/client/login/',
        `/api/${'a'.repeat(4000)}`,
        '/api/client/%2e%2e/%2e%2e/etc/passwd',
        '/api/client/info?'.concat('a=1&'.repeat(500)),
      ),
      fc.webPath().map((p) => `/api${p}`),
    ),
  },
)

/** What an HTTP header may hold, of any text. */
const headerValue = text.map((t) => t.replace(/[^\t\x20-\x7e]/g, '?').slice(0, 3000))
const headers = (token: string) =>
  fc
    .record(
      {
        'content-type': fc.oneof(
          { weight: 8, arbitrary: fc.constant('application/json') },
          {
            weight: 2,
            arbitrary: fc.constantFrom(
              'text/plain',
              'application/xml',
              'application/x-www-form-urlencoded',
              'multipart/form-data; boundary=x',
              'application/json; charset=utf-16',
              'application/json; charset=nonsense',
              ';',
              '',
            ),
          },
        ),
        'content-encoding': fc.constantFrom('gzip', 'br', 'nonsense'),
        'x-sign-key': fc.oneof(
          { weight: 3, arbitrary: fc.constant(token) },
          { weight: 1, arbitrary: headerValue },
        ),
        authorization: fc.oneof(
          fc.constant(`Bearer ${SERVICE_KEY}`),
          headerValue.map((v) => `Bearer ${v}`),
          headerValue,
        ),
        'x-service-key': fc.oneof(fc.constant(SERVICE_KEY), headerValue),
        cookie: headerValue.map((v) => `anniversary-device=${v}`),
        'x-request-id': headerValue,
        'x-forwarded-for': fc.oneof(fc.ipV4(), fc.ipV6(), headerValue),
        accept: headerValue,
        'accept-version': headerValue,
        expect: fc.constantFrom('100-continue', 'nonsense'),
      },
      { requiredKeys: ['content-type', 'x-sign-key', 'x-service-key'] },
    )
    .chain(({ expect, 'content-encoding': encoding, ...rest }) =>
      // What keeps a request from the routes is rare.
      fc.nat({ max: 40 }).map((chance) => ({
        ...rest,
        ...(expect && chance === 0 && { expect }),
        ...(encoding && chance === 1 && { 'content-encoding': encoding }),
      })),
    )

const method = fc.oneof(
  { weight: 8, arbitrary: fc.constant('POST') },
  { weight: 2, arbitrary: fc.constantFrom('GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD', 'TRACE') },
)

/** Claims whose links are of the share host and pass every rule but those of the database that stores them. */
const shareClaim = fc
  .uniqueArray(text, { minLength: 4, maxLength: 4 })
  .map((texts) => texts.map((each) => `https://facebook.com/${each}`))
  .map((share_links) => JSON.stringify({ event_code_detail: 'CHIASE', share_links }))

/** Requests to send with a member's token. */
export const badRequest = (token: string): fc.Arbitrary<BadRequest> =>
  fc.oneof(
    { weight: 14, arbitrary: fc.record({ method, path, headers: headers(token), body }) },
    {
      weight: 1,
      arbitrary: shareClaim.map((claim) => ({
        method: 'POST',
        path: '/api/client/take-code',
        headers: { 'content-type': 'application/json', 'x-sign-key': token },
        body: claim,
      })),
    },
  )

/** Bytes that are not even HTTP, or only nearly. */
export const badBytes: readonly string[] = [
  '\r\n\r\n',
  'GET\r\n\r\n',
  'GET / HTTP/9.9\r\n\r\n',
  'POST /api/client/login HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
  'POST /api/client/login HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef',
  'POST /api/client/login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\nabc',
  'POST /api/client/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  'GET /api/client/info HTTP/1.1\r\nHost: x\r\nx-sign-key: a\0b\r\n\r\n',
  'GET /api/client/info HTTP/1.1\r\n bad: header\r\n\r\n',
  `GET /api/client/info HTTP/1.1\r\nHost: x\r\nx: ${'y'.repeat(40_000)}\r\n\r\n`,
  `GET /${'z'.repeat(40_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
]
