import { folderOf, type PublishedFolder } from './published-folders.ts'

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown
}

/**
 * Makes the only policy that may create a script's URL under `require-trusted-types-for 'script'`: it allows URLs inside
 * the composition's folders. It is the `default` policy, because the bundler's loader assigns plain strings. HTML and
 * script text stay forbidden.
 */
export function allowScriptsIn(folders: () => readonly PublishedFolder[]): void {
  const trustedTypes = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes // not in every browser
  trustedTypes?.createPolicy('default', {
    createScriptURL(url) {
      if (folderOf(folders(), url)) return url
      throw new TypeError(`Not published in this composition: ${url}`)
    },
  })
}
