import type { Composition } from '@anniversary/shared/contract/composition'
import { type SiteRoutes, siteRoutes } from '@anniversary/shared/contract/routes'
import ownRoutes from '../routes.json'

/** Routes of the page's composition: at first the shell's own and that of this page, later all. */
export interface Routes {
  /** Those that are known, by path. The same object until it changes. */
  now(): SiteRoutes
  subscribe(listener: () => void): () => void
  /** Loads the others, once. After a failure the next call tries again. */
  load(): Promise<void>
}

export const routesWith = (remotes: Composition['remotes']): SiteRoutes => siteRoutes(ownRoutes, remotes)
