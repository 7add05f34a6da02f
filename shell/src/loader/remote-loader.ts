import type { ComposedRemote, Release } from '@anniversary/shared/contract/composition'
import type { PageProps } from '@anniversary/shared/contract/host'
import type { ComponentType } from 'react'
import { DEADLINE, hedgedRequest } from './hedged-request.ts'
import { RemoteLoadError } from './load-error.ts'
import type { SendReport } from './report.ts'

export type PageComponent = ComponentType<PageProps>

export type PageState =
  | { readonly status: 'loading' }
  | {
      readonly status: 'ready'
      readonly Page: PageComponent
      readonly release: Release
      /** Milliseconds of the deadline that loading has left for the first render. */
      readonly left: number
    }
  /** `off`: its team has switched it off. `crashed`: it threw while rendering. */
  | { readonly status: 'failed'; readonly reason: 'failed' | 'crashed' | 'off' }

interface LoadOptions {
  /** Requests what has not arrived yet under new URLs, and evaluates the page's module again. */
  readonly fresh: boolean
  /** Aborts when the page no longer needs this attempt. */
  readonly signal: AbortSignal
}

export interface RemoteLoaderOptions {
  /** A remote with the releases that this visitor gets. */
  remote(name: string): ComposedRemote | undefined
  loadExpose(release: Release, expose: string, options: LoadOptions): Promise<PageComponent>
  /** URLs of a release's files that were requested and have not arrived; for the report. */
  pendingFiles?(release: Release): readonly string[]
  /** Called with every failed attempt, also where a later one succeeds, and with every page that failed after loading. */
  readonly onFailure: SendReport
  /** The deadline counts from here, so that waiting for the host's own scripts costs a remote nothing. */
  readonly hostReady?: Promise<unknown>
}

export type RemoteLoader = ReturnType<typeof createRemoteLoader>

export interface Progress {
  state: PageState
}

interface Entry extends Progress {
  readonly remote: string
  readonly expose: string
  settled: Promise<void>
}

const LOADING: PageState = { status: 'loading' }
const OFF: PageState = { status: 'failed', reason: 'off' }
/** Milliseconds: a page that loaded at the last moment still needs time to render. */
const MIN_RENDER_TIME = 500

/**
 * Loads pages of remotes and holds the state of each, without React and without a network of its own.
 *
 * A failed attempt is followed at once by the next: the same release with fresh requests, then the previous good one.
 * An attempt that hangs is not given up, since a slow network looks the same: the next starts beside it and the first
 * answer wins. At the deadline the page counts as failed, until `retry` or a late answer.
 *
 * The store is written by hand: it is two lines, and zustand would be a second copy, in the script that comes first.
 */
