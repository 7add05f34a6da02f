import './layout/base.css'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { loadWebfont } from './layout/load-webfont.ts'
import { fromCore } from './loader/handover.ts'
import type { ShareScope } from './loader/release-files.ts'
import { CrashBoundary } from './remote-page/CrashBoundary.tsx'
import { remoteRouteAt } from './route-table.ts'
import { AppRoutes } from './routing/AppRoutes.tsx'
import { onIntent } from './routing/on-intent.ts'
import { takeKeptToasts } from './toasts/kept-toasts.ts'

const { loader, config, compositionNumber } = fromCore()

// The bundler's own names: https://webpack.js.org/concepts/module-federation/#dynamic-remote-containers
declare const __webpack_init_sharing__: (scope: string) => Promise<unknown>
declare const __webpack_share_scopes__: { readonly default: ShareScope }
void __webpack_init_sharing__('default').then(() => loader.attach(__webpack_share_scopes__.default))

function prefetch(path: string) {
  const route = remoteRouteAt(path)
  if (route) loader.prefetch(route.remote, route.expose)
}
onIntent(prefetch)
addEventListener('online', loader.retryAll)

// Taken before the first page can queue one for the next load.
const keptToasts = takeKeptToasts()

const rootElement = document.getElementById('root')
if (!rootElement) throw new Error('The page has no #root: it was not written by deploy')
const root = createRoot(rootElement)

// The page already shows its skeleton, so the first render waits for the remote's page: a slow phone renders once.
const FIRST_RENDER_WITHIN_MS = 1000
const first = remoteRouteAt(location.pathname)
const firstPage = first ? loader.settled(first.remote, first.expose) : Promise.resolve()
void Promise.race([firstPage, new Promise((resolve) => setTimeout(resolve, FIRST_RENDER_WITHIN_MS))]).then(
  () =>
    root.render(
      // biome-ignore lint/suspicious/noConsole: the specification logs crashes to the console (section 8)
      <CrashBoundary onCrash={(error) => console.error('The shell crashed', error)}>
        <App
          config={config}
          compositionNumber={compositionNumber}
          prefetch={prefetch}
          onLeavingCrash={loader.reportLeaving}
          keptToasts={keptToasts}
        >
          {(host) => <AppRoutes host={host} loader={loader} />}
        </App>
      </CrashBoundary>,
    ),
)
void firstPage.then(() => requestAnimationFrame(loadWebfont))
