import type { ComposedRemote, Release } from '@anniversary/shared/contract/composition'
import type { PageProps } from '@anniversary/shared/contract/host'
import type { ComponentType } from 'react'
import { firstToArrive } from './first-to-arrive.ts'
import { RemoteLoadError } from './load-error.ts'

export type PageComponent = ComponentType<PageProps>

/** Why a remote's page is not there. `off`: its team has switched it off. `crashed`: it threw while rendering. */
export type RemoteFailure = 'failed' | 'crashed' | 'off'

export type RemoteState =
  | { readonly status: 'loading' }
  | {
      readonly status: 'ready'
      readonly Page: PageComponent
      readonly release: Release
      /** Milliseconds of the deadline that loading has left for the first render. */
      readonly left: number
    }
  | { readonly status: 'failed'; readonly reason: RemoteFailure }

/** One try to load an expose that came to nothing, as told to the report. */
export interface FailedAttempt {
  readonly remote: string
  readonly expose: string
  readonly version: string
  /** Milliseconds from the attempt's start. */
  readonly duration: number
  readonly error: unknown
  /** What the loader does about it: the same release anew, the other one, or nothing more. */
  readonly next: 'retry' | 'other-version' | 'none'
}

export interface RemoteLoaderOptions {
  readonly remotes: Readonly<Record<string, ComposedRemote>>
  /** @param options.signal ends what nobody waits for any more */
  loadExpose(
    release: Release,
    expose: string,
    options: { readonly fresh: boolean; readonly signal: AbortSignal },
  ): Promise<PageComponent>
  /** What a hung release has not yet sent; for the report. */
  waitingFor?(release: Release): readonly string[]
  /** Called with every failed attempt, also where a later one succeeds. */
  onFailedAttempt(attempt: FailedAttempt): void
  /** Milliseconds from the first byte asked for to the first render. */
  readonly deadline?: number
  /** Milliseconds without an answer after which the next attempt starts beside the one that hangs. */
  readonly patience?: number
}

export interface RemoteLoader {
  /** State of a page; the first call starts loading it. The same object until it changes. */
  state(remote: string, expose: string): RemoteState
  /** Loads a failed page anew; a page that loads or is ready is left alone. */
  retry(remote: string, expose: string): void
  /** Loads all failed pages anew. */
  retryAll(): void
  /** Takes a ready page away: it crashed, or has not rendered in time. A retry then prefers the other release. */
  fail(remote: string, expose: string, reason: 'failed' | 'crashed'): void
  /** Nobody looks at the page any more: one that has failed is loaded anew when it is asked for again. */
  leave(remote: string, expose: string): void
  /** Resolves when the page is ready or has failed; never rejects. */
  settled(remote: string, expose: string): Promise<void>
  subscribe(listener: () => void): () => void
}

interface Entry {
  readonly remote: string
  readonly expose: string
  state: RemoteState
  settled: Promise<void>
}

const LOADING: RemoteState = { status: 'loading' }
/** Milliseconds: what came at the last moment must still get onto the screen. */
const LEAST_TO_RENDER = 500

/**
 * Loads pages of remotes and keeps what became of them, without React and without a network of its own.
 *
 * A failed attempt is followed at once by the next: the same release with a fresh request, then the previous good one.
 * An attempt that only hangs is not given up, since a slow network looks the same: the next starts beside it, and the
 * first to arrive wins. After `deadline` the page counts as failed, until `retry` or until what was slow arrives.
 */
export function createRemoteLoader(options: RemoteLoaderOptions): RemoteLoader {
  const { deadline = 10_000, patience = 4_000, onFailedAttempt } = options
  const entries = new Map<string, Entry>()
  const listeners = new Set<() => void>()
  /** Releases that were loaded and then crashed or never rendered, with how often. */
  const blamed = new Map<Release, number>()
  const leftFailed = new Set<string>()

  const start = (remote: string, expose: string, fresh: boolean): Entry => {
    const entry: Entry = { remote, expose, state: LOADING, settled: Promise.resolve() }
    const key = `${remote}/${expose}`
    entries.set(key, entry)
    const settle = (state: RemoteState) => {
      // A page that was slow may come after its retry has begun.
      if (entries.get(key) !== entry) return
      entry.state = state
      for (const listener of listeners) listener()
    }
    const composed = options.remotes[remote]
    const began = Date.now()
    const load = !composed
      ? Promise.reject(new Error(`The composition has no remote ${remote}`))
      : composed.status === 'off'
        ? Promise.resolve<RemoteState>({ status: 'failed', reason: 'off' })
        : firstToArrive({
            attempts: attemptsOf(composed, remote, expose, fresh),
            patience,
            deadline,
            onLate: ({ Page, release }) => settle({ status: 'ready', Page, release, left: deadline }),
          }).then<RemoteState>(({ Page, release }) => ({
            status: 'ready',
            Page,
            release,
            left: Math.max(LEAST_TO_RENDER, deadline - (Date.now() - began)),
          }))
    entry.settled = load.then(settle, () => settle({ status: 'failed', reason: 'failed' }))
    return entry
  }

  const attemptsOf = (composed: ComposedRemote, remote: string, expose: string, fresh: boolean) => {
    const releases = [composed.current, ...(composed.previous ? [composed.previous] : [])]
    const [first = composed.current, second] = releases.sort(
      (a, b) => (blamed.get(a) ?? 0) - (blamed.get(b) ?? 0),
    )
    const plan = [
      { release: first, fresh },
      { release: first, fresh: true },
      ...(second ? [{ release: second, fresh }] : []),
    ]
    return plan.map(({ release, fresh: again }, index) => {
      const next = plan[index + 1]?.release
      const failed = (duration: number, error: unknown) =>
        onFailedAttempt({
          remote,
          expose,
          version: release.version,
          duration,
          error,
          next: !next ? 'none' : next === release ? 'retry' : 'other-version',
        })
      return {
        run: async (signal: AbortSignal) => ({
          Page: await options.loadExpose(release, expose, { fresh: again, signal }),
          release,
        }),
        onFailed: failed,
        onSlow(duration: number) {
          const files = options.waitingFor?.(release).join(' ')
          failed(duration, new RemoteLoadError('deadline', `no answer within ${duration} ms: ${files}`))
        },
      }
    })
  }

  const get = (remote: string, expose: string) => {
    const key = `${remote}/${expose}`
    return entries.get(key) ?? start(remote, expose, leftFailed.has(key))
  }

  return {
    state: (remote, expose) => get(remote, expose).state,
    retry(remote, expose) {
      if (get(remote, expose).state.status !== 'failed') return
      start(remote, expose, true)
      for (const listener of listeners) listener()
    },
    retryAll() {
      for (const { remote, expose } of [...entries.values()]) this.retry(remote, expose)
    },
    fail(remote, expose, reason) {
      const entry = get(remote, expose)
      if (entry.state.status !== 'ready') return
      const { release } = entry.state
      blamed.set(release, (blamed.get(release) ?? 0) + 1)
      entry.state = { status: 'failed', reason }
      for (const listener of listeners) listener()
    },
    leave(remote, expose) {
      const key = `${remote}/${expose}`
      if (entries.get(key)?.state.status !== 'failed') return
      entries.delete(key)
      leftFailed.add(key)
    },
    settled: (remote, expose) => get(remote, expose).settled,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
