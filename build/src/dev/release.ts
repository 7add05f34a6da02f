import type { Release, RemoteRoutes } from '@anniversary/shared/contract/composition'
import { HOST_CONTRACT } from '@anniversary/shared/contract/host'
import { developmentPath } from '../base.ts'

/** A build in the making as the composition names it: its content changes, so it has no hash. */
export const developmentRelease = (remote: string, routes: RemoteRoutes): Release => ({
  version: 'dev',
  entry: `${developmentPath(remote)}entry.js`,
  integrity: '',
  container: remote.replaceAll('-', '_'),
  contract: HOST_CONTRACT,
  routes,
  // The build's own runtime finds its chunks.
  exposes: Object.fromEntries(Object.values(routes).map(({ expose }) => [expose, { js: [], css: [] }])),
})
