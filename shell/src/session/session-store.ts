import type { Session } from '@anniversary/shared/contract/host'
import { createStore } from 'zustand/vanilla'
import { readSession, removeSession, writeSession } from './session-cookies.ts'

/** The member's session: a mirror of the cookies, which are the truth for every tab. */
export const sessionStore = createStore<{ session: Session | null }>(() => ({ session: readSession() }))

/**
 * The token for a call. Cookies that went while the page was open (cleared by hand, say) end the session with the next
 * call; another member's, of another tab, never stand in for those whose missions show here.
 */
export const tokenForCall = (): string | undefined =>
  readSession() ? sessionStore.getState().session?.token : undefined

// Cookies tell nobody that they changed; the other tabs learn it here. The message carries the session itself: in
// Chromium it can arrive before the cookie's change does (measured: every third time).
const otherTabs =
  typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('anniversary-session')

/** @throws StorageBlockedError */
export function startSession(session: Session): void {
  writeSession(session)
  sessionStore.setState({ session })
  otherTabs?.postMessage(session)
}

export function clearSession(): void {
  removeSession()
  sessionStore.setState({ session: null })
  otherTabs?.postMessage(null)
}

/**
 * Keeps the store true to the cookies while the page lives: another tab, or the time in the back-forward cache, may
 * have changed them.
 * @param onChange called with the new session when it changed elsewhere
 * @returns the end of it
 */
export function watchSession(onChange: (session: Session | null) => void): () => void {
  const follow = (session: Session | null) => {
    if (session?.token === sessionStore.getState().session?.token) return
    sessionStore.setState({ session })
    onChange(session)
  }
  const refresh = () => follow(readSession())
  const onMessage = ({ data }: MessageEvent<Session | null>) => follow(data)
  const onVisible = () => {
    if (document.visibilityState === 'visible') refresh()
  }
  otherTabs?.addEventListener('message', onMessage)
  window.addEventListener('pageshow', refresh)
  document.addEventListener('visibilitychange', onVisible)
  return () => {
    otherTabs?.removeEventListener('message', onMessage)
    window.removeEventListener('pageshow', refresh)
    document.removeEventListener('visibilitychange', onVisible)
  }
}
