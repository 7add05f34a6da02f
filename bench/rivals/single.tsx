import '../../shell/src/layout/base.css'
import type { ComposedRemote, RemoteRoutes } from '@anniversary/shared/contract/composition'
import auth from '../../mf-auth/routes.json'
import history from '../../mf-history/routes.json'
import megalive from '../../mf-megalive/routes.json'
import missions from '../../mf-missions/routes.json'
import { App } from '../../shell/src/App.tsx'
import { renderShellApp } from '../../shell/src/first-load/first-page.tsx'
import { firstPageTakeover } from '../../shell/src/first-load/replace-html.ts'
import { loadLanding } from '../../shell/src/landing/load-landing.ts'
import { pageComposition } from '../../shell/src/loader/page-composition.ts'
import { readPageData } from '../../shell/src/loader/page-data.ts'
import { createRemoteLoader, type PageComponent } from '../../shell/src/loader/remote-loader.ts'
import { CrashBoundary } from '../../shell/src/remote-page/RemotePage.tsx'

/*
 * One bundle that does everything the federated site does for its first load:
 * the page preloads the route's chunk, which is requested before the first
 * render, nothing waits for Suspense, axios is lazy, and prerendered HTML is
 * hydrated. It differs in federation only.
 */

/**
 * The remotes' pages, each a chunk of the bundle, by their exposes
 * (routes.json).
 */
const chunks: Readonly<Record<string, () => Promise<{ default: PageComponent }>>> = {
  './MegalivePage': () =>
    import(/* webpackChunkName: "MegalivePage" */ '../../mf-megalive/src/MegalivePage.tsx'),
  './LoginPage': () =>
    import(/* webpackChunkName: "LoginPage" */ '../../mf-auth/src/LoginPage.tsx'),
  './CheckPage': () =>
    import(/* webpackChunkName: "CheckPage" */ '../../mf-auth/src/CheckPage.tsx'),
  './HomePage': () =>
    import(/* webpackChunkName: "HomePage" */ '../../mf-missions/src/HomePage.tsx'),
  './HistoryPage': () =>
    import(/* webpackChunkName: "HistoryPage" */ '../../mf-history/src/HistoryPage.tsx'),
}

const bundled = (routes: object): ComposedRemote => ({
  status: 'on',
  // The pages name this entry (../load/sites.ts). JSON has no literal types.
  current: {
    ...RELEASE,
    entry: '/',
    integrity: '',
    container: '',
    exposes: {},
    routes: routes as RemoteRoutes,
  },
})
const RELEASE = { version: 'bundled', contract: '' }
const composition = pageComposition(
  {
    number: 1,
    createdAt: '',
    shell: RELEASE,
    remotes: Object.fromEntries(
      [auth, history, megalive, missions].map((own, n) => [`mf-${n}`, bundled(own)]),
    ),
  },
  console.error,
)

const pages = createRemoteLoader({
  remote: (name) => composition.remotes()[name],
  // A bundle prefetches nothing.
  placeOf: async () => undefined,
  loadExpose: async (_release, expose) => {
    const load = chunks[expose]
    if (!load) throw new Error(`no page ${expose}`)
    return (await load()).default
  },
  onFailure: console.error,
})
const loader = {
  config: readPageData().config,
  pages,
  composition,
  reports: { add: console.error },
}

const first = composition.routes.now()[location.pathname]?.remote
const root = document.getElementById('root') as HTMLElement // `deploy` writes it
const pageIsThere = first ? pages.load(first.name, first.expose) : loadLanding()
void pageIsThere.then(() => {
  const app = (
    <CrashBoundary onCrash={console.error}>
      <App loader={loader} />
    </CrashBoundary>
  )
  renderShellApp(root, app, firstPageTakeover.renderedBy() !== null, console.error)
  if (!first) firstPageTakeover.release()
  requestAnimationFrame(() => document.documentElement.setAttribute('data-typeface', ''))
})
