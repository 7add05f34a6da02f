import { shownMark, VIEW_MARK } from '@anniversary/shared/contract/page-names'
import { type Fact, MAX_VIEWS, type View } from '@anniversary/shared/contract/report'
import type { Loader } from '../loader/loader.ts'
import type { Owner } from '../loader/report.ts'

const LATE_PAINT_MS = 2500
const LATE_ANSWER_MS = 200
const LATE: ReadonlySet<Fact> = new Set(['paintedLate', 'answeredLate'])

export const ENTRY_TYPES = ['mark', 'largest-contentful-paint', 'event']

/** An entry of one of these types. `interactionId` is missing in lib.dom. */
export type ViewEntry = Pick<PerformanceEntry, 'entryType' | 'name' | 'startTime' | 'duration'> & {
  readonly detail?: unknown
  readonly interactionId?: number
}

interface Seen {
  readonly route: string
  readonly start: number
  readonly facts: Set<Fact>
  shown?: true
  /**
   * How many of its facts have been taken; undefined until the view has been
   * taken.
   */
  taken?: number
}

/**
 * Collects the views of a page and their faults, for the release that was
 * intended for the visitor.
 * @param begun when the page became visible: after the navigation if it was
 * prerendered
 */
export function collectViews({ pages, composition }: Loader, begun: number) {
  const { routes } = composition
  const seen: Seen[] = []
  const at = (time: number): Seen | undefined =>
    seen.filter(({ start }) => start <= time).at(-1) ?? seen[0]
  const remoteAt = (route: string) => routes.now()[route]?.remote
  function ownerAt(route: string): Owner {
    const remote = remoteAt(route)?.name
    if (!remote) return { name: 'shell', version: composition.shell }
    return { name: remote, version: composition.release(remote)?.version ?? '' }
  }

  function observeOne({
    entryType,
    name,
    startTime,
    duration,
    detail,
    interactionId,
  }: ViewEntry): void {
    if (name === VIEW_MARK)
      seen.push({
        route: String(detail),
        start: seen.length > 0 ? startTime : begun,
        facts: new Set(),
      })
    const view = at(startTime)
    if (!view) return
    if (name === shownMark(remoteAt(view.route)?.name ?? '')) view.shown = true
    if (entryType === 'largest-contentful-paint' && startTime - view.start > LATE_PAINT_MS)
      view.facts.add('paintedLate')
    if (interactionId && duration > LATE_ANSWER_MS) view.facts.add('answeredLate')
  }

  function newsOf({ route, facts, shown, taken }: Seen): Fact[] | undefined {
    const hasShown = remoteAt(route) ? shown : routes.now()[route]
    if (!hasShown && !facts.has('failed') && !facts.has('threw')) return undefined
    // A failed view's times belong to another release.
    const news = [...facts].slice(taken).filter((fact) => !facts.has('failed') || !LATE.has(fact))
    if (taken !== undefined && news.length === 0) return undefined
    return news
  }

  return {
    /**
     * Processes entries, marks first, because the HTML is painted before the
     * app starts its view.
     */
    observe(entries: readonly ViewEntry[]): void {
      const rank = ({ entryType }: ViewEntry) => ENTRY_TYPES.indexOf(entryType)
      for (const entry of [...entries].sort((a, b) => rank(a) - rank(b))) observeOne(entry)
    },
    check(): void {
      const view = seen.at(-1)
      if (!view) return
      const { name = '', expose = '' } = remoteAt(view.route) ?? {}
      const state = pages.state(name, expose)
      const isCard = state.status === 'failed' && state.reason === 'failed'
      const isOther =
        state.status === 'ready' && state.release.version !== ownerAt(view.route).version
      if (isCard || isOther) view.facts.add('failed')
    },
    ownerAt,
    threw({ name, version }: Owner): void {
      const view = seen.at(-1)
      if (!view) return
      const owner = ownerAt(view.route)
      if (owner.name === name && owner.version === version) view.facts.add('threw')
    },
    take(): View[] {
      const views: View[] = []
      for (const view of seen) {
        const news = newsOf(view)
        if (!news) continue
        view.taken = view.facts.size
        const { name, version } = ownerAt(view.route)
        const facts = Object.fromEntries(news.map((fact) => [fact, true]))
        views.push({ remote: name, version, ...facts })
      }
      return views.slice(0, MAX_VIEWS)
    },
  }
}
