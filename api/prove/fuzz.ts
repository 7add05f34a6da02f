import fc from 'fast-check'
import { SERVICE_KEY, startApi } from './api-process.ts'
import { checkSound, login } from './members.ts'
import { check, inFolder, proof } from './report.ts'

/** The parts of a JSON schema that our calls use. */
interface Schema {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
}
interface OpenApi {
  readonly paths: Readonly<
    Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Schema }> } }>>
  >
}

/** One bad, or at best senseless, request. */
interface BadRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer>
}

const nasty = fc.constantFrom(
  "'; DROP TABLE ticket; --",
  '$1',
  '../../../../etc/passwd',
  '\u0000',
  '\uD800',
  '\uFFFF\u202E\u200B',
  'ﷺ'.repeat(40),
  'A'.repeat(70_000),
  '__proto__',
  'NaN',
  '9'.repeat(400),
  '2025-02-30',
  '-271821-04-20',
  '99999-12-31',
  '2025-08-20T20:00:00+99:99',
  'javascript:alert(1)//facebook.com',
  'https://facebook.com:99999/',
  'http://[::1',
  '\r\nSet-Cookie: a=b',
)
const anyText = fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ maxLength: 20 }))
const anyNumber = fc.oneof(
  fc.constantFrom(0, -0, -1, 1.005, 1e21, 1e308, 2 ** 53, -(2 ** 63), 5e-324),
  fc.double(),
  fc.integer(),
)
const anything = fc.anything({
  values: [anyText, anyNumber, fc.boolean(), fc.constant(null)],
  key: anyText,
  maxDepth: 4,
  maxKeys: 6,
})

/** Values that the server may take, by field, so that requests get past the schemas. */
const PLAUSIBLE: Readonly<Record<string, readonly unknown[]>> = {
  site: ['ANNIVERSARY'],
  username: ['demo01', 'demo02'],
  event_code_detail: ['NAP_300', 'NAP_STREAK', 'CHIASE'],
  startTimeStreak: ['2025-08-11'],
  endTimeStreak: ['2025-08-15'],
  amount: [1, 300],
  occurred_at: ['2025-08-11T09:00:00+07:00'],
  share_links: [['a', 'b', 'c', 'd'], [1, 2, 3, 4].map((n) => `https://facebook.com/${n}\uD800`)],
}

/** A value of the schema, or what is none. */
function arbitraryOf(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  const { properties, items, anyOf = [], oneOf = [], enum: among = [] } = schema
  const good: fc.Arbitrary<unknown>[] = [...anyOf, ...oneOf].map((each) => arbitraryOf(each))
  const known = [...among, ...('const' in schema ? [schema.const] : []), ...(PLAUSIBLE[name] ?? [])]
  if (known.length > 0) good.push(fc.constantFrom(...known))
  if (items) good.push(fc.array(arbitraryOf(items), { maxLength: 8 }))
  if (properties) {
    const fields = Object.entries(properties).map(([key, each]) => [key, arbitraryOf(each, key)] as const)
    good.push(fc.record(Object.fromEntries(fields), { requiredKeys: Object.keys(properties).slice(0, 2) }))
  }
  return fc.oneof(
    ...good.map((arbitrary) => ({ weight: 8, arbitrary })),
    { weight: 2, arbitrary: anyText },
    { weight: 1, arbitrary: anyNumber },
    { weight: 1, arbitrary: anything },
  )
}

const broken = fc.constantFrom(
  '',
  '{',
  '{"__proto__":{"isAdmin":true}}',
  '['.repeat(20_000),
  '{"username":"\\u0000","lastBankNumber":"1234","site":"ANNIVERSARY"}',
  '{"username":"\\ud800abc","lastBankNumber":"1234","site":"ANNIVERSARY"}',
  '\uFEFF{}',
  'x'.repeat(300_000),
)
const paths = fc.oneof(
  fc.constantFrom(
    '/api/%',
    '/api/%E0%A4%A',
    `/api/${'a'.repeat(4000)}`,
    '/api/client/take-code?event_code_detail[]=1&event_code_detail[a]=2',
    '/api/client/take-code?__proto__[x]=%00',
  ),
  fc.webPath().map((path) => `/api${path}`),
)
/** What an HTTP header may hold, of any text. */
const anyHeader = anyText.map((value) => value.replace(/[^\t\x20-\x7e]/g, '?').slice(0, 3000))
const OTHER_HEADERS = ['authorization', 'x-request-id', 'x-forwarded-for', 'accept']
const mostly = (usual: string, other: fc.Arbitrary<string>) =>
  fc.oneof({ weight: 8, arbitrary: fc.constant(usual) }, { weight: 2, arbitrary: other })

