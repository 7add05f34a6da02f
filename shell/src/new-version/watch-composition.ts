/** Interval of the check while the page is visible. */
const EVERY_MS = 5 * 60_000
/** Coming back to the page checks at once, but not again within this time: members switch between apps. */
const FOCUS_GAP_MS = 10_000

/** Fetches the number of the deployed composition, past every cache. */
async function fetchDeployedNumber(): Promise<number> {
  const response = await fetch('/composition.json', { cache: 'no-cache' })
  const composition: unknown = response.ok ? await response.json() : null
  if (typeof composition !== 'object' || composition === null || !('number' in composition))
    throw new Error(`composition.json answered ${response.status}`)
  return Number(composition.number)
}

/**
 * Checks for a new composition when the page becomes visible, and every five minutes while it is. A rollback is a new
 * composition too.
 * @param number of the composition that this page runs
 * @param onNewer called once
 * @returns stops watching
 */
export function watchComposition(number: number, onNewer: () => void): () => void {
  let last = Number.NEGATIVE_INFINITY
  let ended = false
  const look = async (gap: number) => {
    if (document.visibilityState !== 'visible' || Date.now() - last < gap) return
    last = Date.now()
    const deployed = await fetchDeployedNumber().catch(() => number)
    if (deployed === number || ended) return
    end()
    onNewer()
  }
  const onFront = () => void look(FOCUS_GAP_MS)
  const timer = setInterval(() => void look(EVERY_MS), EVERY_MS)
  const end = () => {
    ended = true
    clearInterval(timer)
    window.removeEventListener('focus', onFront)
    document.removeEventListener('visibilitychange', onFront)
  }
  window.addEventListener('focus', onFront)
  document.addEventListener('visibilitychange', onFront)
  return end
}
