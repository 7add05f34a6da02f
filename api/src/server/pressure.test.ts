import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from '@jest/globals'
import { BUSY } from '../../test/caller.ts'
import { WAITING } from '../../test/database.ts'
import { startTestApi, type TestApi } from '../../test/test-api.ts'
import { LOST } from '../database/database.ts'
import { loggerOptions } from './observe.ts'

const traffic = { inFlight: 0, leaving: false, draining: false }
const log: string[] = []
const logger = {
  ...loggerOptions('warn'),
  stream: { write: (line: string) => void log.push(line) },
}
const lined = () =>
  log.filter((line) => line.includes('calls refused')).map((line) => JSON.parse(line))
// One call at work, two that wait.
const limits = { running: 1, waiting: 2, firstRate: 1, waitSeconds: 2 }
const api = await startTestApi({ traffic, limits, logger })
const { database } = api
const hasty = await startTestApi({ database, limits: { ...limits, deadlineSeconds: 3 }, logger })

const info = () => api.list('')

/** `statuses` resolves when so many answers have come. */
async function raw({ origin } = api) {
  const socket = connect(Number(new URL(origin).port))
  await once(socket, 'connect')
  let got = ''
  socket.on('data', (chunk) => {
    got += chunk
  })
  return {
    socket,
    send: (text: string) => socket.write(text.replaceAll('\n', '\r\n')),
    async statuses(count: number) {
      const found = () => [...got.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => Number(status))
      while (found().length < count && !socket.closed) await sleep(5)
      return found()
    },
    turns: () => [...got.matchAll(/retry-after: (\d+)/g)].map(([, seconds]) => Number(seconds)),
    bodies: () => got.split('{"status_code":503').length - 1,
  }
}
const LIST = 'GET /api/client/info HTTP/1.1\nhost: x\n\n'
const listOf = (token: string) => LIST.replace('host', `x-sign-key: ${token}\nhost`)

/** Runs work while reads and writes of missions wait for a lock. */
const whileLocked = <T>(work: () => Promise<T>) => api.holding('LOCK TABLE member_mission', work)

test('a full server refuses with a growing retry-after and logs once a second', async () => {
  const traffic = { inFlight: 0, leaving: false, draining: false }
  const full = await startTestApi({ traffic, limits, logger })
  const { token } = await full.addSession()
  const list = () => full.list(token)
  const { held: answers } = await full.holding('LOCK TABLE member_mission', async () => {
    const held = [list(), list(), list()]
    while (traffic.inFlight < 3) await sleep(5)
    const firstRefused = performance.now()
    const refused = await Promise.all(Array.from({ length: 20 }, list))
    for (const answer of refused) expect(answer).toMatchObject(BUSY)
    expect(refused[0]?.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-event-time': full.now().toISOString(),
    })
    // ln 2 seconds more for each, at one call a second.
    const [caller, next] = await Promise.all([raw(full), raw(full)])
    caller.send(LIST)
    await caller.statuses(1)
    const [turn = 0] = caller.turns()
    const passed = (performance.now() - firstRefused) / 1000
    expect(turn).toBeGreaterThanOrEqual(Math.floor(2 + 20 * Math.LN2 - passed))
    // A connection keeps its turn, however often it repeats its call.
    caller.send(LIST.repeat(50))
    await caller.statuses(51)
    expect(Math.max(...caller.turns())).toBe(turn)
    next.send(LIST)
    await next.statuses(1)
    expect(next.turns()[0]).toBeLessThan(turn + 10)
    for (const { socket } of [caller, next]) socket.destroy()
    expect((await full.call({ url: '/api/client/take-code', payload: {} })).status).toBe(400)
    expect((await full.call({ url: '/livez' })).status).toBe(200)
    while (lined().reduce((sum, { refused }) => sum + refused, 0) < 72) await sleep(20)
    const elapsed = (performance.now() - firstRefused) / 1000
    expect(lined().length).toBeLessThanOrEqual(elapsed + 1)
    expect(await full.metrics()).toContain('http_requests_refused_total 72')
    expect(log.filter((line) => line.includes('request failed'))).toEqual([])
    return { held }
  })
  for (const { status } of await Promise.all(answers)) expect(status).toBe(200)
  expect((await list()).status).toBe(200)
  expect(traffic.inFlight).toBe(0)
})

/** Eight connections send the call again and again; another one asks for its turn. */
async function expectTurnStays(busy: TestApi, repeated: string, asked: string) {
  const ask = async () => {
    const caller = await raw(busy)
    caller.send(asked)
    expect(await caller.statuses(1)).toEqual([503])
    caller.socket.destroy()
    return caller.turns()[0] ?? 0
  }
  const before = await ask()
  const script = async () => {
    const caller = await raw(busy)
    for (let round = 1; round <= 20; round++) {
      caller.send(repeated.repeat(8))
      expect(await caller.statuses(round * 8)).toHaveLength(round * 8)
    }
    caller.socket.destroy()
  }
  await Promise.all(Array.from({ length: 8 }, script))
  expect(await ask()).toBeLessThanOrEqual(before + 1)
}

