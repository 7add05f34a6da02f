import type { Route } from '@anniversary/shared/contract/composition'
import routes from '../routes.json'

/** The route table, by path. `deploy` gets it with the shell's build and writes one page for each route. */
export const routeTable: Readonly<Record<string, Route>> = routes as Record<string, Route> // a JSON import widens the skeleton's name to string

/** Shape of what shows while a path's page loads. */
export function skeletonAt(path: string): 'form' | 'cards' | 'table' | 'fullscreen' {
  const { skeleton, fullscreen } = routeTable[path] ?? {}
  return skeleton ?? (fullscreen ? 'fullscreen' : 'form')
}

/** A remote's page on a route. */
export interface RemoteRoute {
  readonly remote: string
  readonly expose: string
}

/** The remote's page at a path; null for a screen of the shell and for an unknown path. */
export function remoteRouteAt(path: string): RemoteRoute | null {
  const { remote, expose } = routeTable[path] ?? {}
  return remote && expose ? { remote, expose } : null
}