/** Requests of the calls in the OpenAPI document, and of paths that are none. */
function badRequests({ paths: calls }: OpenApi, token: string): fc.Arbitrary<BadRequest> {
  const known = Object.entries(calls).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { requestBody }]) =>
      fc.record({
        path: fc.constant(path),
        method: mostly(method.toUpperCase(), fc.constantFrom('GET', 'PUT', 'DELETE', 'OPTIONS', 'HEAD')),
        body: fc.oneof(
          {
            weight: 7,
            arbitrary: arbitraryOf(requestBody?.content['application/json']?.schema ?? {}).map(
              (value) => JSON.stringify(value) ?? '',
            ),
          },
          { weight: 2, arbitrary: broken },
          { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes)) },
        ),
      }),
    ),
  )
  const other = fc.record({ path: paths, method: mostly('POST', fc.constant('GET')), body: broken })
  const usual = {
    'content-type': 'application/json',
    'x-sign-key': token,
    'x-service-key': SERVICE_KEY,
    cookie: 'anniversary-device=%E0.=',
  }
  const name = fc.constantFrom(...Object.keys(usual), ...OTHER_HEADERS)
  const headers = fc.dictionary(name, anyHeader, { maxKeys: 3 }).map((some) => ({ ...usual, ...some }))
  return fc
    .tuple(fc.oneof({ weight: 9, arbitrary: fc.oneof(...known) }, { weight: 1, arbitrary: other }), headers)
    .map(([call, headers]) => ({ ...call, headers }))
}

const CLIENTS = 16
/** Longer than any answer may take, also on a busy machine. */
const PATIENCE_MS = 30_000

interface Answer {
  readonly status: number
  readonly body: string
}

/** @returns the answer; status 0 when Node refuses to send it, or when the server hung up */
async function send(origin: string, { method, path, headers, body }: BadRequest): Promise<Answer> {
  const signal = AbortSignal.timeout(PATIENCE_MS)
  const payload = method === 'GET' || method === 'HEAD' ? {} : { body }
  try {
    const response = await fetch(`${origin}${path}`, { method, headers, signal, ...payload })
    return { status: response.status, body: await response.text() }
  } catch {
    check(!signal.aborted, `an answer within ${PATIENCE_MS} ms`)
    return { status: 0, body: '' }
  }
}

/** Must never be in an answer: a stack, a file name, SQL or a message of the database. */
const LEAK =
  /\n\s+at |node_modules|\.ts:\d|file:\/\/|SELECT |INSERT |syntax error|invalid input syntax|violates|ZodError/

function judge({ status, body }: Answer, sent: BadRequest): void {
  const what = `${sent.method} ${sent.path.slice(0, 80)} ${JSON.stringify(sent.headers).slice(0, 300)} ${String(sent.body).slice(0, 300)}`
  check(status < 500, `an answer below 500: got ${status} ${body.slice(0, 200)} to ${what}`)
  check(!LEAK.test(body), `an answer without our insides: ${body.slice(0, 200)} to ${what}`)
  if (status < 400 || sent.method === 'HEAD') return
  check(body.startsWith('{'), `an envelope: ${status} ${JSON.stringify(body.slice(0, 200))} to ${what}`)
  const { status_code, message } = JSON.parse(body)
  check(
    status_code === status && /\p{L}/u.test(message),
    `an envelope with words: ${body.slice(0, 200)} to ${what}`,
  )
}

/** Logs in from an address at which no request has failed. */
const loginElsewhere = (origin: string) =>
  login(origin, 'demo01', '1234', { 'x-forwarded-for': '198.51.100.7' })

/**
 * Sends generated bad requests to a real process: no 5xx, no crash, no stack trace, no hang, and a sound database
 * afterwards.
 * @returns how many answers had each status
 */
async function proveFuzz(folder: string, count: number, seed: number): Promise<Record<string, number>> {
  const server = await startApi({ DATA_DIR: folder, DEMO: '1', TRUST_PROXY: '1', LOG_LEVEL: 'error' })
  const { origin } = server
  const statuses: Record<string, number> = {}
  try {
    const token = await loginElsewhere(origin)
    const calls = (await (await fetch(`${origin}/api/docs`)).json()) as OpenApi
    const requests = fc.sample(badRequests(calls, token), { numRuns: count, seed })
    let next = 0
    const client = async () => {
      for (let sent = requests[next++]; sent; sent = requests[next++]) {
        const answer = await send(origin, sent)
        judge(answer, sent)
        check(server.isAlive(), `the process lives: ${server.log()}`)
        statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
      }
    }
    await Promise.all(Array.from({ length: CLIENTS }, client))
    check((await fetch(`${origin}/healthz`)).status === 200, 'the server is ready afterwards')
    check((await loginElsewhere(origin)).length > 0, 'members can log in afterwards')
  } finally {
    await server.stop()
  }
  check(
    !/"level":(50|60)/.test(server.log()),
    `nothing was logged as an error: ${server.log().slice(0, 500)}`,
  )
  await checkSound({ folder })
  return statuses
}

await proof(import.meta.url, { requests: 10_000, seed: Date.now() }, async ({ requests, seed }) => {
  console.log(`seed ${seed}`)
  console.table(await inFolder((folder) => proveFuzz(folder, requests, seed)))
  return `${requests} bad requests (seed ${seed}): no 5xx, no crash, no stack trace`
})