test("eight connections that repeat their calls move nobody's turn by a second", async () => {
  const busy = await startTestApi({ limits: { running: 1, waiting: 0, firstRate: 50 } })
  const { token } = await busy.addSession()
  await busy.holding('LOCK TABLE member_mission', async () => {
    const held = busy.list(token)
    while ((await busy.list('')).status !== 503) await sleep(5)
    await expectTurnStays(busy, LIST, LIST)
    return { held }
  })
})

test.each(['/api/client/info', '/healthz'])(
  "eight connections that repeat failing calls of %s move nobody's turn by a second",
  async (url) => {
    let isAway = false
    const query = async <Row>(...call: Parameters<typeof database.query>) => {
      if (isAway) throw Object.assign(new Error('away'), { code: LOST })
      return database.query<Row>(...call)
    }
    const limits = { firstRate: 50 }
    const failing = await startTestApi({ database: { ...database, query }, limits })
    isAway = true
    const list = listOf('token')
    await expectTurnStays(failing, list.replace('/api/client/info', url), list)
  },
)

test('calls that come before their turn are refused slowly', async () => {
  const limits = { running: 0, waiting: 0, earlyRefusals: 1 }
  const full = await startTestApi({ database, limits })
  const [script, next] = await Promise.all([raw(full), raw(full)])
  script.send(LIST)
  await script.statuses(1)
  script.send(LIST.repeat(8))
  next.send(LIST)
  await next.statuses(1)
  expect(script.turns().length).toBeLessThan(9)
  expect(await script.statuses(9)).toEqual(Array(9).fill(503))
  for (const { socket } of [script, next]) socket.destroy()
})

test.each([
  ['claims of invented tokens', (held: TestApi, name: string) => held.claim(name, 'NAP_300')],
  ['lists of invented tokens', (held: TestApi, name: string) => held.list(name)],
  ['logins beyond a limit', (held: TestApi, name: string) => held.login(name)],
  ['unknown paths', (held: TestApi) => held.call({ url: '/api/unknown' })],
  ['undecodable paths', (held: TestApi) => held.call({ url: '/api/%zz' })],
])('%s wait for the answer, and take no place from others', async (_, call) => {
  const held = await startTestApi({ limits: { running: 1, holdSeconds: 600 } })
  const { token } = await held.addDepositor()
  await held.sql(`INSERT INTO rate_limit VALUES ('login:everybody', now() + interval '30 minutes')`)
  const calls = ['unknown1', 'unknown2', 'unknown3'].map((name) => call(held, name))
  const isAnswered = Promise.any(calls).then(
    () => true,
    () => false,
  )
  expect((await held.claim(token, 'NAP_300')).body.data).toHaveLength(1)
  expect((await held.list(token)).status).toBe(200)
  expect(await Promise.race([isAnswered, 'not yet'])).toBe('not yet')
})

test('a ninth unanswered call closes its connection, whose calls leave their places', async () => {
  const { token } = await api.addSession()
  const [script, patient] = await Promise.all([raw(), raw()])
  await whileLocked(async () => {
    const closed = once(script.socket, 'close')
    script.send(listOf(token).repeat(9))
    await closed
    while (traffic.inFlight > 0) await sleep(5)
    patient.send(listOf(token).repeat(8))
    while (traffic.inFlight < 3) await sleep(5)
  })
  const answers = await patient.statuses(8)
  expect(answers.filter((status) => status === 200)).toHaveLength(3)
  patient.socket.destroy()
})

test('refusals keep the order of pipelined calls and the place of bodies', async () => {
  const { token } = await api.addSession()
  const post = 'POST /api/client/login HTTP/1.1\nhost: x\ncontent-length: 9\n\n'
  const [pipelining, asking, posting, leaving] = await Promise.all([raw(), raw(), raw(), raw()])
  const { held } = await whileLocked(async () => {
    const lists = [1, 2].map(() => api.list(token))
    const claims = [1, 2, 3].map(() => api.claim(token, 'NAP_300'))
    while (traffic.inFlight < 5) await sleep(5)
    // The second is refused before the first is answered.
    pipelining.send(listOf(token) + LIST)
    while (traffic.inFlight < 6) await sleep(5)
    leaving.send(LIST)
    leaving.socket.destroy()
    asking.send(LIST.replace('GET', 'HEAD') + LIST + LIST)
    posting.send(post)
    expect(await posting.statuses(1)).toEqual([503])
    posting.send(`{"a": 12}GET /livez HTTP/1.1\nhost: x\n\n`)
    expect(await posting.statuses(2)).toEqual([503, 200])
    expect([await asking.statuses(3), asking.bodies()]).toEqual([[503, 503, 503], 2])
    return { held: [...lists, ...claims] }
  })
  expect([await pipelining.statuses(2), pipelining.bodies()]).toEqual([[200, 503], 1])
  for (const { socket } of [pipelining, posting, asking]) socket.destroy()
  await Promise.all(held)
})

