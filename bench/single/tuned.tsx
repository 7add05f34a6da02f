import '../../shell/src/layout/base.css'
import { App } from '../../shell/src/App.tsx'
import { readPageData } from '../../shell/src/loader/page-data.ts'
import { renderedBy, takeOver } from '../../shell/src/loader/prerendered-page.ts'
import { createRemoteLoader } from '../../shell/src/loader/remote-loader.ts'
import { CrashBoundary } from '../../shell/src/remote-page/CrashBoundary.tsx'
import { renderApp } from '../../shell/src/render-app.ts'
import { AppRoutes } from '../../shell/src/routing/AppRoutes.tsx'
import { pages } from './pages.ts'
import { remotes, routes, unused } from './routes.ts'

/**
 * One bundle with all that the federated site does for its first load: the route's chunk preloaded by the page and
 * asked for before the first render, no Suspense throttle, axios lazy, and its page's HTML hydrated where the page has
 * it. What differs is federation alone, and that no first script keeps what is pressed before.
 */
const remoteLoader = createRemoteLoader({
  remote: (name) => remotes()[name],
  loadExpose: async (_release, expose) => {
    const load = pages[expose]
    if (!load) throw new Error(`no page ${expose}`)
    return (await load()).default
  },
  onFailure: console.error,
})
const loader = { ...unused, ...remoteLoader, routes }

const first = routes.now()[location.pathname]?.remote
const app = (
  <CrashBoundary onCrash={console.error}>
    <App {...readPageData()} loader={loader}>
      {(host) => <AppRoutes host={host} loader={loader} />}
    </App>
  </CrashBoundary>
)
const root = document.getElementById('root') as HTMLElement // `deploy` writes it
const pageIsThere = first ? loader.load(first.name, first.expose) : Promise.resolve()
void pageIsThere.then(() => {
  renderApp(root, app, renderedBy() !== null)
  if (!first) takeOver()
  requestAnimationFrame(() => void import('../../shell/src/layout/webfont.css'))
})
