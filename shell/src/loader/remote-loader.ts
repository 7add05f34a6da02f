import type { ComposedRemote, Release } from '@anniversary/shared/contract/composition'
import type { PageProps } from '@anniversary/shared/contract/host'
import type { ComponentType } from 'react'
import { createStore } from 'zustand/vanilla'
import { type FileRequest, freshFileQuery, prefetchFiles } from './load-file.ts'
import type { Failure } from './report.ts'
import { DEADLINE, GAP, GAP_WAIT, MIN_RENDER_TIME, RemoteLoadError, runAttempts } from './retry.ts'

export type PageComponent = ComponentType<PageProps>

export type PageState =
  | { readonly status: 'loading' }
  | {
      readonly status: 'ready'
      readonly Page: PageComponent
      readonly release: Release
      /**
       * Milliseconds of the deadline that loading has left for the first
       * render.
       */
      readonly timeLeft: number
    }
  /** `off`: switched off by its team. `crashed`: it threw while rendering. */
  | { readonly status: 'failed'; readonly reason: 'failed' | 'crashed' | 'off' }

export interface PagePlace {
  readonly name: string
  readonly expose: string
}

export interface RemoteLoaderOptions {
  remote(name: string): ComposedRemote | undefined
  /** Undefined for a page of the shell. Waits until all paths are known. */
  placeOf(path: string): Promise<PagePlace | undefined>
  /**
   * @param request a query requests missing files again and evaluates the
   * page's module again
   */
  loadExpose(release: Release, expose: string, request: FileRequest): Promise<PageComponent>
  /**
   * Called for every failed attempt, even if a later one succeeds, and for
   * every page that failed after loading.
   */
  onFailure(failure: Failure): void
  /**
   * The times of late attempts and the deadline start when it resolves, so that
   * the host's scripts cost a remote nothing.
   */
  readonly hostReady?: Promise<unknown>
}

export type RemoteLoader = ReturnType<typeof createRemoteLoader>

interface Page {
  readonly remote: string
  readonly expose: string
  readonly state: PageState
  /**
   * A page of the app shows it or waits for it. The failure of a page that
   * nobody wants yet is forgotten.
   */
  readonly isWanted?: boolean
  /** Its next load must not get the same cached answer. */
  readonly isFresh?: boolean
  /** Resolves when its load has ended; undefined without a load. */
  readonly done?: Promise<void> | undefined
}

type Pages = Readonly<Record<string, Page | undefined>>

const LOADING: PageState = { status: 'loading' }
const OFF: PageState = { status: 'failed', reason: 'off' }
const FAILED: PageState = { status: 'failed', reason: 'failed' }
const CRASHED: PageState = { status: 'failed', reason: 'crashed' }

const FORGOTTEN: Partial<Page> = { state: LOADING, isFresh: true, done: undefined }