test('a call that the database holds up is answered in time and still runs', async () => {
  const { token } = await api.addDepositor()
  await whileLocked(async () => {
    const answers = [hasty.claim(token, 'NAP_300'), hasty.list(token)]
    for (const answer of await Promise.all(answers)) {
      expect(answer).toMatchObject(BUSY)
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
    }
  })
  while (!(await api.states(token)).startsWith('1'));
  // Refused calls are counted once a second; these are 503s of the histogram.
  await sleep(1000)
  expect(await hasty.metrics()).toContain('http_requests_refused_total 0')
  expect(log.filter((line) => line.includes('already sent'))).toEqual([])
})

test('an answer that is read slowly takes no place from others', async () => {
  const limits = { running: 1, longestWaitSeconds: 2, deadlineSeconds: 1 }
  const full = await startTestApi({ limits })
  const { token } = await full.addSession()
  full.setNow('2025-09-10T12:00:00+07:00')
  await full.sql(`INSERT INTO draw_list VALUES (1, now(), 0, '', repeat('x', 40000000))`)
  const slow = await raw(full)
  slow.socket.once('data', () => slow.socket.pause())
  slow.send(LIST.replace('info', 'draws/1/list'))
  await slow.statuses(1)
  const statuses: number[] = []
  while (!statuses.includes(200) && statuses.length < 9)
    statuses.push((await full.list(token)).status)
  expect(statuses).toContain(200)
  expect(slow.socket.closed).toBe(false)
  slow.socket.destroy()
})

test('a call that fails after its answer is logged as a warning', async () => {
  const { token } = await api.addSession()
  const isLate = (line: string) => line.includes('failed after its answer')
  await whileLocked(async () => {
    expect(await hasty.claim(token, 'NAP_300')).toMatchObject(BUSY)
    await api.sql(`SELECT pg_terminate_backend(pid) ${WAITING}`)
    while (!log.some(isLate)) await sleep(5)
  })
  expect(log.map((line) => JSON.parse(line)).filter(({ level }) => level >= 50)).toEqual([])
})

test("a call's measured time includes its wait for a place", async () => {
  const traffic = { inFlight: 0, leaving: false, draining: false }
  const full = await startTestApi({ traffic, limits: { running: 1 } })
  const { token } = await full.addSession()
  const { held } = await full.holding('LOCK TABLE member_mission', async () => {
    const held = [full.list(token), full.list(token)]
    while (traffic.inFlight < 2) await sleep(5)
    await sleep(500)
    return { held }
  })
  for (const { status } of await Promise.all(held)) expect(status).toBe(200)
  const [, sum] = /_seconds_sum{.*info.*} (.+)/.exec(await full.metrics()) ?? []
  expect(Number(sum)).toBeGreaterThan(0.99)
})

test('a caller who hangs up while waiting frees the place', async () => {
  const { token } = await api.addSession()
  await whileLocked(async () => {
    const callers = await Promise.all([raw(), raw(), raw()])
    for (const { send } of callers) send(listOf(token))
    while (traffic.inFlight < 3) await sleep(5)
    for (const { socket } of callers) socket.destroy()
    while (traffic.inFlight > 0) await sleep(5)
  })
  expect((await info()).status).toBe(401)
})

test('a claim that waits for its turn past the end of the stage is granted', async () => {
  const members = [await api.addDepositor(), await api.addDepositor()]
  const { held } = await whileLocked(async () => {
    api.setNow('2025-09-06T23:59:59+07:00')
    const held = members.map(({ token }) => api.claim(token, 'NAP_300'))
    while (traffic.inFlight < 2) await sleep(5)
    api.setNow('2025-09-07T00:00:05+07:00')
    return { held }
  })
  for (const { body } of await Promise.all(held)) expect(body.status_code).toBe(200)
})

test('a body that comes slowly keeps no other call waiting', async () => {
  const traffic = { inFlight: 0, leaving: false, draining: false }
  const full = await startTestApi({ traffic, limits })
  const slow = await Promise.all([raw(full), raw(full)])
  const head = 'POST /api/client/login HTTP/1.1\nhost: x\ncontent-type: application/json\n'
  for (const { send } of slow) send(`${head}content-length: 9\n\n{`)
  while (traffic.inFlight < 2) await sleep(5)
  expect((await full.call({ url: '/api/client/take-code', payload: {} })).status).toBe(400)
  for (const { socket } of slow) socket.destroy()
})
