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
