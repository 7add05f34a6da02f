import ownRoutes from '@anniversary/shared/campaign/routes.json'
import type {
  Composition,
  PageComposition,
  Release,
} from '@anniversary/shared/contract/composition'
import { type SiteRoutes, siteRoutes } from '@anniversary/shared/contract/routes'
import { createStore } from 'zustand/vanilla'
import { visitorShare, withCanaries } from './canary.ts'
import { freshFileQuery, type PublishedFile } from './load-file.ts'
import type { PagePlace } from './remote-loader.ts'
import { runAttempts } from './retry.ts'

export type CompositionPort = ReturnType<typeof pageComposition>

/**
 * Holds the composition that a page runs until it is left: first its own
 * remote, later all of it.
 */
export function pageComposition(page: PageComposition, onFailure: (error: unknown) => void) {
  /**
   * @param status which routes are known; `failed` if loading the others failed
   */
  const stateOf = ({ remotes }: Composition, status: 'some' | 'failed' | 'all') => ({
    status,
    remotes: withCanaries(remotes, visitorShare(remotes)),
    routes: siteRoutes(ownRoutes, remotes),
  })
  const store = createStore(() => stateOf(page, page.whole ? 'some' : 'all'))
  const learn = (whole: Composition) => store.setState(stateOf(whole, 'all'))
  let loading: Promise<void> | undefined
  let requested = false

  const attempt = ({ url, integrity }: PublishedFile) => ({
    async run(signal: AbortSignal): Promise<Composition> {
      const from = requested ? url + freshFileQuery() : url
      const cache: RequestCache = requested ? 'reload' : 'default'
      requested = true
      const response = await fetch(from, { integrity, signal, cache })
      if (!response.ok) throw new Error(`HTTP ${response.status}: ${from}`)
      return (await response.json()) as Composition // `deploy` wrote it, as its hash proves
    },
    onFailure,
  })
  const loadWhole = async ({ whole }: PageComposition): Promise<void> => {
    if (!whole) return
    if (store.getState().status === 'failed') store.setState({ status: 'some' })
    try {
      const attempts = [attempt(whole), attempt(whole)]
      const { value } = await runAttempts({ attempts, onLateAnswer: learn })
      learn(value)
    } catch {
      // An earlier load may have had a late answer.
      if (store.getState().status === 'all') return
      loading = undefined
      store.setState({ status: 'failed' })
    }
  }

  const routes = {
    now: (): SiteRoutes => store.getState().routes,
    subscribe: (listener: () => void) => store.subscribe(listener),
    status: () => store.getState().status,
    /**
     * Loads the rest of the composition, once. Resolves when it has loaded or
     * failed; never rejects.
     */
    load: () => (loading ??= loadWhole(page)),
    retry() {
      if (store.getState().status === 'failed') void routes.load()
    },
  }

  return {
    number: page.number,
    /** As the page was loaded; `watchComposition` asks whether it still holds. */
    notice: page.notice,
    shell: page.shell.version,
    remotes: (): Composition['remotes'] => store.getState().remotes,
    release: (remote: string): Release | undefined => store.getState().remotes[remote]?.current,
    routes,
    async placeOf(path: string): Promise<PagePlace | undefined> {
      if (!path.startsWith('/')) return undefined
      await routes.load()
      return routes.now()[path]?.remote
    },
  }
}
