import './layout/base.css'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { CrashBoundary } from './federation/CrashBoundary.tsx'
import { loadExpose } from './federation/container.ts'
import { fromCore } from './federation/from-core.ts'
import { prefetchFiles } from './federation/prefetch.ts'
import { createRemoteLoader } from './federation/remote-loader.ts'
import { loadWebfont } from './layout/load-webfont.ts'
import { configureReports, reportAttempt, watchPage } from './report.ts'
import { AppRoutes } from './routing/AppRoutes.tsx'
import { onIntent } from './routing/on-intent.ts'
import { remoteRouteAt } from './routing/route-table.ts'
import { takeKeptToasts } from './toasts/kept-toasts.ts'

const { composition, remotes, config, folders, waitingBeside } = fromCore()
configureReports(config.reportUrl, composition)
const reportLeaving = watchPage(folders, () => {
  const { remote = '' } = remoteRouteAt(location.pathname) ?? {}
  return remotes[remote]?.current.entry ?? ''
})

const loader = createRemoteLoader({
  remotes,
  loadExpose,
  waitingFor: ({ entry }) => waitingBeside(entry),
  onFailedAttempt: reportAttempt,
})

// Asked for before React starts: the page's files were preloaded and are about to arrive.
const first = remoteRouteAt(location.pathname)
if (first) loader.state(first.remote, first.expose)

function prefetch(path: string) {
  const { remote = '', expose = '' } = remoteRouteAt(path) ?? {}
  const composed = remotes[remote]
  if (composed?.status === 'on') prefetchFiles(composed.current, expose)
}
onIntent(prefetch)
addEventListener('online', () => loader.retryAll())

// Before the first page can keep one for the next load.
const keptToasts = takeKeptToasts()

const rootElement = document.getElementById('root')
if (!rootElement) throw new Error('The page has no #root: it was not written by deploy')
const root = createRoot(rootElement)

// The page shows its skeleton already: the first render waits for the real thing, so that a slow phone renders once.
const FIRST_RENDER_WITHIN_MS = 1000
const pageIsThere = first ? loader.settled(first.remote, first.expose) : Promise.resolve()
void Promise.race([pageIsThere, new Promise((resolve) => setTimeout(resolve, FIRST_RENDER_WITHIN_MS))]).then(
  () =>
    root.render(
      // biome-ignore lint/suspicious/noConsole: the specification logs crashes to the console (section 8)
      <CrashBoundary onCrash={(error) => console.error('The shell crashed', error)}>
        <App
          config={config}
          compositionNumber={composition.number}
          prefetch={prefetch}
          onLeavingCrash={reportLeaving}
          keptToasts={keptToasts}
        >
          {(host) => <AppRoutes host={host} loader={loader} />}
        </App>
      </CrashBoundary>,
    ),
)
void pageIsThere.then(() => requestAnimationFrame(loadWebfont))
