import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, expect, test } from '@jest/globals'
import pg from 'pg'
import { BUSY } from '../../test/caller.ts'
import { newDatabaseUrl, WAITING } from '../../test/database.ts'
import { startPostgres } from '../../test/postgres.ts'
import { SERVICE_KEY, startTestApi, type TestApi } from '../../test/test-api.ts'
import { LIMITS } from '../server/lane.ts'
import { openPostgres } from './postgres.ts'

const postgres = await startPostgres()
afterAll(() => postgres.stop())
const cleanUp: (() => unknown)[] = []
afterEach(async () => {
  for (const undo of cleanUp.splice(0).reverse()) await undo()
})

async function open(...options: Parameters<typeof startTestApi>): Promise<TestApi> {
  const api = await startTestApi(...options)
  cleanUp.push(() => api.close())
  return api
}

const complete = (api: TestApi, account: string) =>
  api.call({
    url: '/api/users/mission/completed',
    key: SERVICE_KEY,
    payload: {
      completions: [{ username: account, event_code_detail: 'CUOC_5000', completed_at: api.now() }],
    },
  })

test('a frozen Postgres answers 503 until it thaws', async () => {
  // Long enough for a busy machine, and less than the deadline of calls.
  const url = `${postgres.url}?statement_timeout=8000&query_timeout=8500`
  const api = await open({ url, limits: LIMITS })
  cleanUp.push(() => postgres.thaw())
  const { account, token } = await api.addDepositor()
  // Logs in so often that its first session ends.
  const visitor = await api.addMember()
  const calls = () =>
    // Half of what a member may claim at a time: those that wait for a new
    // connection count until it has opened.
    Array.from({ length: 8 }, () => [
      api.list(token),
      api.claim(token, 'NAP_300'),
      api.login(visitor),
      complete(api, account),
    ]).flat()
  const areAnswered = async () => (await Promise.all(calls())).every(({ status }) => status === 200)
  while (!(await areAnswered()));

  postgres.freeze()
  const hanging = calls()
  const answers = await Promise.all(hanging)
  expect(answers.filter(({ status }) => status !== 503)).toEqual([])
  for (const answer of answers) {
    expect(answer).toMatchObject(BUSY)
    expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(2)
  }
  expect(await api.call({ url: '/healthz' })).toMatchObject(BUSY)

  postgres.thaw()
  while ((await api.call({ url: '/healthz' })).status !== 200);
  while (!(await areAnswered()));
})

test('a read-only Postgres is left for the new primary', async () => {
  const url = await newDatabaseUrl()
  const api = await open({ url })
  const admin = new pg.Client({
    connectionString: url,
    options: '-c default_transaction_read_only=off',
  })
  await admin.connect()
  cleanUp.push(() => admin.end())
  const { account, token } = await api.addDepositor()

  // As after a failover: new connections lead to a server that only reads.
  const name = new URL(url).pathname.slice(1)
  await admin.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
  await admin.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  )
  // The first calls may meet the connections that break.
  while ((await api.list(token)).status !== 200);
  expect(await api.call({ url: '/healthz' })).toMatchObject(BUSY)
  expect(await api.claim(token, 'NAP_300')).toMatchObject(BUSY)
  expect(await api.login(account)).toMatchObject(BUSY)
  expect(await complete(api, account)).toMatchObject(BUSY)
  expect((await api.list(token)).status).toBe(200)

  // A new primary has taken over: only new connections find it.
  await admin.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`)
  while ((await api.call({ url: '/healthz' })).status !== 200);
  expect((await api.claim(token, 'NAP_300')).body.data).toHaveLength(1)
  expect((await complete(api, account)).status).toBe(200)
})

test('a locked table answers 503 to every waiting call', async () => {
  const api = await open()
  const { token } = await api.addSession()
  await api.holding('LOCK TABLE member_mission', async () => {
    let answered = 0
    const lists = Array.from({ length: 16 }, () => api.list(token).finally(() => answered++))
    while (api.database.waiting() < 15) await sleep(5)
    // The first call of a connection prepares the statement and is cancelled; the
    // others expect it.
    const cancel = `SELECT pg_cancel_backend(pid) ${WAITING}`
    while (answered < 16) await api.holding(cancel, () => sleep(5))
    for (const answer of await Promise.all(lists)) {
      expect(answer).toMatchObject(BUSY)
      expect(answer.headers['retry-after']).toBe('2')
    }
  })
  expect((await api.list(token)).status).toBe(200)
})

test('a host none of whose addresses answers is reported with its code', async () => {
  const stream = new Socket()
  // As Node does for `localhost`, which may have two addresses.
  const refused = Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' })
  stream.connect = () => stream.destroy(refused)
  await expect(openPostgres({ stream: () => stream }, () => undefined)).rejects.toThrow(
    'the database cannot be reached: ECONNREFUSED; check DATABASE_URL',
  )
})
