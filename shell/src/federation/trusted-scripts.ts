import type { Composition } from '@anniversary/shared/contract/composition'

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown
}

/**
 * Under `require-trusted-types-for 'script'` nothing but this policy makes a script's URL, and it lets through only the
 * origins of the composition. It is the `default` one, because the bundler's and the federation runtime's own loaders
 * assign plain strings.
 */
export function allowScriptsOf({ remotes }: Composition): void {
  const trustedTypes = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes
  if (!trustedTypes) return
  const origins = new Set([location.origin])
  for (const { current, previous, canary } of Object.values(remotes)) {
    for (const release of [current, previous, canary?.release]) {
      if (release) origins.add(new URL(release.entry, location.href).origin)
    }
  }
  trustedTypes.createPolicy('default', {
    createScriptURL(url) {
      if (origins.has(new URL(url, location.href).origin)) return url
      throw new TypeError(`Not an origin of this composition: ${url}`)
    },
  })
}
