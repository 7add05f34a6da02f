import type { Session } from '@anniversary/shared/contract/host'
import { COOKIES } from '@anniversary/shared/contract/page-names'
import { createStore } from 'zustand/vanilla'

const isSecure = () => location.protocol === 'https:'
const keyOf = (name: string) => (isSecure() ? COOKIES.securePrefix : '') + name

function read(name: string): string | undefined {
  const start = `${keyOf(name)}=`
  const found = document.cookie.split('; ').find((pair) => pair.startsWith(start))
  return found && decodeURIComponent(found.slice(start.length))
}

function write(name: string, value: string, attributes = '') {
  const all = `Path=/; SameSite=Strict${isSecure() ? '; Secure' : ''}${attributes}`
  try {
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is not in all of our browsers
    document.cookie = `${keyOf(name)}=${encodeURIComponent(value)}; ${all}`
  } catch {}
}

/** Null also if cookies are blocked. */
function readSession(): Session | null {
  try {
    const token = read(COOKIES.token)
    return token ? { token, username: read(COOKIES.username) ?? '' } : null
  } catch {
    return null
  }
}

/** The member's session, a copy of the cookies, which all tabs share. */
export const sessionStore = createStore<{ session: Session | null }>(() => ({
  session: readSession(),
}))

// The session may have changed between a page's prerendering and its
// activation.
document.addEventListener(
  'prerenderingchange',
  () => sessionStore.setState({ session: readSession() }),
  {
    once: true,
  },
)

/**
 * Token of the member shown here, even if another tab has logged in another
 * member. Undefined without cookies.
 */
export const tokenForCall = (): string | undefined =>
  readSession() ? sessionStore.getState().session?.token : undefined

// Cookies have no change event, so tabs send messages with the session itself,
// which may arrive before the cookie's change.
const otherTabs = openChannel()

/**
 * Undefined in browsers without it, such as some apps' web views: a tab then
 * follows when it becomes visible.
 */
function openChannel(): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel('anniversary-session')
  } catch {
    return undefined
  }
}

/** @throws a `StorageBlockedError` where the browser keeps no cookies */
export function startSession(session: Session): void {
  write(COOKIES.token, session.token)
  write(COOKIES.username, session.username)
  if (readSession()?.token !== session.token)
    throw new DOMException('The browser does not keep cookies', 'StorageBlockedError')
  sessionStore.setState({ session })
  otherTabs?.postMessage(session)
}

export function clearSession(): void {
  for (const name of [COOKIES.token, COOKIES.username]) write(name, '', '; Max-Age=0')
  sessionStore.setState({ session: null })
  otherTabs?.postMessage(null)
}

/**
 * Calls back when another tab changes the session, also after the back-forward
 * cache. Returns a function that stops it.
 */
export function watchSession(onChange: (session: Session | null) => void): () => void {
  const follow = (session: Session | null) => {
    if (session?.token === sessionStore.getState().session?.token) return
    sessionStore.setState({ session })
    onChange(session)
  }
  const refresh = () => {
    if (document.visibilityState === 'visible') follow(readSession())
  }
  const ended = new AbortController()
  const { signal } = ended
  otherTabs?.addEventListener('message', ({ data }: MessageEvent<Session | null>) => follow(data), {
    signal,
  })
  addEventListener('pageshow', refresh, { signal })
  document.addEventListener('visibilitychange', refresh, { signal })
  return () => ended.abort()
}
