import type { Release, RemoteRoutes } from '@anniversary/shared/contract/composition'
import { HOST_CONTRACT } from '@anniversary/shared/contract/host'
import { developmentPath } from '../base.ts'

/** It has no hash, because its content changes. */
export const developmentRelease = (
  remote: string,
  routes: RemoteRoutes,
  trustedTypes: readonly string[] = [],
): Release => ({
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
  ...(trustedTypes.length > 0 && { trustedTypes: [...trustedTypes] }),
})

/** @param trustedTypes policies that the site does not know yet */
export function developmentPolicy(policy: string, trustedTypes: readonly string[] = []): string {
  const more: Readonly<Record<string, readonly string[]>> = {
    'connect-src': ['ws:'],
    // Each bundle on the page brings an overlay.
    'trusted-types': ['rspack-dev-server#overlay', ...trustedTypes, "'allow-duplicates'"],
  }
  const directives = policy
    .split(/ *; */)
    // The dev server speaks http.
    .filter((directive) => !['', 'upgrade-insecure-requests'].includes(directive))
    .map((directive) => {
      const [name = ''] = directive.split(' ')
      return [directive, ...(more[name] ?? [])].join(' ')
    })
  // The overlay styles the compiler's colours by attributes.
  return [...directives, "style-src-attr 'unsafe-inline'"].join('; ')
}
