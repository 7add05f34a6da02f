import '../../shell/src/layout/base.css'
import type { ComposedRemote } from '@anniversary/shared/contract/composition'
import { createRoot } from 'react-dom/client'
import { App } from '../../shell/src/App.tsx'
import { hydrateAtOnce } from '../../shell/src/hydrate-at-once.ts'
import { loadWebfont } from '../../shell/src/layout/load-webfont.ts'
import { readPageData } from '../../shell/src/loader/page-data.ts'
import { renderedBy, takeOver } from '../../shell/src/loader/prerendered-page.ts'
import { createRemoteLoader, type PageComponent } from '../../shell/src/loader/remote-loader.ts'
import { CrashBoundary } from '../../shell/src/remote-page/CrashBoundary.tsx'
import { remoteRouteAt } from '../../shell/src/route-table.ts'
import { AppRoutes } from '../../shell/src/routing/AppRoutes.tsx'

/**
 * One bundle with all that the federated site does for its first load: the route's chunk preloaded by the page and
 * asked for before the first render, no Suspense throttle, axios lazy, and its page's HTML hydrated where the page has
 * it. What differs is federation alone, and that no first script keeps what is pressed before.
 */
const pages: Record<string, () => Promise<{ default: PageComponent }>> = {
  './MegalivePage': () =>
    import(/* webpackChunkName: "MegalivePage" */ '../../mf-megalive/src/MegalivePage.tsx'),
  './LoginPage': () => import(/* webpackChunkName: "LoginPage" */ '../../mf-auth/src/LoginPage.tsx'),
  './CheckPage': () => import(/* webpackChunkName: "CheckPage" */ '../../mf-auth/src/CheckPage.tsx'),
  './HomePage': () => import(/* webpackChunkName: "HomePage" */ '../../mf-missions/src/HomePage.tsx'),
  './HistoryPage': () => import(/* webpackChunkName: "HistoryPage" */ '../../mf-history/src/HistoryPage.tsx'),
}

const bundled: ComposedRemote = {
  status: 'on',
  current: { version: 'bundled', entry: '/', integrity: '', container: '', contract: '', exposes: {} },
}
const loader = createRemoteLoader({
  find: async () => bundled,
  loadExpose: async (_release, expose) => {
    const load = pages[expose]
    if (!load) throw new Error(`no page ${expose}`)
    return (await load()).default
  },
  onFailure: console.error,
})

const first = remoteRouteAt(location.pathname)
if (first) loader.state(first.remote, first.expose)

const { composition, config } = readPageData()
const app = (
  <CrashBoundary onCrash={console.error}>
    <App
      config={config}
      compositionNumber={composition.number}
      prefetch={() => undefined}
      onLeavingCrash={console.error}
    >
      {(host) => <AppRoutes host={host} loader={loader} />}
    </App>
  </CrashBoundary>
)
const root = document.getElementById('root') as HTMLElement // `deploy` writes it
const pageIsThere = first ? loader.settled(first.remote, first.expose) : Promise.resolve()
void pageIsThere.then(() => {
  if (renderedBy() === null) createRoot(root).render(app)
  else hydrateAtOnce(root, app)
  if (!first) takeOver()
  requestAnimationFrame(loadWebfont)
})
