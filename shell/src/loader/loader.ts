import { exposeLoader } from './container.ts'
import { pendingBeside } from './load-file.ts'
import type { PageData } from './page-data.ts'
import { prefetchFiles } from './prefetch.ts'
import { publishedFolders } from './published-folders.ts'
import type { ShareScope } from './release-files.ts'
import { createRemoteLoader, type RemoteLoader } from './remote-loader.ts'
import { createReports } from './report.ts'
import { allowScriptsIn } from './trusted-scripts.ts'
import { urlsInStack, watchPage } from './watch-page.ts'

export interface Loader extends RemoteLoader {
  /** Gives the loader the host's share scope, once; files are fetched before, no remote's page runs before. */
  attach(shareScope: ShareScope): void
  /** Fetches a page's files without running them. */
  prefetch(remote: string, expose: string): void
  /** Reports what a page threw while it was left, under the name of the package in the error's stack. */
  reportLeaving(error: unknown): void
}

/**
 * The loader of a page. Call it while a script of the shell runs: that script's URL names the shell's folder.
 * @param shownRemote name of the remote whose page shows
 */
export function createLoader(
  { composition, remotes, config }: PageData,
  shownRemote: () => string | undefined,
): Loader {
  const folders = publishedFolders(composition)
  allowScriptsIn(folders)
  const reports = createReports({ url: config.reportUrl, compositionNumber: composition.number, folders })
  watchPage(reports, () => remotes[shownRemote() ?? '']?.current.entry ?? '')

  let attach: (shareScope: ShareScope) => void = () => undefined
  const attached = new Promise<ShareScope>((resolve) => {
    attach = resolve
  })
  return {
    ...createRemoteLoader({
      remotes,
      loadExpose: exposeLoader(attached),
      pendingFiles: ({ entry }) => pendingBeside(entry),
      onFailure: reports.remoteFailure,
      hostReady: attached,
    }),
    attach,
    prefetch(remote, expose) {
      const composed = remotes[remote]
      if (composed?.status === 'on') prefetchFiles(composed.current, expose)
    },
    reportLeaving: (error) => reports.codeFailure(urlsInStack(error), 'render', error),
  }
}