export function createRemoteLoader({
  remote: find,
  placeOf,
  loadExpose,
  onFailure,
  hostReady,
}: RemoteLoaderOptions) {
  const store = createStore<{ off: ReadonlySet<string>; pages: Pages }>(() => ({
    off: new Set(),
    pages: {},
  }))
  /**
   * How often a release loaded and then crashed or never rendered, by its
   * entry.
   */
  const failureCounts = new Map<string, number>()

  const keyOf = (remote: string, expose: string) => `${remote}/${expose}`
  const pageOf = (remote: string, expose: string): Page =>
    store.getState().pages[keyOf(remote, expose)] ?? { remote, expose, state: LOADING }

  const change = (remote: string, expose: string, to: Partial<Page>) => {
    const changed = { ...pageOf(remote, expose), ...to }
    store.setState(({ pages }) => ({ pages: { ...pages, [keyOf(remote, expose)]: changed } }))
  }

  const isOff = (remote: string) => store.getState().off.has(remote)
  const state = (remote: string, expose: string): PageState => {
    if (isOff(remote)) return OFF
    return pageOf(remote, expose).state
  }

  const start = (remote: string, expose: string, isFresh: boolean): Promise<void> => {
    const settle = (state: PageState) => {
      const page = pageOf(remote, expose)
      // A late answer may follow a retry's start.
      if (page.done !== done) return
      const isForgotten = state.status === 'failed' && !page.isWanted
      change(remote, expose, isForgotten ? FORGOTTEN : { state })
    }
    change(remote, expose, { state: LOADING, isFresh })
    const done: Promise<void> = loadPage(remote, expose, isFresh, settle).then(settle, () =>
      settle(FAILED),
    )
    change(remote, expose, { done })
    return done
  }

  const loadPage = async (
    remote: string,
    expose: string,
    isFresh: boolean,
    onLateAnswer: (state: PageState) => void,
  ): Promise<PageState> => {
    const composed = find(remote)
    if (!composed) throw new Error(`The composition has no remote ${remote}`)
    if (composed.status === 'off') return OFF
    const ready = (answer: { Page: PageComponent; release: Release }, left: number): PageState => ({
      status: 'ready',
      ...answer,
      timeLeft: Math.max(MIN_RENDER_TIME, left),
    })
    const { value, left } = await runAttempts({
      clock: hostReady,
      onLateAnswer: (late) => onLateAnswer(ready(late, DEADLINE)),
      attempts: planOf(composed, isFresh).map(({ release, fresh, next }) => ({
        async run(signal) {
          const request = { query: fresh ? freshFileQuery() : '', signal }
          return { Page: await loadExpose(release, expose, request), release }
        },
        onFailure(error) {
          const phase = error instanceof RemoteLoadError ? error.phase : 'expose'
          onFailure({ owner: { name: remote, version: release.version }, phase, error, next })
        },
      })),
    })
    return ready(value, left)
  }

  /**
   * The current release, then it again with fresh requests, then the previous
   * one; a crashed release comes last.
   */
  const planOf = ({ current, previous }: ComposedRemote, fresh: boolean) => {
    const count = (release: Release) => failureCounts.get(release.entry) ?? 0
    const isPreviousBetter = previous && count(previous) < count(current)
    const [first, second] = isPreviousBetter ? [previous, current] : [current, previous]
    const plan = [
      { release: first, fresh, next: 'retry' },
      { release: first, fresh: true, next: second ? 'other-version' : 'none' },
    ] as const
    return second ? [...plan, { release: second, fresh, next: 'none' } as const] : plan
  }

  const startOnce = async (remote: string, expose: string): Promise<void> => {
    const { done, isFresh = false } = pageOf(remote, expose)
    if (!isOff(remote)) await (done ?? start(remote, expose, isFresh))
  }

  const load = (remote: string, expose: string): Promise<void> => {
    change(remote, expose, { isWanted: true })
    return startOnce(remote, expose)
  }

  const retryPage = (remote: string, expose: string) => {
    if (pageOf(remote, expose).state.status !== 'failed' || isOff(remote)) return
    void start(remote, expose, true)
  }

  return {
    state,
    subscribe: (listener: () => void) => store.subscribe(listener),
    load,
    /**
     * Loads a page whose HTML shows. It retries for `GAP`, because a card would
     * replace the HTML.
     */
    async loadBehindHtml(remote: string, expose: string): Promise<void> {
      const end = performance.now() + GAP
      for (;;) {
        await load(remote, expose)
        if (state(remote, expose) !== FAILED || performance.now() >= end) return
        await new Promise((resolve) => setTimeout(resolve, GAP_WAIT))
        retryPage(remote, expose)
      }
    },
    /**
     * Loads the page of a path for a member who is about to open it. Never
     * rejects.
     */
    async preload(path: string): Promise<void> {
      const place = await placeOf(path)
      if (place) await startOnce(place.name, place.expose)
    },
    async prefetch(path: string): Promise<void> {
      const place = await placeOf(path)
      if (!place || isOff(place.name)) return
      const composed = find(place.name)
      if (composed?.status === 'on') prefetchFiles(composed.current, place.expose)
    },
    retry: retryPage,
    retryAll() {
      for (const page of Object.values(store.getState().pages))
        if (page) retryPage(page.remote, page.expose)
    },
    /**
     * Marks a ready page that threw or rendered too late as failed. A retry
     * then prefers the other release.
     */
    markFailed(remote: string, expose: string, phase: 'deadline' | 'render', error: unknown) {
      const { state: current } = pageOf(remote, expose)
      if (current.status !== 'ready' || isOff(remote)) return
      const { entry, version } = current.release
      failureCounts.set(entry, (failureCounts.get(entry) ?? 0) + 1)
      change(remote, expose, { state: phase === 'render' ? CRASHED : FAILED })
      onFailure({ owner: { name: remote, version }, phase, error, next: 'none' })
    },
    switchOff(off: ReadonlySet<string>) {
      store.setState({ off })
      for (const page of Object.values(store.getState().pages))
        if (page?.isWanted) void startOnce(page.remote, page.expose)
    },
    /**
     * Forgets a failed page when it is left, so that the next visit loads it
     * again.
     */
    leave(remote: string, expose: string) {
      const isFailed = pageOf(remote, expose).state.status === 'failed'
      change(remote, expose, { isWanted: false, ...(isFailed && FORGOTTEN) })
    },
  }
}
