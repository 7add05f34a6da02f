import { waitFor } from '@testing-library/react'
import {
  clearSession,
  sessionStore,
  startSession,
  tokenForCall,
  watchSession,
} from './session-store.ts'

const member = { token: 't=1;ä', username: 'demo01' }
const current = () => sessionStore.getState().session

function otherTabSets(cookie: string): void {
  // biome-ignore lint/suspicious/noDocumentCookie: the tests' only one
  document.cookie = `anniversary-${cookie}; Path=/`
}

afterEach(() => clearSession())

// spec: session-cookies
test('a session is two cookies, which a logout removes', () => {
  startSession(member)
  expect(current()).toEqual(member)
  expect(document.cookie).toBe('anniversary-token=t%3D1%3B%C3%A4; anniversary-username=demo01')
  clearSession()
  expect(current()).toBeNull()
  expect(document.cookie).toBe('')
})

test('a call has the token of the member shown, while its cookie exists', () => {
  startSession(member)
  expect(tokenForCall()).toBe(member.token)
  otherTabSets('token=another')
  expect(tokenForCall()).toBe(member.token)
  otherTabSets('token=; Max-Age=0')
  expect(tokenForCall()).toBeUndefined()
})

test('a browser without cookies starts no session and says so', () => {
  jest.spyOn(Document.prototype, 'cookie', 'set').mockImplementation(() => undefined)
  expect(() => startSession(member)).toThrow(
    expect.objectContaining({ name: 'StorageBlockedError' }),
  )
  expect(current()).toBeNull()
})

test('a prerendered page reads the session when it is shown', () => {
  otherTabSets('token=another')
  otherTabSets('username=demo02')
  document.dispatchEvent(new Event('prerenderingchange'))
  expect(current()).toEqual({ token: 'another', username: 'demo02' })
})

test('a page that returns notices a logout once', () => {
  startSession(member)
  const changes: unknown[] = []
  const stop = watchSession((session) => changes.push(session))
  window.dispatchEvent(new Event('pageshow'))
  expect(changes).toEqual([])
  otherTabSets('token=; Max-Age=0')
  window.dispatchEvent(new Event('pageshow'))
  window.dispatchEvent(new Event('pageshow'))
  expect(changes).toEqual([null])
  expect(current()).toBeNull()
  stop()
})

test('a browser without BroadcastChannel can log in and out', async () => {
  const { BroadcastChannel } = globalThis
  Object.assign(globalThis, { BroadcastChannel: undefined })
  await jest.isolateModulesAsync(async () => {
    const store = await import('./session-store.ts')
    store.startSession(member)
    store.watchSession(() => undefined)()
    store.clearSession()
    expect(store.tokenForCall()).toBeUndefined()
  })
  Object.assign(globalThis, { BroadcastChannel })
})

test('another tab follows a logout and a login by the message', async () => {
  startSession(member)
  const otherTab = new BroadcastChannel('anniversary-session')
  const told = jest.fn()
  otherTab.onmessage = ({ data }) => told(data)
  clearSession()
  startSession(member)
  await waitFor(() => expect(told.mock.calls).toEqual([[null], [member]]))

  const changed = jest.fn()
  const stop = watchSession(changed)
  otherTab.postMessage(null)
  await waitFor(() => expect(changed.mock.calls).toEqual([[null]]))
  expect(current()).toBeNull()
  stop()
  otherTab.close()
})
