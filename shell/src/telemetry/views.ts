import { type Fact, MAX_VIEWS, type View } from '@anniversary/shared/contract/report'
import type { SiteRoute } from '@anniversary/shared/contract/routes'
import type { Loader } from '../loader/loader.ts'
import type { Owner } from '../loader/published-files.ts'

const LATE_PAINT_MS = 2500
const LATE_ANSWER_MS = 200

/** Types of entries that views are made of, in the order in which they count. */
export const ENTRY_TYPES = ['mark', 'largest-contentful-paint', 'event']

/** An entry of one of these types. `interactionId` is missing in lib.dom. */
export type ViewEntry = Pick<PerformanceEntry, 'entryType' | 'name' | 'startTime' | 'duration'> & {
  readonly detail?: unknown
  readonly interactionId?: number
}

interface ViewsOptions extends Pick<Loader, 'release' | 'state'> {
  /** When the member began to look: later than the navigation, if the browser had rendered the page before. */
  readonly begun: number
  readonly shellVersion: string
  /** Undefined: there is none at this path, or it is not known yet. */
  routeAt(path: string): SiteRoute | undefined
}

interface Seen extends Pick<View, 'route' | Fact> {
  readonly start: number
  shown?: true
}

/** Collects the views of a page and what was wrong with them, for the release that the visitor was to get. */
export function collectViews({ begun, shellVersion, routeAt, release, state: stateOf }: ViewsOptions) {
  const seen: Seen[] = []
  let taken = 0
  const at = (time: number): Seen | undefined => seen.filter(({ start }) => start <= time).at(-1) ?? seen[0]
  const remoteAt = (route: string) => routeAt(route)?.remote
  function ownerAt(route: string): Owner {
    const remote = remoteAt(route)?.name
    return remote
      ? { name: remote, version: release(remote)?.version ?? '' }
      : { name: 'shell', version: shellVersion }
  }

  function observeOne({ entryType, name, startTime, duration, detail, interactionId }: ViewEntry): void {
    if (name === 'view') seen.push({ route: String(detail), start: seen.length > 0 ? startTime : begun })
    const view = at(startTime)
    if (!view) return
    if (name === `remote:${remoteAt(view.route)?.name}:shown`) view.shown = true
    if (entryType === 'largest-contentful-paint' && startTime - view.start > LATE_PAINT_MS)
      view.paintedLate = true
    if (interactionId && duration > LATE_ANSWER_MS) view.answeredLate = true
  }

  return {
    /** Takes in entries of one delivery. Marks go first: the HTML is painted before the app begins its view. */
    observe(entries: readonly ViewEntry[]): void {
      const rank = ({ entryType }: ViewEntry) => ENTRY_TYPES.indexOf(entryType)
      for (const entry of [...entries].sort((a, b) => rank(a) - rank(b))) observeOne(entry)
    },
    /** Notes whether a card, or another release, has replaced the page that shows. */
    check(): void {
      const view = seen.at(-1)
      if (!view) return
      const { name = '', expose = '' } = remoteAt(view.route) ?? {}
      const state = stateOf(name, expose)
      const isCard = state.status === 'failed' && state.reason === 'failed'
      const isOther = state.status === 'ready' && state.release.version !== ownerAt(view.route).version
      if (isCard || isOther) view.failed = true
    },
    ownerAt,
    threw({ name, version }: Owner): void {
      const view = seen.at(-1)
      if (!view) return
      const owner = ownerAt(view.route)
      if (owner.name === name && owner.version === version) view.threw = true
    },
    /** Returns the views since the last call whose page was there, or that failed or threw. */
    take(): View[] {
      const views = seen.slice(taken).flatMap((view): View[] => {
        const { route, shown, threw, failed, paintedLate, answeredLate } = view
        const hasShown = remoteAt(route) ? shown : routeAt(route)
        if (!hasShown && !failed && !threw) return []
        const { name, version } = ownerAt(route)
        // A failed view's times are those of another release.
        const late = !failed && { paintedLate, answeredLate }
        return [{ remote: name, version, route, threw, failed, ...late }]
      })
      taken = seen.length
      return views.slice(0, MAX_VIEWS)
    },
  }
}
