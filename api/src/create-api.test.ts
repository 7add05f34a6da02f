import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { afterAll, afterEach, describe, expect, test } from '@jest/globals'
import pg from 'pg'
import { newDatabaseUrl } from '../test/database.ts'
import { readConfig } from './config.ts'
import { type Api, createApi, isApiPath, StartupError } from './create-api.ts'

const folder = mkdtempSync(join(tmpdir(), 'anniversary-api-'))
const opened: Api[] = []
const servers: Server[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((api) => api.close()))
  for (const server of servers.splice(0)) server.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function open(env: Record<string, string> = {}) {
  const config = readConfig({ DATA_DIR: folder, EVENT_NOW: '2025-08-20T20:00:00+07:00', DEMO: '1', ...env })
  const api = await createApi({ config, logger: false })
  opened.push(api)
  return api
}

/** Serves the API the way another process embeds it. */
async function serve(api: Api) {
  const server = createServer((request, response) => api.handler(request, response))
  servers.push(server)
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // listening on a port, not a pipe
  const post = async (path: string, body: unknown, token = '') => {
    const headers = { 'content-type': 'application/json', 'x-sign-key': token }
    const response = await fetch(origin + path, { method: 'POST', headers, body: JSON.stringify(body) })
    // biome-ignore lint/suspicious/noExplicitAny: tests read into bodies of many shapes; a wrong guess fails the test
    return { status: response.status, body: (await response.json()) as any }
  }
  return { origin, post }
}
const credentials = (username: string, lastBankNumber: string) => ({
  site: 'ANNIVERSARY',
  username,
  lastBankNumber,
})

test.each([
  ['/api', true],
  ['/api/client/info?x=1', true],
  ['/metrics', true],
  ['/apis', false],
  ['/healthz/x', false],
  ['/', false],
])('%s is a path of the API: %s', (url, expected) => {
  expect(isApiPath(url)).toBe(expected)
})

describe('the embedded server', () => {
  test('loads the demo once, in the states that the README tells', async () => {
    const env = { DATABASE_URL: await newDatabaseUrl() }
    const api = await open(env)
    const { origin, post } = await serve(api)
    const states = async (account: string, digits: string) => {
      const { data } = (await post('/api/client/login', credentials(account, digits))).body
      const response = await fetch(`${origin}/api/client/info`, { headers: { 'x-sign-key': data.sign } })
      const missions = ((await response.json()) as { data: { claimed: number }[] }).data
      return [data.required_address, missions.map((m) => m.claimed).join('')]
    }
    expect(await states('demo01', '1234')).toEqual([false, '223022'])
    expect(await states('demo02', '0042')).toEqual([true, '003002'])
    expect(await states('demo03', '9999')).toEqual([false, '111111'])

    const { sign } = (await post('/api/client/login', credentials('demo01', '1234'))).body.data
    const streak = {
      event_code_detail: 'NAP_STREAK',
      startTimeStreak: '2025-08-11',
      endTimeStreak: '2025-08-15',
    }
    const code = (await post('/api/client/take-code', streak, sign)).body.data
    expect(code).toEqual({ code: [expect.any(String)] })
    await api.close()

    const again = await serve(await open(env))
    const login = (await again.post('/api/client/login', credentials('demo01', '1234'))).body.data
    expect((await again.post('/api/client/take-code', streak, login.sign)).body.data).toEqual(code)
  })

  test('finishes what is in flight when it stops, and takes nothing new', async () => {
    const api = await open({ DATABASE_URL: await newDatabaseUrl() })
    const { origin } = await serve(api)
    const body = JSON.stringify(credentials('demo01', '1234'))
    const sending = httpRequest(`${origin}/api/client/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': body.length },
    })
    const answered = once(sending, 'response') as Promise<[IncomingMessage]> // the event's argument
    sending.write(body.slice(0, 10))
    // The login, and the question itself.
    const areTwo = async () => (await (await fetch(`${origin}/metrics`)).text()).includes('_in_flight 2')
    while (!(await areTwo()));
    const closed = api.close()
    const refused = await fetch(`${origin}/api/client/info`)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('2')
    expect((await fetch(`${origin}/healthz`)).status).toBe(503)
    expect((await fetch(`${origin}/livez`)).status).toBe(200)
    sending.end(body.slice(10))
    const [response] = await answered
    expect(response.statusCode).toBe(200)
    expect(await json(response)).toMatchObject({ data: { sign: expect.any(String) } })
    await closed
  })
})

test('a database that cannot be reached is told in one line', async () => {
  await expect(open({ DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' })).rejects.toThrow(
    /^the database cannot be reached: .*ECONNREFUSED/,
  )
})

describe('a start that cannot be is told in one line', () => {
  /** Starts on a database of its own, after `text` was run there. */
  const openAfter = async (text: string, env: Record<string, string> = {}) => {
    const url = await newDatabaseUrl()
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(text.replace('THIS', new URL(url).pathname.slice(1)))
    await client.end()
    const error: unknown = await open({ DATABASE_URL: url, ...env }).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(StartupError)
    return error instanceof Error ? error.message : ''
  }

  test('a migration that fails', async () => {
    const last = '(SELECT max(id) FROM schema_migration)'
    expect(await openAfter(`DELETE FROM schema_migration WHERE id = ${last}`)).toMatch(
      /^the schema cannot be brought up to date: \d{4}_[\w-]+: .+ already exists$/,
    )
  })

  test('a schema of a newer version', async () => {
    expect(await openAfter(`INSERT INTO schema_migration (name, run_on) VALUES ('9999_later', now())`)).toBe(
      'the schema cannot be brought up to date: a newer version has made 9999_later; start that version',
    )
  })

  test('a database that only reads', async () => {
    expect(await openAfter('ALTER DATABASE THIS SET default_transaction_read_only = on')).toBe(
      'the database refuses: cannot execute INSERT in a read-only transaction',
    )
  })

  test('a data folder that cannot be written to, beside a database of its own', async () => {
    writeFileSync(join(folder, 'no-folder'), '')
    const path = join(folder, 'no-folder', 'data')
    expect(await openAfter('SELECT 1', { DATA_DIR: path })).toBe(
      `the data folder ${path} cannot hold the login pepper; set LOGIN_PEPPER: Error: ENOTDIR: not a directory, mkdir '${path}'`,
    )
  })
})
