/** What the dev server's own scripts need of a page's policy. */
const MORE: Readonly<Record<string, string>> = {
  // Its socket.
  'connect-src': 'ws:',
  // Its layer over the page, which shows errors of the build; each bundle on the page brings one.
  'trusted-types': "rspack-dev-server#overlay 'allow-duplicates'",
}

/** A page's policy, opened for the dev server. */
export function developmentPolicy(policy: string): string {
  const directives = policy
    .split(/ *; */)
    // The dev server speaks http.
    .filter((directive) => directive !== '' && directive !== 'upgrade-insecure-requests')
    .map((directive) => [directive, MORE[directive.split(' ')[0] ?? ''] ?? []].flat().join(' '))
  // The layer writes the compiler's colours as style attributes.
  return [...directives, "style-src-attr 'unsafe-inline'"].join('; ')
}
