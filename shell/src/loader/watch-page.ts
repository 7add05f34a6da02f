import type { Reports } from './report.ts'

/**
 * Reports failures outside the loader's calls: lazy chunks that did not load, and what the page's policy blocked.
 * @param shownEntry URL of the entry whose page shows; empty: none
 */
export function watchPage({ codeFailure }: Reports, shownEntry: () => string): void {
  // The event of our own builds (build/src/chunk-retry-plugin.ts).
  addEventListener('chunk-load-error', (event) => {
    const [url, error] = (event as CustomEvent<[url: string, error: unknown]>).detail
    codeFailure([url], 'chunk', error)
  })
  document.addEventListener('securitypolicyviolation', ({ sourceFile, effectiveDirective, blockedURI }) =>
    // An image is requested after the code that asked for it has run, so the browser names no source: then it is the
    // page's that shows. The code of an extension is named, and not ours.
    codeFailure([sourceFile || shownEntry()], 'csp', `${effectiveDirective} blocked ${blockedURI}`),
  )
}

/** URLs of the code that threw, from its stack. */
export const urlsInStack = (error: unknown): readonly string[] =>
  (error instanceof Error && error.stack?.match(/https?:[^\s)]+/g)) || []
