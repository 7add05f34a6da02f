/** Milliseconds between two checks while the page is visible: within a minute, and not all pages at once. */
const EVERY_MS = 40_000
const JITTER_MS = 15_000
/** Coming back to the page checks at once, but not again within this time: members switch between apps. */
const FOCUS_GAP_MS = 10_000

export interface CompositionWatcher {
  /** Called once, when another composition than the page's is deployed. A rollback is a new composition too. */
  onNewer(): void
  /** Called with the remotes that are switched off, when they have changed. */
  onSwitchedOff?: ((remotes: ReadonlySet<string>) => void) | undefined
}

/** What this needs of the deployed composition. */
interface Deployed {
  readonly number?: unknown
  readonly remotes?: Readonly<Record<string, { readonly status?: unknown } | null>>
}

/** Fetches the deployed composition past every cache; mostly the answer is a 304. */
async function fetchDeployed(): Promise<Deployed> {
  const response = await fetch('/composition.json', { cache: 'no-cache' })
  const composition: unknown = response.ok ? await response.json() : null
  if (typeof composition !== 'object' || composition === null || !('number' in composition))
    throw new Error(`composition.json answered ${response.status}`)
  return composition
}

/**
 * Looks at the deployed composition when the page becomes visible, and every minute while it is.
 * @param number of the composition that this page runs
 * @returns stops watching
 */
export function watchComposition(number: number, { onNewer, onSwitchedOff }: CompositionWatcher): () => void {
  let last = Number.NEGATIVE_INFINITY
  let ended = false
  let isNewer = false
  let off = ''
  let timer: ReturnType<typeof setTimeout> | undefined

  const look = async (gap: number) => {
    if (document.visibilityState !== 'visible' || Date.now() - last < gap) return
    last = Date.now()
    const deployed = await fetchDeployed().catch(() => null)
    if (!deployed || ended) return
    if (!isNewer && Number(deployed.number) !== number) {
      isNewer = true
      onNewer()
    }
    const names = Object.entries(deployed.remotes ?? {}).flatMap(([name, remote]) =>
      remote?.status === 'off' ? [name] : [],
    )
    if (names.join() !== off) onSwitchedOff?.(new Set(names))
    off = names.join()
  }
  const lookAgain = () => {
    timer = setTimeout(
      () => {
        void look(0)
        lookAgain()
      },
      EVERY_MS + Math.random() * JITTER_MS,
    )
  }
  const onFront = () => void look(FOCUS_GAP_MS)
  lookAgain()
  window.addEventListener('focus', onFront)
  document.addEventListener('visibilitychange', onFront)
  return () => {
    ended = true
    clearTimeout(timer)
    window.removeEventListener('focus', onFront)
    document.removeEventListener('visibilitychange', onFront)
  }
}
