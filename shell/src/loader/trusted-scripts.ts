interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown
}

/**
 * Allows published files as scripts under `require-trusted-types-for 'script'`, by the `default` policy, because the
 * bundler's loader assigns plain strings. HTML and script text stay forbidden.
 */
export function allowScripts(isPublished: (url: string) => boolean): void {
  const trustedTypes = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes // not in every browser
  trustedTypes?.createPolicy('default', {
    createScriptURL(url) {
      if (isPublished(url)) return url
      throw new TypeError(`Not published in this composition: ${url}`)
    },
  })
}
