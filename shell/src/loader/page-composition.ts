import type { Composition, PageComposition } from '@anniversary/shared/contract/composition'
import { type Routes, routesWith } from '../route-table.ts'
import { visitorShare, withCanaries } from './canary.ts'
import { hedgedRequest } from './hedged-request.ts'
import type { PublishedFile } from './load-file.ts'

/**
 * The composition that a page runs for its whole life: at first its own remote, later all of it.
 * @param onFailure called with each attempt that failed or hangs
 */
export function pageComposition(
  page: PageComposition,
  onFailure: (error: unknown) => void,
): {
  /** Known remotes, with the releases that this visitor gets. */
  remotes(): Composition['remotes']
  /** With the routes, all that the page does not carry is loaded. */
  readonly routes: Routes
} {
  let remotes = chosen(page)
  let routes = routesWith(page.remotes)
  const listeners = new Set<() => void>()
  let loading: Promise<void> | undefined
  let requests = 0

  const learn = (whole: Composition) => {
    remotes = chosen(whole)
    routes = routesWith(whole.remotes)
    for (const listener of listeners) listener()
  }
  const attempt = ({ url, integrity }: PublishedFile) => ({
    async run(signal: AbortSignal): Promise<Composition> {
      // Past a damaged or hanging answer: under a new URL, and not from the cache.
      const fresh = requests++ > 0
      const from = fresh ? `${url}?r=${requests}` : url
      const response = await fetch(from, { integrity, signal, ...(fresh && { cache: 'reload' }) })
      if (!response.ok) throw new Error(`HTTP ${response.status}: ${from}`)
      return (await response.json()) as Composition // `deploy` wrote it, as its hash proves
    },
    onFailure: (duration: number, error: unknown = new Error(`no answer within ${duration} ms: ${url}`)) =>
      onFailure(error),
  })
  const load = (): Promise<void> => {
    if (!page.whole) return Promise.resolve()
    loading ??= hedgedRequest({
      attempts: [attempt(page.whole), attempt(page.whole)],
      clock: Promise.resolve(),
      onLate: learn,
    }).then(
      ({ value }) => learn(value),
      (error: unknown) => {
        loading = undefined
        throw error
      },
    )
    return loading
  }

  return {
    remotes: () => remotes,
    routes: {
      now: () => routes,
      subscribe(listener) {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      load,
    },
  }
}

const chosen = ({ remotes }: Composition): Composition['remotes'] =>
  withCanaries(remotes, visitorShare(remotes))
