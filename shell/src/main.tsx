import './layout/base.css'
import { loadAxios } from '@anniversary/shared/client/create-client'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { App } from './App.tsx'
import { hydrateAtOnce } from './hydrate-at-once.ts'
import { loadWebfont } from './layout/load-webfont.ts'
import { routePath } from './loader/base-path.ts'
import type { ShareScope } from './loader/container.ts'
import { fromCore } from './loader/handover.ts'
import { renderedBy, replacePage, takeOver } from './loader/prerendered-page.ts'
import { CrashBoundary } from './remote-page/CrashBoundary.tsx'
import { AppRoutes } from './routing/AppRoutes.tsx'
import { onIntent } from './routing/on-intent.ts'
import { sessionStore } from './session/session-store.ts'
import { loadTelemetry } from './telemetry/load-telemetry.ts'
import { takeKeptToasts } from './toasts/kept-toasts.ts'
import { notify } from './toasts/toast-store.ts'

const core = fromCore()
const { loader } = core

// The bundler's own names: https://webpack.js.org/concepts/module-federation/#dynamic-remote-containers
declare const __webpack_init_sharing__: (scope: string) => unknown
declare const __webpack_share_scopes__: { readonly default: ShareScope }
__webpack_init_sharing__('default')
const shared = __webpack_share_scopes__.default
// Marks the host's copies as loaded: a remote with a newer copy then uses these.
for (const version of Object.values(shared).flatMap(Object.values)) version.loaded = 1
loader.attach(shared)

onIntent(loader.prefetch)
addEventListener('online', loader.retryAll)
// A member who types will send: load the API's client. If that fails, the call loads it again.
addEventListener('input', () => loadAxios().catch(() => undefined), { once: true })

const rootElement = document.getElementById('root')
if (!rootElement) throw new Error('The page has no #root: it was not written by deploy')
const app = (
  <CrashBoundary
    onCrash={(error) => {
      // biome-ignore lint/suspicious/noConsole: the specification logs crashes to the console (section 8)
      console.error('The shell crashed', error)
      takeOver()
    }}
  >
    <App {...core}>{(host) => <AppRoutes host={host} loader={loader} />}</App>
  </CrashBoundary>
)

// A failure is reported; the page that needs the routes loads them again.
const loadRoutes = () => loader.routes.load().catch(() => undefined)

const route = loader.routes.now()[routePath()]
const first = route?.remote
const allowed = !route?.protected || sessionStore.getState().session !== null
const firstPage = first ? loader.settled(first.name, first.expose) : route ? Promise.resolve() : loadRoutes()

/** Whether the page's HTML is what the app renders first. */
function isRendered(): boolean {
  if (!route || !allowed) return false
  if (!first) return renderedBy() === ''
  const state = loader.state(first.name, first.expose)
  return state.status === 'ready' && state.release.entry === renderedBy()
}

function start(root: HTMLElement) {
  // Before the page can queue more of them for the next load.
  const keptToasts = takeKeptToasts()
  if (isRendered()) {
    hydrateAtOnce(root, app)
    if (!first) takeOver()
  } else replacePage(() => flushSync(() => createRoot(root).render(app)))
  // Their time begins when they can be seen.
  for (const { kind, text } of keptToasts) notify[kind](text)
}

// The page already shows its HTML or its skeleton, so the first render waits for the remote's page: a slow phone renders
// once. After this time a skeleton says that it loads; prerendered HTML can be used and goes on waiting.
const FIRST_RENDER_WITHIN_MS = 1000
const patience = new Promise((resolve) => setTimeout(resolve, allowed ? FIRST_RENDER_WITHIN_MS : 0))
void Promise.race([
  firstPage,
  patience.then(() => (renderedBy() !== null && allowed ? firstPage : undefined)),
]).then(() => start(rootElement))
void firstPage.then(() =>
  requestAnimationFrame(() => {
    loadWebfont()
    void loadRoutes()
  }),
)
loadTelemetry(core, firstPage)