export function createRemoteLoader(options: RemoteLoaderOptions) {
  const { hostReady = Promise.resolve(), onFailure } = options
  const entries = new Map<string, Entry>()
  const listeners = new Set<() => void>()
  /** How often a release loaded and then crashed or never rendered, by its entry. */
  const failureCounts = new Map<string, number>()
  /** Pages that were left after a failure: their next load must not get the same cached answer. */
  const leftFailed = new Set<string>()
  /** Remotes that were switched off after this page was opened. */
  let off: ReadonlySet<string> = new Set()

  const changed = () => {
    for (const listener of listeners) listener()
  }

  const start = (remote: string, expose: string, fresh: boolean): Entry => {
    const entry: Entry = { remote, expose, state: LOADING, settled: Promise.resolve() }
    const key = `${remote}/${expose}`
    entries.set(key, entry)
    const settle = (state: PageState) => {
      // A late answer may come after a retry has begun.
      if (entries.get(key) !== entry) return
      entry.state = state
      changed()
    }
    entry.settled = load(entry, fresh, settle).then(settle, () =>
      settle({ status: 'failed', reason: 'failed' }),
    )
    return entry
  }

  const load = async (
    entry: Entry,
    fresh: boolean,
    onLate: (state: PageState) => void,
  ): Promise<PageState> => {
    const { remote } = entry
    const composed = options.remote(remote)
    if (!composed) throw new Error(`The composition has no remote ${remote}`)
    if (composed.status === 'off') return OFF
    const { value, left } = await hedgedRequest({
      attempts: attemptsOf(composed, entry, fresh),
      clock: hostReady,
      onLate: (page) => onLate({ status: 'ready', ...page, left: DEADLINE }),
    })
    return { status: 'ready', ...value, left: Math.max(MIN_RENDER_TIME, left) }
  }

  const attemptsOf = (composed: ComposedRemote, entry: Entry, fresh: boolean) => {
    const { remote, expose } = entry
    const { current, previous } = composed
    const count = (release: Release) => failureCounts.get(release.entry) ?? 0
    const [first, second] =
      previous && count(previous) < count(current) ? [previous, current] : [current, previous]
    const plan = [
      { release: first, fresh },
      { release: first, fresh: true },
      ...(second ? [{ release: second, fresh }] : []),
    ]
    return plan.map(({ release, fresh: again }, index) => {
      const follower = plan[index + 1]?.release
      const next = !follower ? 'none' : follower === release ? 'retry' : 'other-version'
      const failure = {
        'remote.name': remote,
        'remote.version': release.version,
        'remote.next': next,
      } as const
      return {
        run: async (signal: AbortSignal) => ({
          Page: await options.loadExpose(release, expose, { fresh: again, signal }),
          release,
        }),
        onFailure(duration: number, error?: unknown) {
          const phase =
            error === undefined ? 'deadline' : error instanceof RemoteLoadError ? error.phase : 'expose'
          const slow = () =>
            new Error(`no answer within ${duration} ms: ${options.pendingFiles?.(release).join(' ')}`)
          onFailure({ ...failure, 'remote.phase': phase }, error ?? slow())
        },
      }
    })
  }

  const get = (remote: string, expose: string) => {
    const key = `${remote}/${expose}`
    return entries.get(key) ?? start(remote, expose, leftFailed.has(key))
  }

  const retry = (remote: string, expose: string) => {
    if (off.has(remote) || get(remote, expose).state.status !== 'failed') return
    start(remote, expose, true)
    changed()
  }

  const takeAway = (remote: string, expose: string, phase: 'deadline' | 'render', error: unknown) => {
    const entry = get(remote, expose)
    if (entry.state.status !== 'ready') return
    const { release } = entry.state
    failureCounts.set(release.entry, (failureCounts.get(release.entry) ?? 0) + 1)
    entry.state = { status: 'failed', reason: phase === 'render' ? 'crashed' : 'failed' }
    onFailure(
      {
        'remote.name': remote,
        'remote.version': release.version,
        'remote.next': 'none',
        'remote.phase': phase,
      },
      error,
    )
    changed()
  }

  return {
    /** State of a page; the first call starts loading it. The same object until it changes. */
    state: (remote: string, expose: string): PageState => (off.has(remote) ? OFF : get(remote, expose).state),
    /** Loads a failed page again; does nothing to one that loads or is ready. */
    retry,
    /** Loads all failed pages again. */
    retryAll() {
      for (const { remote, expose } of [...entries.values()]) retry(remote, expose)
    },
    /**
     * Takes away a ready page that threw while rendering or in an effect (`render`), or that did not render in time
     * (`deadline`). A retry then prefers the other release.
     */
    takeAway,
    /** Takes the pages of these remotes away while they are named; those of all others come back. */
    switchOff(remotes: ReadonlySet<string>) {
      off = remotes
      changed()
    },
    /** The page is left: if it has failed, the next `state` loads it again. */
    leave(remote: string, expose: string) {
      const key = `${remote}/${expose}`
      if (entries.get(key)?.state.status !== 'failed') return
      entries.delete(key)
      leftFailed.add(key)
    },
    /** How the loading of a page goes; undefined: it was never asked for. The same object for the page's life. */
    progress: (remote: string, expose: string): Readonly<Progress> | undefined =>
      entries.get(`${remote}/${expose}`),
    /** Resolves when the page is ready or has failed; never rejects. */
    settled: (remote: string, expose: string) => get(remote, expose).settled,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
