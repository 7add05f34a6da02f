import './layout/base.css'
import { loadHttp } from '@anniversary/shared/client/create-client'
import { ROOT_ELEMENT_ID } from '@anniversary/shared/contract/element-ids'
import { App } from './App.tsx'
import { activated } from './activated.ts'
import { routePath } from './loader/base-path.ts'
import type { ShareScope } from './loader/container.ts'
import { whenCoreRuns } from './loader/handover.ts'
import type { Loader } from './loader/loader.ts'
import { releasePresses, renderedBy } from './loader/prerendered-page.ts'
import { CrashBoundary } from './remote-page/CrashBoundary.tsx'
import { renderApp } from './render-app.ts'
import { onIntent } from './routing/follow-links.ts'
import { loadRouter } from './routing/router.ts'
import { sessionStore } from './session/session-store.ts'
import { loadTelemetry } from './telemetry/load-telemetry.ts'
import { notify, takeKeptToasts } from './toasts/toast-store.ts'

// The bundler's own names: https://webpack.js.org/concepts/module-federation/#dynamic-remote-containers
declare const __webpack_init_sharing__: (scope: string) => unknown
declare const __webpack_share_scopes__: { readonly default: ShareScope }

/** The page already shows its HTML or its skeleton; after so many milliseconds a skeleton says that it loads. */
const FIRST_RENDER_WITHIN = 1000

whenCoreRuns(async (loader) => {
  await activated()
  shareReact(loader)
  onIntent((path) => {
    void loader.prefetch(path)
    void loadRouter().catch(() => undefined)
  })
  addEventListener('online', loader.retryAll)
  // A member who types will send, and go on from there. What fails is loaded again when it is needed.
  addEventListener('input', () => Promise.allSettled([loadHttp(), loadRouter()]), { once: true })
  const firstPage = start(loader)
  void firstPage.then(() =>
    requestAnimationFrame(() => {
      // Earlier it would compete with the code for a slow line.
      const { connection } = navigator as { connection?: { readonly saveData?: boolean } }
      if (!connection?.saveData)
        import(/* webpackChunkName: "webfont" */ './layout/webfont.css').catch(() => undefined)
      void loader.routes.load()
    }),
  )
  loadTelemetry(loader, firstPage)
})

function shareReact(loader: Loader): void {
  __webpack_init_sharing__('default')
  const shared = __webpack_share_scopes__.default
  // Marking ours as loaded makes remotes use them, even if they bundle a newer version.
  for (const version of Object.values(shared).flatMap(Object.values)) version.loaded = 1
  loader.attach(shared)
}

/** Renders the app, once the first page's code is there, or late. @returns resolves when that page is there or has failed */
function start(loader: Loader): Promise<unknown> {
  const root = document.getElementById(ROOT_ELEMENT_ID)
  if (!root) throw new Error(`The page has no #${ROOT_ELEMENT_ID}`)
  const route = loader.routes.now()[routePath()]
  const first = route?.remote
  const allowed = !route?.protected || sessionStore.getState().session !== null
  const waits = renderedBy() !== null && allowed
  const firstPage = first
    ? (waits ? loader.loadBehindHtml : loader.load)(first.name, first.expose)
    : route
      ? Promise.resolve()
      : loader.routes.load()

  const app = (
    <CrashBoundary
      onCrash={(error) => {
        // biome-ignore lint/suspicious/noConsole: the specification logs crashes to the console (section 8)
        console.error('The shell crashed', error)
        releasePresses()
      }}
    >
      <App loader={loader} />
    </CrashBoundary>
  )
  const render = () => {
    // Before the page can queue more of them for the next load.
    const keptToasts = takeKeptToasts()
    const state = first && loader.state(first.name, first.expose)
    const release = state?.status === 'ready' ? state.release : undefined
    const isRendered = route !== undefined && allowed && renderedBy() === (first ? release?.entry : '')
    renderApp(root, app, isRendered, (error) => {
      const version = (release ?? loader.composition.shell).version
      loader.send({ owner: { name: first?.name ?? 'shell', version }, phase: 'hydration', error })
    })
    if (!isRendered || !first) releasePresses()
    // Start their timers once they are visible.
    for (const { kind, text } of keptToasts) notify[kind](text)
  }
  const late = new Promise((resolve) => setTimeout(resolve, allowed ? FIRST_RENDER_WITHIN : 0))
  void Promise.race([firstPage, ...(waits ? [] : [late])]).then(render)
  return firstPage
}
