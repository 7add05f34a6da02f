import { keepCodeFailures } from './code-failures.ts'
import { exposeLoader, type ShareScope } from './container.ts'
import { offerFileLoader } from './load-file.ts'
import { pageComposition } from './page-composition.ts'
import type { PageData } from './page-data.ts'
import { ownerOfFile } from './published-files.ts'
import { createRemoteLoader } from './remote-loader.ts'
import { createReports, UNKNOWN } from './report.ts'

export type Loader = ReturnType<typeof createLoader>

/**
 * Creates the loader of a page. Call it while a script of the shell runs, whose
 * URL names the shell's folder.
 */
export function createLoader({ composition: page, config }: PageData) {
  const { send, sent } = createReports(config.reportUrl, page.number)
  const composition = pageComposition(page, (error) =>
    send({ owner: UNKNOWN, phase: 'chunk', error }),
  )
  const shell = {
    version: page.shell.version,
    url: (document.currentScript as HTMLScriptElement | null)?.src ?? '', // the shell's are no SVG scripts
  }
  const owner = (url: string) => ownerOfFile(url, shell, composition.remotes())
  // The fallback of /megalive shows that page in <object> and <embed>, whose
  // URLs count as scripts'.
  const embedded = new URL(config.megaliveUrl, location.href).href
  allowScripts((url) => owner(url) !== undefined || url === embedded)

  const failures = keepCodeFailures()
  offerFileLoader((error, url) =>
    failures.add({ phase: 'chunk', error, owner: owner(url) ?? UNKNOWN }),
  )

  let attach: (shareScope: ShareScope) => void = () => undefined
  const attached = new Promise<ShareScope>((resolve) => {
    attach = resolve
  })
  const pages = createRemoteLoader({
    remote: (name) => composition.remotes()[name],
    placeOf: composition.placeOf,
    loadExpose: exposeLoader(attached),
    // The telemetry reads the stack of a render error. A missing file is
    // reported immediately.
    onFailure: (failure) => (failure.phase === 'render' ? failures.add : send)(failure),
    hostReady: attached,
  })

  return {
    config,
    pages,
    composition: { ...composition, ownerOf: owner },
    reports: { ...failures, send, sent },
    /**
     * Sets the host's share scope, once. Files are fetched before, but no
     * remote's page runs before.
     */
    attach,
  }
}

/**
 * Makes the policy that may create a script's URL. It is the `default` one,
 * because the bundler's loader and the embed assign plain strings. An extension
 * may have made one before, and there can be no second: then hashes alone keep
 * files out.
 */
function allowScripts(isPublished: (url: string) => boolean): void {
  const { trustedTypes } = globalThis as {
    trustedTypes?: {
      readonly defaultPolicy: unknown
      createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown
    }
  }
  if (trustedTypes?.defaultPolicy) return
  trustedTypes?.createPolicy('default', {
    createScriptURL(url) {
      if (isPublished(url)) return url
      throw new TypeError(`Not published in this composition: ${url}`)
    },
  })
}
