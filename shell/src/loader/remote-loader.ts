import type { ComposedRemote, Release } from '@anniversary/shared/contract/composition'
import type { PageProps } from '@anniversary/shared/contract/host'
import type { ComponentType } from 'react'
import { createStore } from 'zustand/vanilla'
import { type FileRequest, freshQuery } from './load-file.ts'
import type { Failure } from './report.ts'
import { DEADLINE, GAP, GAP_WAIT, MIN_RENDER_TIME, RemoteLoadError, retry } from './retry.ts'

export type PageComponent = ComponentType<PageProps>

export type PageState =
  | { readonly status: 'loading' }
  | {
      readonly status: 'ready'
      readonly Page: PageComponent
      readonly release: Release
      /** Milliseconds of the deadline that loading has left for the first render. */
      readonly timeLeft: number
    }
  /** `off`: switched off by its team. `crashed`: it threw while rendering. */
  | { readonly status: 'failed'; readonly reason: 'failed' | 'crashed' | 'off' }

export interface RemoteLoaderOptions {
  remote(name: string): ComposedRemote | undefined
  /** @param request a query requests missing files again and evaluates the page's module again */
  loadExpose(release: Release, expose: string, request: FileRequest): Promise<PageComponent>
  /** Called for every failed attempt, even if a later one succeeds, and for every page that failed after loading. */
  onFailure(failure: Failure): void
  /** The times of late attempts and the deadline start when it resolves, so that the host's scripts cost a remote nothing. */
  readonly hostReady?: Promise<unknown>
}

export type RemoteLoader = ReturnType<typeof createRemoteLoader>

interface Page {
  readonly remote: string
  readonly expose: string
  state: PageState
  /** Its next load must not get the same cached answer. */
  fresh: boolean
  /** Resolves when its load has ended; undefined without a load. */
  done?: Promise<void> | undefined
}

const LOADING: PageState = { status: 'loading' }
const OFF: PageState = { status: 'failed', reason: 'off' }
const FAILED: PageState = { status: 'failed', reason: 'failed' }
const CRASHED: PageState = { status: 'failed', reason: 'crashed' }

/** Loads pages of remotes and holds the state of each, without React and without network code. */
export function createRemoteLoader({
  remote: find,
  loadExpose,
  onFailure,
  hostReady,
}: RemoteLoaderOptions) {
  const store = createStore<{ off: ReadonlySet<string> }>(() => ({ off: new Set() }))
  const pages = new Map<string, Page>()
  /** How often a release loaded and then crashed or never rendered, by its entry. */
  const failureCounts = new Map<string, number>()

  const pageOf = (remote: string, expose: string): Page => {
    const key = `${remote}/${expose}`
    const page = pages.get(key) ?? { remote, expose, state: LOADING, fresh: false }
    pages.set(key, page)
    return page
  }

  const change = (page: Page, to: Partial<Page>) => {
    Object.assign(page, to)
    // Notifies subscribers.
    store.setState({})
  }

  const isOff = (remote: string) => store.getState().off.has(remote)
  const state = (remote: string, expose: string): PageState =>
    isOff(remote) ? OFF : pageOf(remote, expose).state

  const start = (page: Page): Promise<void> => {
    const settle = (state: PageState) => {
      // A late answer may follow a retry's start.
      if (page.done === done) change(page, { state })
    }
    change(page, { state: LOADING })
    const done: Promise<void> = loadPage(page, settle).then(settle, () => settle(FAILED))
    page.done = done
    return done
  }

  const loadPage = async (
    { remote, expose, fresh }: Page,
    onLateAnswer: (state: PageState) => void,
  ) => {
    const composed = find(remote)
    if (!composed) throw new Error(`The composition has no remote ${remote}`)
    if (composed.status === 'off') return OFF
    const ready = (answer: { Page: PageComponent; release: Release }, left: number): PageState => ({
      status: 'ready',
      ...answer,
      timeLeft: Math.max(MIN_RENDER_TIME, left),
    })
    const { value, left } = await retry({
      clock: hostReady,
      onLateAnswer: (late) => onLateAnswer(ready(late, DEADLINE)),
      attempts: planOf(composed, fresh).map(({ release, fresh, next }) => ({
        async run(signal) {
          const request = { query: fresh ? freshQuery() : '', signal }
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

  /** The current release, then it again with fresh requests, then the previous one; a crashed release comes last. */
  const planOf = ({ current, previous }: ComposedRemote, fresh: boolean) => {
    const count = (release: Release) => failureCounts.get(release.entry) ?? 0
    const [first, second] =
      previous && count(previous) < count(current) ? [previous, current] : [current, previous]
    return [
      { release: first, fresh, next: 'retry' },
      { release: first, fresh: true, next: second ? 'other-version' : 'none' },
      ...(second ? [{ release: second, fresh, next: 'none' } as const] : []),
    ] as const
  }

  const load = (remote: string, expose: string): Promise<void> => {
    const page = pageOf(remote, expose)
    return page.done ?? start(page)
  }

  const retryPage = (remote: string, expose: string) => {
    const page = pageOf(remote, expose)
    if (page.state.status !== 'failed' || isOff(remote)) return
    page.fresh = true
    void start(page)
  }

  return {
    /** State of a page; `loading` also before `load`. The same object until it changes. */
    state,
    subscribe: (listener: () => void) => store.subscribe(listener),
    /** Starts loading a page, once. Resolves when it is ready or has failed; never rejects. */
    load,
    /** Loads a page whose HTML shows. It retries for `GAP`, because a card would replace the HTML. */
    async loadBehindHtml(remote: string, expose: string): Promise<void> {
      const end = performance.now() + GAP
      for (;;) {
        await load(remote, expose)
        if (state(remote, expose) !== FAILED || performance.now() >= end) return
        await new Promise((resolve) => setTimeout(resolve, GAP_WAIT))
        retryPage(remote, expose)
      }
    },
    retry: retryPage,
    retryAll() {
      for (const { remote, expose } of pages.values()) retryPage(remote, expose)
    },
    /** Marks a ready page that threw or rendered too late as failed. A retry then prefers the other release. */
    markFailed(remote: string, expose: string, phase: 'deadline' | 'render', error: unknown) {
      const page = pageOf(remote, expose)
      if (page.state.status !== 'ready' || isOff(remote)) return
      const { entry, version } = page.state.release
      failureCounts.set(entry, (failureCounts.get(entry) ?? 0) + 1)
      change(page, { state: phase === 'render' ? CRASHED : FAILED })
      onFailure({ owner: { name: remote, version }, phase, error, next: 'none' })
    },
    /** Hides the pages of these remotes and shows those of all others again. */
    switchOff: (off: ReadonlySet<string>) => store.setState({ off }),
    /** Forgets a failed page when it is left, so that the next visit loads it again. */
    leave(remote: string, expose: string) {
      const page = pageOf(remote, expose)
      if (page.state.status === 'failed')
        change(page, { state: LOADING, done: undefined, fresh: true })
    },
  }
}
