import { afterEach, describe, expect, test } from '@jest/globals'
import pg from 'pg'
import { BUSY, beginLogin, callerOf } from '../test/caller.ts'
import { newDatabaseUrl } from '../test/database.ts'
import { startTestApi } from '../test/test-api.ts'
import { type Api, createApi, StartupError } from './create-api.ts'
import { readConfiguration } from './server/config.ts'

const opened: Api[] = []
afterEach(() => Promise.all(opened.splice(0).map((api) => api.close())))

async function open(env: Record<string, string> = {}) {
  const own = {
    DATABASE_URL: env.DATABASE_URL ?? (await newDatabaseUrl()),
    EVENT_NOW: '2025-08-20T20:00:00+07:00',
    DEMO: '1',
    REPORTS_KEY: 'key-of-the-reports',
    LOG_LEVEL: 'silent',
    LOGIN_PEPPER: 'a pepper of the tests',
  }
  const api = await createApi(readConfiguration({ ...own, ...env }))
  opened.push(api)
  const origin = await api.app.listen({ port: 0, host: '127.0.0.1' })
  return { close: api.close, origin, call: callerOf(origin) }
}
const loginOf = (username: string, lastBankNumber: string) => ({
  url: '/api/client/login',
  payload: { site: 'ANNIVERSARY', username, lastBankNumber },
})

test('the server loads the demo once, with the states of the README', async () => {
  const env = { DATABASE_URL: await newDatabaseUrl() }
  const { call, close } = await open(env)
  const visit = async (send: typeof call, account: string, digits: string) => {
    const { sign, required_address: needsAddress } = (await send(loginOf(account, digits))).body
      .data
    const missions = (await send({ url: '/api/client/info', token: sign })).body.data
    const states = missions.map(({ claimed }: { claimed: number }) => claimed).join('')
    return { sign, needsAddress, states }
  }
  const member = await visit(call, 'demo01', '1234')
  expect(member).toMatchObject({ needsAddress: false, states: '223022' })
  expect(await visit(call, 'demo02', '0042')).toMatchObject({
    needsAddress: true,
    states: '003002',
  })
  expect(await visit(call, 'demo03', '9999')).toMatchObject({
    needsAddress: false,
    states: '111111',
  })
  const range = { startTimeStreak: '2025-08-11', endTimeStreak: '2025-08-15' }
  const payload = { event_code_detail: 'NAP_STREAK', ...range }
  const claimed = await call({ url: '/api/client/take-code', token: member.sign, payload })
  expect(claimed.body.data).toEqual({ code: [expect.any(String)] })
  await close()
  expect(await visit((await open(env)).call, 'demo01', '1234')).toMatchObject({ states: '221022' })
})

test('the server announces its stop, finishes requests and takes no new connection', async () => {
  const { origin, call, close } = await open({ DRAIN_SECONDS: '1' })
  const finish = await beginLogin(origin, 'key-of-the-reports')
  const begun = performance.now()
  const closed = close()
  expect(await call({ url: '/healthz' })).toMatchObject({
    ...BUSY,
    headers: { 'retry-after': '2', connection: 'close' },
  })
  const isAnswered = () =>
    call({ url: '/api/client/draws' }).then(
      ({ status }) => status === 200,
      () => false,
    )
  while (await isAnswered());
  // Balancers leave first.
  expect(performance.now() - begun).toBeGreaterThan(990)
  await expect(call({ url: '/livez' })).rejects.toThrow('fetch failed')
  expect(await finish()).toMatchObject({
    status: 200,
    body: { data: { sign: expect.any(String) } },
  })
  await closed
})

test('callers of /healthz share a statement', async () => {
  const api = await startTestApi()
  const ask = (url: string) => Array.from({ length: 20 }, () => api.call({ url }))
  const { asked } = await api.holding('LOCK TABLE setting IN ACCESS EXCLUSIVE MODE', async () => {
    const asked = ask('/healthz')
    await Promise.all(ask('/livez'))
    expect(api.database.waiting()).toBe(0)
    return { asked }
  })
  await Promise.all(asked)
  expect((await api.call({ url: '/healthz' })).status).toBe(200)
})

test.each([
  [
    'an unreachable database',
    () => 'postgres://nobody@127.0.0.1:1/nothing',
    /ECONNREFUSED.*; check DATABASE_URL, and that this server runs$/,
  ],
  [
    'a missing database',
    (url: string) => url.replace(/[^/]+$/, 'missing'),
    /database "missing" does not exist; create this database, or correct its name in DATABASE_URL$/,
  ],
  [
    'a missing certificate',
    (url: string) => `${url}?sslrootcert=/nowhere.crt`,
    /'\/nowhere.crt'; correct this path in DATABASE_URL$/,
  ],
])('%s is reported in one line, with what to do', async (_what, changed, message) => {
  const opening = open({ DATABASE_URL: changed(await newDatabaseUrl(false)) })
  await expect(opening).rejects.toThrow(/^the database cannot be reached: [^\n]*$/)
  await expect(opening).rejects.toThrow(message)
})

describe('a failed start reports in one line', () => {
  const openAfter = async (text: string, env: Record<string, string> = {}) => {
    const url = await newDatabaseUrl()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(text.replace('THIS', new URL(url).pathname.slice(1)))
    await client.end()
    const error: unknown = await open({ DATABASE_URL: url, ...env }).catch(
      (reason: unknown) => reason,
    )
    expect(error).toBeInstanceOf(StartupError)
    return error instanceof Error ? error.message : ''
  }

  test.each([
    [
      'a migration that fails',
      'DELETE FROM schema_migration',
      /^the schema cannot be brought up to date: 0001_event: .+ already exists$/,
    ],
    [
      'a breaking migration of a newer version',
      `INSERT INTO schema_migration (name, run_on) VALUES ('9999_later.breaking', now())`,
      /^the schema cannot be brought up to date: a newer version has made 9999_later.breaking; start that version$/,
    ],
    [
      'the cap of another campaign',
      'ALTER TABLE stage_tickets DROP CONSTRAINT stage_cap, ADD CONSTRAINT stage_cap CHECK (tickets BETWEEN 0 AND 5)',
      /^this database allows 5 tickets a stage, but the campaign gives 6; set DATABASE_URL to/,
    ],
    [
      'other goals than those by which members were counted',
      `INSERT INTO mission VALUES ('NAP_300', 0, '"x"', 1, 0, 'deposit-total', 200);
       INSERT INTO member (account, account_key, bank_hash, created_at) VALUES ('a', 'a', '', now());
       INSERT INTO stage_activity SELECT id, 1, 250, 0, 1 FROM member`,
      /^shared\/campaign changes .*: the goal of NAP_300 from 200 to 300, .*; restore it, or apply it .*"event recount --dry-run"/,
    ],
    [
      'a database that only reads',
      'ALTER DATABASE THIS SET default_transaction_read_only = on',
      /^the database refuses: cannot execute INSERT in a read-only transaction$/,
    ],
  ])('%s', async (_what, text, message) => {
    expect(await openAfter(text)).toMatch(message)
  })

  test('another pepper, or none', async () => {
    expect(await openAfter(`INSERT INTO setting VALUES ('pepper', 'another')`)).toBe(
      'this database was filled with another LOGIN_PEPPER; set the one it was filled with',
    )
    expect(await openAfter('SELECT 1', { LOGIN_PEPPER: '' })).toBe(
      'LOGIN_PEPPER or LOGIN_PEPPER_FILE is required',
    )
  })
})
