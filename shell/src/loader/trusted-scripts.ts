interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown
}

/**
 * Makes the only policy that may create a script's URL under `require-trusted-types-for 'script'`. It is the `default`
 * policy, because the bundler's loader and the embed assign plain strings. HTML and script text stay forbidden.
 */
export function allowScripts(isAllowed: (url: string) => boolean): void {
  const trustedTypes = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes // not in every browser
  trustedTypes?.createPolicy('default', {
    createScriptURL(url) {
      if (isAllowed(url)) return url
      throw new TypeError(`Not published in this composition: ${url}`)
    },
  })
}
