import type { Release, RemoteRoutes } from '@anniversary/shared/contract/composition'
import { HOST_CONTRACT } from '@anniversary/shared/contract/host'
import { developmentPath } from '../base.ts'

/** A development build in a composition. It has no hash, because its content changes. */
export const developmentRelease = (remote: string, routes: RemoteRoutes): Release => ({
  version: 'dev',
  entry: `${developmentPath(remote)}entry.js`,
  integrity: '',
  container: remote.replaceAll('-', '_'),
  contract: HOST_CONTRACT,
  routes,
  // The build's own runtime finds its chunks.
  exposes: Object.fromEntries(
    Object.values(routes).map(({ expose }) => [expose, { js: [], css: [] }]),
  ),
})

const MORE: Readonly<Record<string, string>> = {
  'connect-src': 'ws:',
  // Its overlay of build errors; each bundle on the page brings one.
  'trusted-types': "rspack-dev-server#overlay 'allow-duplicates'",
}

export function developmentPolicy(policy: string): string {
  const directives = policy
    .split(/ *; */)
    // The dev server speaks http.
    .filter((directive) => directive !== '' && directive !== 'upgrade-insecure-requests')
    .map((directive) => [directive, MORE[directive.split(' ')[0] ?? ''] ?? []].flat().join(' '))
  // The overlay writes the compiler's colours as style attributes.
  return [...directives, "style-src-attr 'unsafe-inline'"].join('; ')
}
