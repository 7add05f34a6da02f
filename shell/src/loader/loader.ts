import type { Release } from '@anniversary/shared/contract/composition'
import { offerFileLoader } from './chunk-files.ts'
import { keepCodeFailures } from './code-failures.ts'
import { exposeLoader, type ShareScope } from './container.ts'
import { prefetchFiles } from './load-file.ts'
import { pageComposition } from './page-composition.ts'
import type { PageData } from './page-data.ts'
import { ownerOf } from './published-files.ts'
import { createRemoteLoader } from './remote-loader.ts'
import { createReports, UNKNOWN } from './report.ts'

export type Loader = ReturnType<typeof createLoader>

/** Creates the loader of a page. Call it while a script of the shell runs, whose URL names the shell's folder. */
export function createLoader({ composition: page, config }: PageData) {
  const send = createReports(config.reportUrl, page.number)
  const { remotes, routes } = pageComposition(page, (error) =>
    send({ owner: UNKNOWN, phase: 'chunk', error }),
  )
  const shell = {
    version: page.shell.version,
    url: (document.currentScript as HTMLScriptElement | null)?.src ?? '', // the shell's are no SVG scripts
  }
  const owner = (url: string) => ownerOf(url, shell, remotes())
  // The fallback of /megalive shows that page in <object> and <embed>, whose URLs count as scripts'.
  const embedded = new URL(config.megaliveUrl, location.href).href
  // The policy that may create a script's URL. It is the `default` one, because the bundler's loader and the embed assign
  // plain strings. An extension may have made one before, and there can be no second: then hashes alone keep files out.
  const { trustedTypes } = globalThis as {
    trustedTypes?: {
      readonly defaultPolicy: unknown
      createPolicy(name: string, rules: { createScriptURL(url: string): string }): unknown
    }
  }
  if (!trustedTypes?.defaultPolicy)
    trustedTypes?.createPolicy('default', {
      createScriptURL(url) {
        if (owner(url) || url === embedded) return url
        throw new TypeError(`Not published in this composition: ${url}`)
      },
    })
  const failures = keepCodeFailures()
  offerFileLoader((error, url) =>
    failures.add({ phase: 'chunk', error, owner: owner(url) ?? UNKNOWN }),
  )

  let attach: (shareScope: ShareScope) => void = () => undefined
  const attached = new Promise<ShareScope>((resolve) => {
    attach = resolve
  })
  const loadExpose = exposeLoader(attached)
  const pages = createRemoteLoader({
    remote: (name) => remotes()[name],
    loadExpose,
    // The telemetry reads the stack of a render error. A missing file is reported immediately.
    onFailure: (failure) => (failure.phase === 'render' ? failures.add : send)(failure),
    hostReady: attached,
  })

  /** Returns where the code of a path's page is; undefined for a page of the shell, and for a remote that is off. */
  const pageAt = async (path: string) => {
    if (!path.startsWith('/')) return
    await routes.load()
    const { name = '', expose = '' } = routes.now()[path]?.remote ?? {}
    const composed = remotes()[name]
    return composed?.status === 'on' ? { release: composed.current, expose } : undefined
  }

  return {
    ...pages,
    retryAll() {
      pages.retryAll()
      if (routes.status() === 'failed') void routes.load()
    },
    /** Sets the host's share scope, once. Files are fetched before, but no remote's page runs before. */
    attach,
    routes,
    async prefetch(path: string) {
      const page = await pageAt(path)
      if (page) prefetchFiles(page.release, page.expose)
    },
    /** Also runs the module of a path's page, for a member who is about to open it. Never rejects. */
    async preload(path: string) {
      const page = await pageAt(path)
      const { signal } = new AbortController()
      // What fails is loaded again, and reported, when the page opens.
      if (page)
        await loadExpose(page.release, page.expose, { query: '', signal }).catch(() => undefined)
    },
    /** The release of a remote that this visitor gets; undefined until it is known. */
    release: (remote: string): Release | undefined => remotes()[remote]?.current,
    leavingCrashed: (error: unknown) => failures.add({ phase: 'render', error }),
    failures,
    send,
    ownerOf: owner,
    config,
    composition: page,
  }
}
