import type { Release } from '@anniversary/shared/contract/composition'
import type { Routes } from '../route-table.ts'
import { exposeLoader } from './container.ts'
import { pendingOf } from './load-file.ts'
import { pageComposition } from './page-composition.ts'
import type { PageData } from './page-data.ts'
import { prefetchFiles } from './prefetch.ts'
import { publishedFolders, urlsOf } from './published-folders.ts'
import type { ShareScope } from './release-files.ts'
import { createRemoteLoader, type RemoteLoader } from './remote-loader.ts'
import { createReports } from './report.ts'
import { allowScriptsIn } from './trusted-scripts.ts'
import { urlsInStack, watchPage } from './watch-page.ts'

export interface Loader extends RemoteLoader {
  /** Gives the loader the host's share scope, once; files are fetched before, no remote's page runs before. */
  attach(shareScope: ShareScope): void
  readonly routes: Routes
  /** Fetches the files of a path's page without running them. */
  prefetch(path: string): void
  /** The release of a remote that this visitor gets; undefined: it is not known yet. */
  release(remote: string): Release | undefined
  /** Reports what a page threw while it was left, under the name of the package in the error's stack. */
  reportLeaving(error: unknown): void
}

/** The loader of a page. Call it while a script of the shell runs: that script's URL names the shell's folder. */
export function createLoader({ composition: page, config }: PageData): Loader {
  const composition = pageComposition(page, (error) => reports.codeFailure([], 'chunk', error))
  const { routes } = composition
  const release = (remote: string) => composition.remotes()[remote]?.current
  const shellUrl = (document.currentScript as HTMLScriptElement | null)?.src ?? '' // the shell's are no SVG scripts
  const folders = () => publishedFolders({ ...composition.now(), remotes: composition.remotes() }, shellUrl)
  allowScriptsIn(folders)
  const reports = createReports({ url: config.reportUrl, compositionNumber: page.number, folders })
  watchPage(reports, () => release(routes.now()[location.pathname]?.remote?.name ?? '')?.entry ?? '')

  let attach: (shareScope: ShareScope) => void = () => undefined
  const attached = new Promise<ShareScope>((resolve) => {
    attach = resolve
  })
  return {
    ...createRemoteLoader({
      remote: (name) => composition.remotes()[name],
      loadExpose: exposeLoader(attached),
      pendingFiles: (release) => pendingOf(urlsOf(release)),
      onFailure: reports.remoteFailure,
      hostReady: attached,
    }),
    attach,
    routes,
    prefetch(path) {
      if (!path.startsWith('/')) return
      const known = () => {
        const shown = routes.now()[path]?.remote
        const composed = composition.remotes()[shown?.name ?? '']
        if (shown && composed?.status === 'on') prefetchFiles(composed.current, shown.expose)
      }
      // A failure is reported; the page loads the routes again when it opens.
      routes.load().then(known, () => undefined)
    },
    release,
    reportLeaving: (error) => reports.codeFailure(urlsInStack(error), 'render', error),
  }
}
