import type { Composition, SiteNotice } from '@anniversary/shared/contract/composition'
import { createStore } from 'zustand/vanilla'

/**
 * Milliseconds between two checks of a visible page. The jitter spreads the
 * pages.
 */
const EVERY_MS = 40_000
const JITTER_MS = 15_000
/**
 * Focus checks at once, but at most once in this time, because members switch
 * between apps.
 */
const FOCUS_GAP_MS = 10_000

/**
 * Whether another composition than the page's is deployed. A rollback is a new
 * composition too.
 */
export const newVersionStore = createStore(() => ({ isNewer: false }))

let lookNow: () => void = () => undefined
export const lookForNewVersion = (): void => lookNow()

/**
 * Past every cache; most answers are a 304. `at` is HTTP's date, because the
 * device's clock may be wrong. Null if it cannot be loaded.
 */
async function fetchDeployed(): Promise<{ deployed: Composition; at: number } | null> {
  try {
    const response = await fetch('/composition.json', { cache: 'no-cache' })
    // `deploy` wrote it.
    const deployed = response.ok ? await response.json() : null
    if (typeof deployed?.number === 'number')
      return { deployed, at: Date.parse(response.headers.get('date') ?? '') }
  } catch {}
  return null
}

export type WatchedPage = Pick<Composition, 'number' | 'notice'>

/** Loaded with the first notice, so most pages never load it. */
function followNotice(): (notice: SiteNotice | undefined, at: number) => void {
  let isLoaded = false
  return (notice, at) => {
    const leftMs = notice ? Date.parse(notice.until) - at : 0
    isLoaded ||= leftMs > 0
    if (!isLoaded) return
    // After a failure, the next check tries again.
    import(/* webpackChunkName: "notice" */ '../notice/SiteNotice.tsx').then(
      ({ showSiteNotice }) => showSiteNotice(notice?.text, leftMs),
      () => undefined,
    )
  }
}

/**
 * Checks the deployed composition about once a minute and when the page becomes
 * visible. Returns a function that stops it.
 */
export function watchComposition(
  page: WatchedPage,
  onSwitchedOff: (remotes: ReadonlySet<string>) => void,
): () => void {
  let last = Number.NEGATIVE_INFINITY
  let off: readonly string[] = []
  const showNotice = followNotice()
  const ended = new AbortController()
  const { signal } = ended

  const look = async (gap: number) => {
    // Date, because performance.now() stops while the device sleeps. The
    // absolute value, because the clock may be set back.
    if (document.visibilityState !== 'visible' || Math.abs(Date.now() - last) < gap) return
    last = Date.now()
    const answer = await fetchDeployed()
    if (!answer || signal.aborted) return
    const { deployed, at } = answer
    showNotice(deployed.notice, at)
    if (deployed.number !== page.number) newVersionStore.setState({ isNewer: true })
    const { remotes } = deployed
    // A remote that was removed after its switch stays off.
    const names = [...new Set([...off, ...Object.keys(remotes)])].filter(
      (name) => remotes[name]?.status !== 'on',
    )
    if (names.join() !== off.join()) onSwitchedOff(new Set(names))
    off = names
  }
  const onFront = () => void look(FOCUS_GAP_MS)
  const timer = setInterval(() => void look(0), EVERY_MS + Math.random() * JITTER_MS)
  addEventListener('focus', onFront, { signal })
  lookNow = () => void look(0)
  document.addEventListener('visibilitychange', onFront, { signal })
  // The page's own notice may have ended.
  if (page.notice || isRestored()) onFront()
  return () => {
    ended.abort()
    lookNow = () => undefined
    clearInterval(timer)
  }
}

/**
 * Whether the browser took this page from its cache without a request, so that
 * it may be hours old. jsdom has no navigation.
 */
function isRestored(): boolean {
  const [navigation] = performance.getEntriesByType?.('navigation') ?? []
  return (navigation as PerformanceNavigationTiming | undefined)?.type === 'back_forward'
}
