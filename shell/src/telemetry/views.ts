import { MAX_VIEWS, type Measure, type View } from '@anniversary/shared/contract/report'
import type { SiteRoute } from '@anniversary/shared/contract/routes'
import type { Loader } from '../loader/loader.ts'
import type { Owner } from '../loader/published-files.ts'

export interface ViewsOptions extends Pick<Loader, 'release' | 'progress'> {
  readonly shellVersion: string
  /** Undefined: there is none at this path, or it is not known yet. */
  routeAt(path: string): SiteRoute | undefined
  /** When a file was there; undefined: it was not requested. */
  arrivedAt(url: string): number | undefined
}

export type Views = ReturnType<typeof collectViews>

interface Seen extends Pick<View, 'route' | 'failed' | 'threw' | 'measures'> {
  readonly start: number
}

/**
 * Collects the views of a page: where the member was, and what was measured there. A view counts for the release that
 * the visitor was to get, also where another one had to replace it. Times are those of `performance.now()`.
 */
export function collectViews({ shellVersion, routeAt, release, progress, arrivedAt }: ViewsOptions) {
  const seen: Seen[] = []
  let taken = 0
  /** Layout shifts that follow each other. */
  let burst = { start: 0, end: 0, sum: 0 }
  const at = (time: number): Seen | undefined => seen.filter(({ start }) => start <= time).at(-1) ?? seen[0]
  const pageOf = (view: Seen | undefined) => view && routeAt(view.route)?.remote
  const progressOf = (view: Seen | undefined) => {
    const page = pageOf(view)
    return page && progress(page.name, page.expose)
  }
  function ownerOf(view: Seen): Owner {
    const page = pageOf(view)
    return page
      ? { name: page.name, version: release(page.name)?.version ?? '' }
      : { name: 'shell', version: shellVersion }
  }

  const begin = (route: string, time: number) => {
    const last = seen.at(-1)
    const view: Seen = { route, start: time, measures: {} }
    // Its page is asked for when the route renders, a moment before the mark.
    const asked = progressOf(view)?.asked ?? 0
    const start = !last ? 0 : asked > last.start ? Math.min(asked, time) : time
    seen.push({ ...view, start })
  }

  const works = (remote: string, time: number) => {
    const view = at(time)
    const page = pageOf(view)
    if (!view || page?.name !== remote || view.measures.page !== undefined) return
    const { start, measures } = view
    measures.page = time - start
    const { ready = 0, attempts = 0 } = progressOf(view) ?? {}
    const loaded = release(remote)
    // Loaded for an earlier view.
    if (ready < start || !loaded) return
    const { js = [], css = [] } = loaded.exposes[page.expose] ?? {}
    const after = (urls: string[]) => Math.max(0, ...urls.map((url) => (arrivedAt(url) ?? 0) - start))
    const entry = after([loaded.entry])
    const files = after([...js, ...css].map(({ url }) => url))
    const evaluation = Math.max(0, ready - start - Math.max(entry, files))
    Object.assign(measures, { entry, files, evaluation, render: Math.max(0, time - ready), attempts })
  }

  /** Of one view the largest value counts. */
  const measured = (measure: Measure, view: Seen | undefined, value: number) => {
    if (view) view.measures[measure] = Math.max(view.measures[measure] ?? 0, value)
  }

  return {
    /** Takes a mark of a page change, or of a remote's page that works. */
    mark({ name, startTime, detail }: Pick<PerformanceMark, 'name' | 'startTime' | 'detail'>): void {
      if (name === 'view') begin(detail, startTime)
      const [, remote] = /^remote:(.+):shown$/.exec(name) ?? []
      if (remote) works(remote, startTime)
    },
    /** Notes it where a card, or another release, has replaced the page that shows. */
    check(): void {
      const view = seen.at(-1)
      if (!view) return
      const state = progressOf(view)?.state
      const isCard = state?.status === 'failed' && state.reason === 'failed'
      const isOther = state?.status === 'ready' && state.release.version !== ownerOf(view).version
      if (isCard || isOther) view.failed = true
    },
    /** Code of this release threw. */
    threw({ name, version }: Owner): void {
      const view = seen.at(-1)
      if (!view) return
      const owner = ownerOf(view)
      if (owner.name === name && owner.version === version) view.threw = true
    },
    /** Something larger than all before was painted. */
    painted(time: number): void {
      const view = at(time)
      measured('lcp', view, time - (view?.start ?? 0))
    },
    /** A press or a key was answered. INP leaves out the slowest of fifty; a view hardly has so many. */
    answered(time: number, duration: number): void {
      measured('inp', at(time), duration)
    },
    /** Something moved. Moves that follow each other add up: https://web.dev/articles/cls#what-is-cls */
    shifted(time: number, value: number): void {
      const view = at(time)
      const goesOn = burst.start >= (view?.start ?? 0) && time - burst.end < 1000 && time - burst.start < 5000
      burst = { start: goesOn ? burst.start : time, end: time, sum: goesOn ? burst.sum + value : value }
      measured('cls', view, burst.sum * 1000)
    },
    /**
     * The views that were not taken yet, as many at a time as one beacon holds: those of a page that was there, or that
     * failed. What was measured of a failed one is another release's.
     */
    take(): View[][] {
      const views = seen.slice(taken).flatMap((view): View[] => {
        const { route, failed, threw, measures } = view
        const hasShown = pageOf(view) ? measures.page !== undefined : routeAt(route)
        if (!hasShown && !failed && !threw) return []
        const { name, version } = ownerOf(view)
        return [{ remote: name, version, route, failed, threw, measures: failed ? {} : measures }]
      })
      taken = seen.length
      return Array.from({ length: Math.ceil(views.length / MAX_VIEWS) }, (_, n) =>
        views.slice(n * MAX_VIEWS, (n + 1) * MAX_VIEWS),
      )
    },
  }
}
