/** A page's policy, opened for the dev server: its socket, and its layer over the page that shows errors of the build. */
export function developmentPolicy(policy: string): string {
  const more: Record<string, string> = {
    'connect-src': 'ws:',
    // Each bundle on the page brings one.
    'trusted-types': "rspack-dev-server#overlay 'allow-duplicates'",
  }
  return (
    policy
      .split(';')
      .map((directive) => directive.trim())
      // The dev server speaks http.
      .filter((directive) => directive !== '' && directive !== 'upgrade-insecure-requests')
      .map((directive) => {
        const added = more[directive.split(' ')[0] ?? '']
        return added ? `${directive} ${added}` : directive
      })
      .join('; ')
  )
}
