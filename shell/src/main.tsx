import './layout/base.css'
import { loadHttp } from '@anniversary/shared/client/create-client'
import { App } from './App.tsx'
import { activated } from './activated.ts'
import { network } from './layout/network.ts'
import { routePath } from './loader/base-path.ts'
import type { ShareScope } from './loader/container.ts'
import { type Core, whenCoreRuns } from './loader/handover.ts'
import { releasePresses, renderedBy } from './loader/prerendered-page.ts'
import type { Owner } from './loader/published-files.ts'
import { CrashBoundary } from './remote-page/CrashBoundary.tsx'
import { renderApp } from './render-app.ts'
import { AppRoutes } from './routing/AppRoutes.tsx'
import { onIntent } from './routing/follow-links.ts'
import { loadRouter } from './routing/router.ts'
import { sessionStore } from './session/session-store.ts'
import { loadTelemetry } from './telemetry/load-telemetry.ts'
import { takeKeptToasts } from './toasts/kept-toasts.ts'
import { notify } from './toasts/toast-store.ts'

// The bundler's own names: https://webpack.js.org/concepts/module-federation/#dynamic-remote-containers
declare const __webpack_init_sharing__: (scope: string) => unknown
declare const __webpack_share_scopes__: { readonly default: ShareScope }

/** The page already shows its HTML or its skeleton; after so many milliseconds a skeleton says that it loads. */
const FIRST_RENDER_WITHIN = 1000

whenCoreRuns(async (core) => {
  await activated()
  const { loader } = core
  shareReact(loader)
  onIntent((path) => {
    loader.prefetch(path)
    void loadRouter().catch(() => undefined)
  })
  network.subscribe(({ online }) => online && loader.retryAll())
  // A member who types will send, and go on from there. What fails is loaded again when it is needed.
  addEventListener('input', () => Promise.allSettled([loadHttp(), loadRouter()]), { once: true })
  const firstPage = start(core)
  void firstPage.then(() =>
    requestAnimationFrame(() => {
      // Earlier it would compete with the code for a slow line.
      if (!savesData())
        import(/* webpackChunkName: "webfont" */ './layout/webfont.css').catch(() => undefined)
      loader.routes.load().catch(() => undefined)
    }),
  )
  loadTelemetry(core, firstPage)
})

function shareReact(loader: Core['loader']): void {
  __webpack_init_sharing__('default')
  const shared = __webpack_share_scopes__.default
  // Marking ours as loaded makes remotes use them, even if they bundle a newer version.
  for (const version of Object.values(shared).flatMap(Object.values)) version.loaded = 1
  loader.attach(shared)
}

/** Renders the app, once the first page's code is there, or late. @returns resolves when that page is there or has failed */
function start(core: Core): Promise<unknown> {
  const { loader } = core
  const root = document.getElementById('root')
  if (!root) throw new Error('The page has no #root')
  const route = loader.routes.now()[routePath()]
  const first = route?.remote
  const allowed = !route?.protected || sessionStore.getState().session !== null
  const waits = renderedBy() !== null && allowed
  const firstPage = first
    ? (waits ? loader.loadBehindHtml : loader.load)(first.name, first.expose)
    : route
      ? Promise.resolve()
      : loader.routes.load().catch(() => undefined)

  const app = (
    <CrashBoundary
      onCrash={(error) => {
        // biome-ignore lint/suspicious/noConsole: the specification logs crashes to the console (section 8)
        console.error('The shell crashed', error)
        releasePresses()
      }}
    >
      <App {...core}>{(host, path) => <AppRoutes path={path} host={host} loader={loader} />}</App>
    </CrashBoundary>
  )
  /** Whose HTML the page shows, if the app renders the same first. */
  const rendered = (): Owner | undefined => {
    if (!route || !allowed) return
    if (!first)
      return renderedBy() === '' ? { name: 'shell', version: core.composition.shell.version } : undefined
    const state = loader.state(first.name, first.expose)
    if (state.status !== 'ready' || state.release.entry !== renderedBy()) return
    return { name: first.name, version: state.release.version }
  }
  const render = () => {
    // Before the page can queue more of them for the next load.
    const keptToasts = takeKeptToasts()
    const owner = rendered()
    renderApp(root, app, owner !== undefined, (error) => {
      const { name, version } = owner ?? { name: 'page', version: '' }
      const page = { 'remote.name': name, 'remote.version': version, 'remote.phase': 'hydration' } as const
      loader.send(page, error)
    })
    if (!owner || !first) releasePresses()
    // Start their timers once they are visible.
    for (const { kind, text } of keptToasts) notify[kind](text)
  }
  const late = new Promise((resolve) => setTimeout(resolve, allowed ? FIRST_RENDER_WITHIN : 0))
  void Promise.race([firstPage, ...(waits ? [] : [late])]).then(render)
  return firstPage
}

const savesData = () =>
  (navigator as { connection?: { readonly saveData?: boolean } }).connection?.saveData === true
