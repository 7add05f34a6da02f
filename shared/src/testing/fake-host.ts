import type { AppPath, ClientApi, Host, Notify, NotifyOptions, Session } from '../contract/host.ts'
import { HOST_CONTRACT } from '../contract/host.ts'

/** A page's call to its host. Tests assert on them, the harness prints them. */
export type HostCall =
  | { kind: 'toast'; tone: keyof Notify; text: string; options?: NotifyOptions }
  | { kind: 'navigate'; path: AppPath; replace?: boolean; reload?: boolean }
  | { kind: 'reload' }
  | { kind: 'rules' }
  | { kind: 'session-start'; token: string; username: string }
  | { kind: 'session-clear' }

interface FakeHost extends Host {
  readonly calls: readonly HostCall[]
  /** Texts of all toasts so far. */
  toasts(): readonly string[]
  /** Paths navigated to so far. */
  visited(): readonly AppPath[]
}

export interface FakeHostOptions {
  /** Answers of the API; other calls reject. */
  api?: Partial<ClientApi>
  session?: Session | null
  config?: Partial<Host['config']>
  now?: () => Date
  onCall?: (call: HostCall) => void
}

/**
 * The schema's defaults. Not parsed, because Zod takes 0.2 s of each test file.
 */
const CONFIG: Host['config'] = {
  apiBase: '/api',
  site: 'ANNIVERSARY',
  shareHost: 'facebook.com',
  megaliveUrl: '/megalive-sample.html',
}

const unanswered = (name: string) => () =>
  Promise.reject(new Error(`The fake host has no answer for ${name}()`))

/**
 * A host without a shell, for component tests and for a remote that runs alone.
 */
export function createFakeHost(options: FakeHostOptions = {}): FakeHost {
  const calls: HostCall[] = []
  const record = (call: HostCall) => {
    calls.push(call)
    options.onCall?.(call)
  }
  let session =
    options.session === undefined ? { token: 'fake-token', username: 'demo01' } : options.session
  const listeners = new Set<() => void>()
  const setSession = (next: Session | null) => {
    session = next
    for (const listener of listeners) listener()
  }
  const toast = (tone: keyof Notify) => (text: string, toastOptions?: NotifyOptions) =>
    record({ kind: 'toast', tone, text, ...(toastOptions && { options: toastOptions }) })

  return {
    calls,
    toasts: () => calls.flatMap((call) => (call.kind === 'toast' ? [call.text] : [])),
    visited: () => calls.flatMap((call) => (call.kind === 'navigate' ? [call.path] : [])),
    contract: HOST_CONTRACT,
    config: { ...CONFIG, ...options.config },
    api: {
      login: unanswered('login'),
      updateInfo: unanswered('updateInfo'),
      missions: unanswered('missions'),
      takeCode: unanswered('takeCode'),
      history: unanswered('history'),
      draws: async () => [],
      check: unanswered('check'),
      tradeGiftcode: unanswered('tradeGiftcode'),
      ...options.api,
    },
    session: {
      current: () => session,
      start: ({ sign: token, username }) => {
        record({ kind: 'session-start', token, username })
        setSession({ token, username })
      },
      clear: () => {
        record({ kind: 'session-clear' })
        setSession(null)
      },
      subscribe: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
    },
    notify: {
      success: toast('success'),
      info: toast('info'),
      warning: toast('warning'),
      error: toast('error'),
    },
    rules: { open: () => record({ kind: 'rules' }) },
    clock: { now: options.now ?? (() => new Date('2025-08-20T20:00:00+07:00')) },
    navigate: (path, to) => record({ kind: 'navigate', path, ...to }),
    reload: () => record({ kind: 'reload' }),
  }
}
