import { publicConfigSchema } from '@anniversary/shared/contract/config'
import type { AppPath } from '@anniversary/shared/contract/host'
import { EVENTS } from '@anniversary/shared/contract/page-names'
import { expectConsoleError } from '@anniversary/shared/testing/console-errors'
import {
  ok,
  settle,
  startWireServer,
  until,
  type WireServer,
} from '@anniversary/shared/testing/wire-server'
import { clearSession, sessionStore, startSession, watchSession } from '../session/session-store.ts'
import { takeKeptToasts, toastStore } from '../toasts/toast-store.ts'
import { createHost } from './create-host.ts'

let server: WireServer
let preloaded: AppPath[]
let moved: unknown[]
let isRouted: boolean

const host = () =>
  createHost({
    config: publicConfigSchema.parse({ apiBase: server.url }),
    preload: (path) => void preloaded.push(path),
    move(...to) {
      moved.push(to)
      return isRouted
    },
  })
const shown = () => toastStore.getState().toasts.map(({ kind, text }) => `${kind}: ${text}`)

beforeEach(async () => {
  // Node needs these to answer real HTTP calls.
  jest.useFakeTimers({ doNotFake: ['nextTick', 'performance', 'queueMicrotask', 'setImmediate'] })
  server = await startWireServer()
  history.replaceState(null, '', '/home')
  preloaded = []
  moved = []
  isRouted = true
  startSession({ token: 'tok', username: 'demo01' })
})
afterEach(async () => {
  clearSession()
  takeKeptToasts()
  toastStore.setState({ toasts: [] })
  await server.close()
})

// spec: logout-by-401
test('many 401s show one toast and log out once after 500 ms', async () => {
  server.answer('GET /client/info', { status: 401, body: { message: 'Phiên đã kết thúc' } })
  server.answer('GET /client/history', { status: 401, body: { message: 'Phiên đã kết thúc' } })
  const { api } = host()
  void Promise.all([api.missions(), api.history(), api.missions()])
  await until(() => shown().length > 0 && server.seen.length === 3)
  await settle()
  expect(shown()).toEqual(['error: Phiên đã kết thúc'])
  jest.advanceTimersByTime(499)
  expect(sessionStore.getState().session?.token).toBe('tok')
  expectConsoleError(/navigation/)
  jest.advanceTimersByTime(1)
  expect(sessionStore.getState().session).toBeNull()
})

// spec: session-expired
test.each([
  ['/home', 'Phiên đăng nhập đã hết hạn. Vui lòng xác minh tại tài khoản để tiếp tục!'],
  ['/histories', 'Phiên đăng nhập đã hết hạn. Vui lòng đăng nhập lại để tiếp tục!'],
])('an expired session on %s is announced once, after the reload', async (path, text) => {
  history.replaceState(null, '', path)
  server.answer('GET /client/info', { status: 401 })
  const { api } = host()
  const ended = jest.fn()
  for (const _twice of [1, 2]) void api.missions().then(ended, ended)
  await until(() => server.seen.length === 2 && jest.getTimerCount() > 0)
  await settle()
  expectConsoleError(/navigation/)
  jest.advanceTimersByTime(500)
  expect(takeKeptToasts()).toEqual([{ kind: 'warning', text }])
  await settle()
  expect(ended).not.toHaveBeenCalled()
})

// spec: logout-call
test('clearing the session logs out on the server in the background', async () => {
  server.answer('POST /client/logout', ok(true))
  host().session.clear()
  expect(sessionStore.getState().session).toBeNull()
  await until(() => server.seen.length > 0)
  const [{ method, path, headers } = {}] = server.seen
  expect([method, path, headers?.['x-sign-key']]).toEqual(['POST', '/client/logout', 'tok'])
  host().session.clear()
  expect(server.seen).toHaveLength(1)
})

test('a lost logout call changes nothing for the member', async () => {
  server.answer('POST /client/logout', null)
  host().session.clear()
  await until(() => server.seen.length > 0)
  await settle()
  jest.runAllTimers()
  expect([shown(), moved]).toEqual([[], []])
})

test('a 401 after the logout says nothing', async () => {
  server.answer('GET /client/info', { status: 401 })
  const { api, session } = host()
  void api.missions()
  await until(() => server.seen.length > 0)
  session.clear()
  await settle()
  jest.advanceTimersByTime(500)
  expect([shown(), moved]).toEqual([[], []])
})

test('a new login within those 500 ms keeps its session', async () => {
  server.answer('GET /client/info', { status: 401 })
  const { api, session } = host()
  void api.missions()
  await until(() => shown().length > 0)
  server.answer('GET /client/info', ok([]))
  session.start({ sign: 'new', username: 'demo02' })
  await api.missions()
  jest.advanceTimersByTime(500)
  expect(sessionStore.getState().session).toEqual({ token: 'new', username: 'demo02' })
  expect(moved).toEqual([])
})

test("another window's login within those 500 ms keeps its session", async () => {
  server.answer('GET /client/info', { status: 401 })
  const stop = watchSession(() => undefined)
  void host().api.missions()
  await until(() => shown().length > 0)
  const otherWindow = new BroadcastChannel('anniversary-session')
  otherWindow.postMessage({ token: 'new', username: 'demo02' })
  await until(() => sessionStore.getState().session?.token === 'new')
  stop()
  otherWindow.close()
  jest.advanceTimersByTime(500)
  expect(sessionStore.getState().session).toEqual({ token: 'new', username: 'demo02' })
  expect(document.cookie).toMatch('anniversary-token=')
  expect([takeKeptToasts(), moved]).toEqual([[], []])
})

