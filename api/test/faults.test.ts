import { fork } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, jest, test } from '@jest/globals'
import { ARTIFACT, PEPPER, startApi } from '../prove/api-process.ts'
import { namedStatement } from '../src/database/database.ts'
import { loggerOptions } from '../src/server/observe.ts'
import { BUSY, callerOf } from './caller.ts'
import { newDatabaseUrl } from './database.ts'
import { startTestApi, type TestApi } from './test-api.ts'

/* Faults of a bad day: each is answered, and seen by the operator. */

const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo()
})

const log: string[] = []
const logger = {
  ...loggerOptions('warn'),
  stream: { write: (line: string) => void log.push(line) },
}
const isLogged = (text: string) => log.some((line) => line.includes(text))
async function metric(api: TestApi, name: string): Promise<number> {
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await api.metrics())?.[1])
}

/**
 * @param forward passes bytes on, or does something else with them
 * @param takes whether it answers a new connection
 */
async function proxyOf(
  url: string,
  forward: (bytes: Buffer, send: () => void) => void,
  takes = () => true,
) {
  const socketFile = join(decodeURIComponent(new URL(url).hostname), '.s.PGSQL.5432')
  const proxy = createServer((client) => {
    if (!takes()) return
    const server = connect(socketFile)
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      from.on('data', (bytes: Buffer) => forward(bytes, () => to.write(bytes)))
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  cleanUp.push(() => proxy.close())
  const { port } = proxy.address() as AddressInfo // of a TCP server
  return `postgres://postgres@127.0.0.1:${port}${new URL(url).pathname}`
}

/** Makes calls, whose lines go to `stdout`. */
async function callWithLog(calls: number, stdout: number | 'pipe') {
  const api = fork(ARTIFACT, {
    env: {
      PATH: process.env.PATH,
      PORT: '0',
      DATABASE_URL: await newDatabaseUrl(),
      LOGIN_PEPPER: PEPPER,
    },
    stdio: ['ignore', stdout, 'inherit', 'ipc'],
  })
  cleanUp.push(() => api.kill('SIGKILL'))
  const ended = once(api, 'exit')
  const [origin] = await Promise.race([once(api, 'message'), ended])
  const call = callerOf(String(origin))
  for (let made = 0; made < calls; made++) expect((await call({ url: '/livez' })).status).toBe(200)
  return { api, ended }
}

test('a full log disk stops nothing', async () => {
  const { api, ended } = await callWithLog(50, openSync('/dev/full', 'w'))
  api.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
})

test('a reader of the log that stops for a while holds up no call and gets each line', async () => {
  // More lines than the system keeps for a reader.
  const { api, ended } = await callWithLog(1500, 'pipe')
  const log = api.stdout && text(api.stdout)
  api.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect((await log)?.match(/"answered"/g)).toHaveLength(1500)
})

test('a failing set of claims is counted and logged, and the claims are made', async () => {
  const api = await startTestApi({ logger })
  const { token } = await api.addDepositor()
  expect(await metric(api, 'claim_set_failures_total')).toBe(0)
  await api.sql(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF current_query() LIKE '%unnest%' THEN RAISE 'a set fails'; END IF; RETURN new; END $$`)
  await api.sql('CREATE TRIGGER fail BEFORE INSERT ON ticket FOR EACH ROW EXECUTE FUNCTION fail()')
  expect((await api.claim(token, 'NAP_300')).body.data).toHaveLength(1)
  expect(await metric(api, 'claim_set_failures_total')).toBe(1)
  expect(isLogged('a set of claims failed')).toBe(true)
})

test('a failing count of members is logged', async () => {
  const { database } = await startTestApi()
  const failing = { ...database }
  const api = await startTestApi({ database: failing, logger })
  failing.transaction = () => Promise.reject(new Error('no temporary file'))
  await api.call({ url: '/livez' })
  expect(isLogged('members with a session were not counted')).toBe(true)
})

test('a database that is slow by a second each way is ready while claims succeed', async () => {
  let delayMs = 0
  const url = await newDatabaseUrl()
  const { addDepositor } = await startTestApi({ url })
  const members = await Promise.all(Array.from({ length: 10 }, addDepositor))
  const slow = await proxyOf(
    url,
    (_bytes, send) => setTimeout(send, delayMs),
    // With TLS and a password, a new connection would come too late.
    () => delayMs === 0,
  )
  const { origin, crash } = await startApi({ DATABASE_URL: slow })
  cleanUp.push(crash)
  const call = callerOf(origin)

  delayMs = 1000
  const list = { url: '/api/client/info' }
  const claim = { url: '/api/client/take-code', payload: { event_code_detail: 'NAP_300' } }
  const answers = await Promise.all([
    call({ url: '/healthz' }),
    ...members.flatMap(({ token }) => [claim, list].map((of) => call({ ...of, token }))),
  ])
  expect(answers.filter(({ status }) => status !== 200)).toEqual([])
})

test('a full disk of the database is unready while claims fail', async () => {
  const url = await newDatabaseUrl()
  const api = await startTestApi({ url, logger })
  const { token } = await api.addDepositor()
  const name = new URL(url).pathname.slice(1)
  // As on a full disk: no ticket and no temporary file can be written.
  await api.sql(`CREATE FUNCTION full_disk() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE 'could not extend file' USING ERRCODE = 'disk_full'; END $$`)
  await api.sql(
    'CREATE TRIGGER full_disk BEFORE INSERT ON ticket FOR EACH ROW EXECUTE FUNCTION full_disk()',
  )
  await api.sql(`ALTER DATABASE ${name} SET temp_file_limit = '1MB'`)
  await api.sql(`ALTER DATABASE ${name} SET work_mem = '64MB'`)
  await api.sql(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  )
  await expect(api.sql('SELECT pg_terminate_backend(pg_backend_pid())')).rejects.toThrow()

  // The first calls may meet the connections that break.
  while ((await api.call({ url: '/healthz' })).status !== 200) await sleep(20)
  while (!isLogged('"code":"53100"')) await api.claim(token, 'NAP_300')
  expect(await api.call({ url: '/healthz' })).toMatchObject(BUSY)

  await api.sql('DROP TRIGGER full_disk ON ticket')
  await api.sql(`ALTER DATABASE ${name} RESET temp_file_limit`)
  await expect(api.sql('SELECT pg_terminate_backend(pg_backend_pid())')).rejects.toThrow()
  while ((await api.call({ url: '/healthz' })).status !== 200) await sleep(20)
  expect((await api.claim(token, 'NAP_300')).body.data).toHaveLength(1)
})

test('clocks of API and database are compared at the start and each minute', async () => {
  const url = await newDatabaseUrl()
  const { sql } = await startTestApi({ url })
  await sql("CREATE TABLE ahead AS SELECT interval '3 s' AS by")
  await sql(`CREATE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS
    $$ SELECT pg_catalog.clock_timestamp() + by FROM ahead $$`)
  await sql(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET search_path = public, pg_catalog`)
  const warned = () => log.filter((line) => line.includes("the database's clock is ahead"))

  const timers = jest.spyOn(globalThis, 'setInterval')
  cleanUp.push(() => timers.mockRestore())
  const api = await startTestApi({ url, logger })
  const measured = () => metric(api, 'database_clock_ahead_seconds')
  expect(warned()).toHaveLength(1)
  expect(await measured()).toBeGreaterThan(1)
  expect(await measured()).toBeLessThan(3.1)

  const passMinute = async () => {
    for (const [compare, ms] of timers.mock.calls) if (ms === 60_000) await compare()
  }
  await sql("UPDATE ahead SET by = '-3 s'")
  await passMinute()
  expect(warned()).toHaveLength(2)
  expect(await measured()).toBeLessThan(-1)
  expect(await measured()).toBeGreaterThan(-3.1)
  await sql("UPDATE ahead SET by = '0'")
  await passMinute()
  expect(warned()).toHaveLength(2)
  expect(Math.abs(await measured())).toBeLessThan(1)
})

test('the only parameter that a pooler has to ignore is statement_timeout', async () => {
  const url = await newDatabaseUrl()
  const started: string[] = []
  const through = await proxyOf(url, (bytes, send) => {
    const text = bytes.toString('latin1')
    // The start-up message: protocol version, then names and values.
    if (bytes.length > 8 && bytes.readInt32BE(4) === 0x30000) {
      started.push(
        ...text
          .slice(8)
          .split('\0')
          .filter((_, index) => index % 2 === 0),
      )
      // Ignores it: another name of the same length.
      const ignored = text.indexOf('statement_timeout')
      if (ignored > 0) bytes.write('pooler.ignores_it', ignored)
    }
    send()
  })
  const api = await startTestApi({ url: through })
  await api.sql(`ALTER DATABASE ${new URL(url).pathname.slice(1)} SET statement_timeout = '1min'`)
  await api.addDepositor()
  const usual = ['user', 'database', 'client_encoding', 'application_name', '']
  expect(new Set(started.filter((name) => !usual.includes(name)))).toEqual(
    new Set(['statement_timeout']),
  )
  const limits =
    "SELECT current_setting('lock_timeout') || current_setting('statement_timeout') AS text"
  expect(await api.database.transaction((tx) => tx.query(namedStatement(limits)))).toEqual([
    { text: '8s2min' },
  ])
})
