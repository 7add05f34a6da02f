import { App } from './App.tsx'
import { routePath } from './loader/base-path.ts'
import type { Loader } from './loader/loader.ts'
import { releasePresses, renderedBy } from './loader/prerendered-page.ts'
import { CrashBoundary } from './remote-page/CrashBoundary.tsx'
import { renderApp } from './render-app.ts'
import { sessionStore } from './session/session-store.ts'
import { notify, takeKeptToasts } from './toasts/toast-store.ts'

/** Milliseconds after which the app renders a skeleton that announces the loading. */
const SKELETON_WITHIN = 1000

type Remote = { readonly name: string; readonly expose: string }

/** How the first page is rendered. A page behind its HTML waits for its code, a protected page without a session redirects. */
type Plan =
  | { readonly kind: 'own page' | 'no session' | 'unknown path' }
  | { readonly kind: 'behind its HTML' | 'behind a skeleton'; readonly remote: Remote }

function planFirstPage({ routes }: Loader): Plan {
  const route = routes.now()[routePath()]
  if (!route) return { kind: 'unknown path' }
  if (route.protected && sessionStore.getState().session === null) return { kind: 'no session' }
  const { remote } = route
  if (!remote) return { kind: 'own page' }
  return { kind: renderedBy() === null ? 'behind a skeleton' : 'behind its HTML', remote }
}

function renderWithin(loading: Promise<unknown>, render: () => void): Promise<unknown> {
  const late = new Promise((resolve) => setTimeout(resolve, SKELETON_WITHIN))
  void Promise.race([loading, late]).then(render)
  return loading
}

/** Renders the app as soon as the plan allows. @returns resolves when the page's code has loaded or failed */
export function startFirstPage(loader: Loader, root: HTMLElement): Promise<unknown> {
  const plan = planFirstPage(loader)
  const render = () => renderPlan(plan, loader, root)
  switch (plan.kind) {
    case 'own page':
    case 'no session':
      return Promise.resolve().then(render)
    case 'behind its HTML':
      return loader.loadBehindHtml(plan.remote.name, plan.remote.expose).then(render)
    case 'behind a skeleton':
      return renderWithin(loader.load(plan.remote.name, plan.remote.expose), render)
    case 'unknown path':
      return renderWithin(loader.routes.load(), render)
  }
}

/** Hydrates the page's HTML if the same release rendered it, else replaces it. */
function renderPlan(plan: Plan, loader: Loader, root: HTMLElement): void {
  const remote = 'remote' in plan ? plan.remote : undefined
  const state = remote && loader.state(remote.name, remote.expose)
  const release = state?.status === 'ready' ? state.release : undefined
  const isRendered =
    (plan.kind === 'own page' && renderedBy() === '') ||
    (plan.kind === 'behind its HTML' && renderedBy() === release?.entry)
  // Before the page can store more of them for the next load.
  const keptToasts = takeKeptToasts()
  renderApp(
    root,
    (restoreInput) => (
      <CrashBoundary
        onCrash={(error) => {
          // biome-ignore lint/suspicious/noConsole: the specification logs crashes to the console (section 8)
          console.error('The shell crashed', error)
          releasePresses()
        }}
      >
        <App loader={loader} restoreInput={restoreInput} />
      </CrashBoundary>
    ),
    isRendered,
    (error) => {
      const { version } = release ?? loader.composition.shell
      loader.send({ owner: { name: remote?.name ?? 'shell', version }, phase: 'hydration', error })
    },
  )
  // A hydrated remote page does this itself, when it has rendered.
  if (!isRendered || !remote) releasePresses()
  // After the render, so that their timers start when they are visible.
  for (const { kind, text } of keptToasts) notify[kind](text)
}
