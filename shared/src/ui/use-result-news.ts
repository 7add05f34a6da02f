import { useEffect, useEffectEvent } from 'react'
import { DRAWS } from '../contract/event.ts'
import { lastDrawBegun, nextMoment, SPREAD_MS } from '../contract/event-timeline.ts'
import type { DrawResult, DrawResults, Host } from '../contract/host.ts'
import { QUIET_MS } from '../contract/moment-calls.ts'

/**
 * Milliseconds between two requests of a page. The jitter spreads the pages.
 */
const EVERY_MS = 60_000
const JITTER_MS = 30_000
/** Results are imported during a draw or soon after it. */
const WATCHED_MS = 24 * 3_600_000

/** Only a failed call gives neither results nor the field of the frozen lists. */
export const areDrawsLoaded = (found: DrawResults): boolean =>
  found.length > 0 || found.frozen !== undefined

/**
 * Calls `onNews` when the published results differ from those that the page
 * shows. It asks every minute or so while the page is visible, from a draw's
 * start for a day, and only the public list, which is the same for all members.
 * The call comes at a random time within the spread that the server names.
 * @param shown undefined until the server has answered: the host's clock may be
 * the browser's, which may be wrong
 * @param onNews called again until the page shows them
 */
export function useResultNews(
  { api, clock }: Pick<Host, 'api' | 'clock'>,
  shown: readonly DrawResult[] | undefined,
  onNews: (found: DrawResults) => unknown,
): void {
  const tell = useEffectEvent(onNews)
  const textOfShown = useEffectEvent(() => JSON.stringify(shown))
  const isKnown = shown !== undefined
  useEffect(() => {
    if (!isKnown) return
    let pending = ''
    let telling: ReturnType<typeof setTimeout> | undefined
    const ended = new AbortController()
    const ask = async () => {
      const now = clock.now()
      const begun = DRAWS[lastDrawBegun(now) - 1]
      if (!begun || now.getTime() - Date.parse(begun.start) > WATCHED_MS) return
      if (document.visibilityState !== 'visible') return
      // A moment has just passed: the next turn is soon enough.
      if (nextMoment(now) !== nextMoment(new Date(now.getTime() - QUIET_MS))) return
      const found = await api.draws()
      if (ended.signal.aborted || !areDrawsLoaded(found)) return
      const text = JSON.stringify(found)
      if ([pending, textOfShown()].includes(text)) return
      pending = text
      clearTimeout(telling)
      telling = setTimeout(
        async () => {
          await tell(found)
          // Newer news may wait by now.
          if (pending === text) pending = ''
        },
        Math.random() * (clock.spread?.() ?? SPREAD_MS),
      )
    }
    const timer = setInterval(() => void ask(), EVERY_MS + Math.random() * JITTER_MS)
    return () => {
      ended.abort()
      clearInterval(timer)
      clearTimeout(telling)
    }
  }, [api, clock, isKnown])
}
