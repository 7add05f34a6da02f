import type { Route } from '@anniversary/shared/contract/composition'
import routes from '../../routes.json'

/** The route table, by path. `deploy` reads the same file out of the shell's build to write one page a route. */
export const routeTable: Readonly<Record<string, Route>> = routes as Record<string, Route> // a JSON import widens the skeleton's name to string

/** A remote's page on a route. */
export interface RemoteRoute {
  readonly remote: string
  readonly expose: string
}

/** The remote's page that a path shows, or null for a screen of the shell's own or an unknown path. */
export function remoteRouteAt(path: string): RemoteRoute | null {
  const { remote, expose } = routeTable[path] ?? {}
  return remote && expose ? { remote, expose } : null
}
