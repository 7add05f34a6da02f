import { folderOf, type PublishedFolder } from './published-folders.ts'

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown
}

/**
 * Under `require-trusted-types-for 'script'` nothing but this policy makes a script's URL, and it lets through only what
 * lies in a folder of the composition. It is the `default` one, because the bundler's own loader assigns plain strings.
 * It makes no HTML and no script text: those stay forbidden.
 */
export function allowScriptsIn(folders: readonly PublishedFolder[]): void {
  const trustedTypes = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes // not in every browser
  trustedTypes?.createPolicy('default', {
    createScriptURL(url) {
      if (folderOf(folders, url)) return url
      throw new TypeError(`Not published in this composition: ${url}`)
    },
  })
}
