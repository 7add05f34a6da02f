import { useEffect, useEffectEvent } from 'react'
import { DRAWS } from '../contract/event.ts'
import { lastDrawBegun, SPREAD_MS } from '../contract/event-timeline.ts'
import type { DrawResult, Host } from '../contract/host.ts'

/** Milliseconds between two questions of one page; pages spread over the jitter. */
const EVERY_MS = 60_000
const JITTER_MS = 30_000
/** Results are imported during a draw or soon after it. */
const WATCHED_MS = 24 * 3_600_000

/**
 * Calls `onNews` when the published results differ from those that the page shows. It asks every minute or so while the
 * page is visible, from a draw's start for a day, and only the public list, which is the same for all members. The call
 * comes at a random time within the spread that the server names.
 * @param known undefined until the server has answered: the host's clock may be the browser's, which may be wrong
 */
export function useResultNews(
  { api, clock }: Pick<Host, 'api' | 'clock'>,
  known: readonly DrawResult[] | undefined,
  onNews: () => void,
): void {
  const compare = useEffectEvent((found: readonly DrawResult[]) => {
    // An empty list is also what a failed call answers.
    return found.length > 0 && JSON.stringify(found) !== JSON.stringify(known)
  })
  const tell = useEffectEvent(onNews)
  const isKnown = known !== undefined
  useEffect(() => {
    if (!isKnown) return
    let current = true
    let telling: ReturnType<typeof setTimeout> | undefined
    const ask = async () => {
      const now = clock.now()
      const begun = DRAWS[lastDrawBegun(now) - 1]
      if (!begun || now.getTime() - Date.parse(begun.start) > WATCHED_MS) return
      if (document.visibilityState !== 'visible') return
      const found = await api.draws()
      // The import is news for all pages at once.
      if (current && compare(found))
        telling ??= setTimeout(
          () => {
            telling = undefined
            tell()
          },
          Math.random() * (clock.spread?.() ?? SPREAD_MS),
        )
    }
    const timer = setInterval(() => void ask(), EVERY_MS + Math.random() * JITTER_MS)
    return () => {
      current = false
      clearInterval(timer)
      clearTimeout(telling)
    }
  }, [api, clock, isKnown])
}
