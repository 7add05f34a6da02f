import type { Views } from './views.ts'

/** Types of entries that a view is measured by. A first input has one however short its answer was. */
const TYPES = ['mark', 'largest-contentful-paint', 'layout-shift', 'first-input', 'event'] as const

/** An entry of one of these types. Not all of it is in lib.dom. */
interface Entry extends PerformanceMark {
  readonly entryType: (typeof TYPES)[number]
  readonly interactionId: number
  readonly hadRecentInput: boolean
  readonly value: number
}

const rank = ({ entryType }: Entry) => TYPES.indexOf(entryType)

/**
 * Hands the browser's entries to the views, also those from before. Not by the library web-vitals: it has one INP and one
 * CLS for a page load, those of its worst view.
 * @returns hands over the entries that the browser has not delivered yet
 */
export function watchEntries(views: Views): () => void {
  const types = TYPES.filter((type) => PerformanceObserver.supportedEntryTypes.includes(type))

  function take(entries: PerformanceEntryList): void {
    // Of these types. The HTML is painted, and may move, before the app begins its view.
    const ordered = [...(entries as Entry[])].sort((a, b) => rank(a) - rank(b))
    for (const entry of ordered) {
      const { entryType, name, startTime, duration } = entry
      if (entryType === 'mark') {
        views.mark(entry)
        // Nothing has moved yet.
        if (name === 'view' && types.includes('layout-shift')) views.shifted(startTime, 0)
      } else if (entryType === 'largest-contentful-paint') {
        views.painted(startTime)
      } else if (entryType === 'layout-shift') {
        if (!entry.hadRecentInput) views.shifted(startTime, entry.value)
      } else if (entryType === 'first-input' || entry.interactionId > 0) views.answered(startTime, duration)
    }
  }
  const observer = new PerformanceObserver((list) => take(list.getEntries()))
  for (const type of types) {
    const options = { type, buffered: true, durationThreshold: 16 } // the least there is; not in lib.dom
    observer.observe(options)
  }
  return () => take(observer.takeRecords())
}