// spec: toast-by-status
test.each([
  [400, 'warning'],
  [404, 'error'],
  [500, 'error'],
])('HTTP %i is a toast of kind %s', async (status, kind) => {
  server.answer('GET /client/info', { status, body: { message: 'Máy chủ nói' } })
  await host()
    .api.missions()
    .catch(() => undefined)
  expect(shown()).toEqual([`${kind}: Máy chủ nói`])
})

// spec: no-token
test('a call without a token shows a toast and leads to /login', async () => {
  clearSession()
  void host().api.missions()
  await until(() => shown().length > 0)
  expect(server.seen).toEqual([])
  expect(shown()).toEqual(['error: Token không tồn tại. Vui lòng đăng nhập lại!'])
  jest.advanceTimersByTime(500)
  expect(moved).toEqual([['/login', true]])
})

test('without the router a move is a page load and keeps toasts', () => {
  isRouted = false
  expectConsoleError(/navigation/)
  const { navigate, notify } = host()
  notify.warning('hết hạn')
  navigate('/login', { replace: true })
  expect(takeKeptToasts()).toMatchObject([{ kind: 'warning', text: 'hết hạn' }])
})

test('a call that a page load ends raises no toast', async () => {
  isRouted = false
  const { api, navigate, reload } = host()
  for (const leave of [() => navigate('/login'), reload]) {
    server.answer('GET /client/info', ok([]))
    await api.missions()
    server.answer('GET /client/info', null)
    expectConsoleError(/navigation/)
    expectConsoleError(/socket hang up/)
    leave()
    const asked = server.seen.length
    void api.missions().catch(() => undefined)
    await until(() => server.seen.length > asked)
    await settle()
    expect(shown()).toEqual([])
    dispatchEvent(new Event('pageshow'))
  }
})

test("a 401 of another login's token leaves the session alone", async () => {
  server.answer('POST /client/update-info', { status: 401, body: { message: 'Hết hạn' } })
  const address = { fullname: 'An', phoneNumber: '09', address: 'HN', note: '' }
  await expect(host().api.updateInfo(address, 'of yesterday')).rejects.toMatchObject({
    failure: 'unauthorized',
    message: 'Hết hạn',
  })
  jest.advanceTimersByTime(500)
  expect([shown(), moved]).toEqual([[], []])
  expect(sessionStore.getState().session?.token).toBe('tok')
})

test('the event clock follows the server', async () => {
  server.answer('GET /client/info', {
    ...ok([]),
    headers: { 'x-event-time': '2025-08-20T13:00:00Z' },
  })
  const { api, clock } = host()
  expect(clock.isSet?.()).toBe(false)
  await api.missions()
  expect(clock.isSet?.()).toBe(true)
  expect(clock.now()).toEqual(new Date('2025-08-20T13:00:00Z'))
  jest.advanceTimersByTime(1500)
  expect(clock.now()).toEqual(new Date('2025-08-20T13:00:01.500Z'))
})

test.each(['//evil.example', '/\\evil.example', 'https://evil.example', 'javascript:alert(1)', ''])(
  'navigate refuses %p',
  (path) => {
    // What a remote's bug or a stored value could hand over, past the types.
    expect(() => host().navigate(path as AppPath)).toThrow('Not a path of this app')
    expect(moved).toEqual([])
  },
)

test('a login call runs the code of /home meanwhile', async () => {
  server.answer('POST /client/login', ok({}))
  const answer = host().api.login({ username: 'demo01', lastBankNumber: '1234' })
  expect(preloaded).toEqual(['/home'])
  expect(await answer).toEqual({ ok: false })
})

test.each<[string, AppPath, number]>([
  ['serve the first page', '/home', 1],
  ['expire with another page', '/check', 2],
])('missions requested at the login %s', async (_, path, requests) => {
  const data = [{ event_code_detail: 'A', name: 'A', claimed: 0 }]
  server.answer('GET /client/info', ok(data))
  const { api, session, navigate } = host()
  session.start({ sign: 'new', username: 'demo01' })
  navigate(path)
  await until(() => server.seen.length === 1)
  expect(await api.missions()).toMatchObject([{ id: 'A' }])
  expect(server.seen).toHaveLength(requests)
  await api.missions()
  expect(server.seen).toHaveLength(requests + 1)
})

test('a list that no page took within 30 s of the login is asked for again', async () => {
  server.answer('GET /client/info', ok([]))
  const { api, session } = host()
  session.start({ sign: 'new', username: 'demo01' })
  await until(() => server.seen.length === 1)
  jest.advanceTimersByTime(30_000)
  await api.missions()
  expect(server.seen).toHaveLength(2)
})

test('an answered call shows that a browser which claims to be offline is not', async () => {
  const headers = { 'x-event-time': '2025-08-20T13:00:00.000Z' }
  server.answer('GET /client/info', { headers, ...ok([]) })
  jest.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  const found = jest.fn()
  addEventListener(EVENTS.networkFound, found, { once: true })
  let isDone = false
  void host()
    .api.missions()
    .then(() => {
      isDone = true
    })
  await until(() => isDone)
  expect(found).toHaveBeenCalledTimes(1)
})
