import type { ComposedRemote, Release } from '@anniversary/shared/contract/composition'
import type { PageProps } from '@anniversary/shared/contract/host'
import type { ComponentType } from 'react'

export type PageComponent = ComponentType<PageProps>

/** Why a remote's page is not there. `off`: its team has switched it off. */
export type RemoteFailure =
  | { readonly reason: 'failed'; readonly error: unknown }
  | { readonly reason: 'off' }

export type RemoteState =
  | { readonly status: 'loading' }
  | { readonly status: 'ready'; readonly Page: PageComponent; readonly release: Release }
  | { readonly status: 'failed'; readonly failure: RemoteFailure }

/** One try to load an expose, as told to the report. */
export interface Attempt {
  readonly remote: string
  readonly expose: string
  readonly version: string
  /** Milliseconds from the attempt's start to its failure. */
  readonly duration: number
  readonly error: unknown
}

export interface RemoteLoaderOptions {
  readonly remotes: Readonly<Record<string, ComposedRemote>>
  loadExpose(release: Release, expose: string, fresh: boolean): Promise<PageComponent>
  /** Called with every failed attempt, also where a later one succeeds. */
  onFailedAttempt(attempt: Attempt): void
  /** Milliseconds from the first byte asked for to giving up. */
  readonly deadline?: number
  /** Milliseconds without an answer after which the next attempt starts beside the one that hangs. */
  readonly patience?: number
}

export interface RemoteLoader {
  /** State of a page; the first call starts loading it. The same object until it changes. */
  state(remote: string, expose: string): RemoteState
  /** Loads a failed page anew; a page that loads or is ready is left alone. */
  retry(remote: string, expose: string): void
  /** Resolves when the page is ready or has failed; never rejects. */
  settled(remote: string, expose: string): Promise<void>
  subscribe(listener: () => void): () => void
}

const LOADING: RemoteState = { status: 'loading' }

/**
 * Loads pages of remotes and keeps what became of them, without React and without a network of its own.
 *
 * A failed attempt is followed at once by the next: the same release with a fresh request, then the previous good one.
 * An attempt that only hangs is not given up, since a slow network looks the same: the next starts beside it, and the
 * first to arrive wins. After `deadline` the page counts as failed, until `retry`.
 */
export function createRemoteLoader(options: RemoteLoaderOptions): RemoteLoader {
  const { deadline = 10_000, patience = 4_000 } = options
  const states = new Map<string, { state: RemoteState; settled: Promise<void>; tries: number }>()
  const listeners = new Set<() => void>()

  const start = (remote: string, expose: string, tries: number) => {
    const key = `${remote}/${expose}`
    const entry = { state: LOADING, settled: Promise.resolve(), tries }
    states.set(key, entry)
    const settle = (state: RemoteState) => {
      entry.state = state
      for (const listener of listeners) listener()
    }
    entry.settled = load(remote, expose, tries > 0).then(
      (found) => settle({ status: 'ready', ...found }),
      (error: unknown) =>
        settle({
          status: 'failed',
          failure: error === OFF ? { reason: 'off' } : { reason: 'failed', error },
        }),
    )
    return entry
  }

  const load = (remote: string, expose: string, fresh: boolean) => {
    const composed = options.remotes[remote]
    if (!composed) return Promise.reject(new Error(`The composition has no remote ${remote}`))
    if (composed.status === 'off') return Promise.reject(OFF)
    const { current, previous } = composed
    const plan = [
      { release: current, fresh },
      { release: current, fresh: true },
      ...(previous ? [{ release: previous, fresh }] : []),
    ]
    return firstToArrive(
      plan.map(({ release, fresh: again }) => async () => {
        const began = Date.now()
        try {
          return { Page: await options.loadExpose(release, expose, again), release }
        } catch (error) {
          options.onFailedAttempt({
            remote,
            expose,
            version: release.version,
            duration: Date.now() - began,
            error,
          })
          throw error
        }
      }),
      patience,
      deadline,
    )
  }

  return {
    state: (remote, expose) => (states.get(`${remote}/${expose}`) ?? start(remote, expose, 0)).state,
    retry(remote, expose) {
      const entry = states.get(`${remote}/${expose}`)
      if (entry?.state.status !== 'failed') return
      start(remote, expose, entry.tries + 1)
      for (const listener of listeners) listener()
    },
    settled: (remote, expose) => (states.get(`${remote}/${expose}`) ?? start(remote, expose, 0)).settled,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}

const OFF = new Error('switched off')

/** Runs attempts one after the other, the next early when one hangs; rejects with the last error or at the deadline. */
function firstToArrive<T>(
  attempts: readonly (() => Promise<T>)[],
  patience: number,
  deadline: number,
): Promise<T> {
  return new Promise((resolve, reject) => {
    let next = 0
    let running = 0
    let hurry: ReturnType<typeof setTimeout> | undefined
    const end = setTimeout(() => finish(() => reject(new Error(`no answer within ${deadline} ms`))), deadline)
    const finish = (settle: () => void) => {
      clearTimeout(end)
      clearTimeout(hurry)
      next = attempts.length
      settle()
    }
    const begin = () => {
      const attempt = attempts[next]
      if (!attempt) return
      next += 1
      running += 1
      clearTimeout(hurry)
      hurry = setTimeout(begin, patience)
      attempt().then(
        (value) => finish(() => resolve(value)),
        (error: unknown) => {
          running -= 1
          if (next < attempts.length) begin()
          else if (running === 0) finish(() => reject(error))
        },
      )
    }
    begin()
  })
}
