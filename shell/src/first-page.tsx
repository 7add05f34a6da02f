import { App } from './App.tsx'
import { routePath } from './loader/base-path.ts'
import type { Loader } from './loader/loader.ts'
import { releasePresses, renderedBy } from './loader/prerendered-page.ts'
import { CrashBoundary } from './remote-page/CrashBoundary.tsx'
import { renderApp } from './render-app.ts'
import { sessionStore } from './session/session-store.ts'
import { notify, takeKeptToasts } from './toasts/toast-store.ts'

/** The page already shows its HTML or its skeleton; after so many milliseconds a skeleton says that it loads. */
const SKELETON_WITHIN = 1000

type Remote = { readonly name: string; readonly expose: string }

/** How the first page comes to the screen. */
type Plan =
  /** A page of the shell, whose code is there. */
  | { readonly kind: 'own page' }
  /** A page for members without a session: the app leads to another one. */
  | { readonly kind: 'no session' }
  /** A remote's page whose HTML shows: the app waits for its code, and takes the HTML over. */
  | { readonly kind: 'behind its HTML'; readonly remote: Remote }
  /** A remote's page of which nothing shows yet. */
  | { readonly kind: 'behind a skeleton'; readonly remote: Remote }
  /** A path that the page's part of the composition does not name. */
  | { readonly kind: 'unknown path' }

function planFirstPage({ routes }: Loader): Plan {
  const route = routes.now()[routePath()]
  if (!route) return { kind: 'unknown path' }
  if (route.protected && sessionStore.getState().session === null) return { kind: 'no session' }
  const { remote } = route
  if (!remote) return { kind: 'own page' }
  return { kind: renderedBy() === null ? 'behind a skeleton' : 'behind its HTML', remote }
}

const atMost = (ms: number, work: Promise<unknown>) =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, ms))])

/** Renders the app as soon as its plan allows. @returns resolves when the page's code is there or has failed */
export function startFirstPage(loader: Loader, root: HTMLElement): Promise<unknown> {
  const plan = planFirstPage(loader)
  const render = () => renderPlan(plan, loader, root)
  switch (plan.kind) {
    case 'own page':
    case 'no session':
      return Promise.resolve().then(render)
    case 'behind its HTML':
      return loader.loadBehindHtml(plan.remote.name, plan.remote.expose).then(render)
    case 'behind a skeleton': {
      const loaded = loader.load(plan.remote.name, plan.remote.expose)
      void atMost(SKELETON_WITHIN, loaded).then(render)
      return loaded
    }
    case 'unknown path': {
      const loaded = loader.routes.load()
      void atMost(SKELETON_WITHIN, loaded).then(render)
      return loaded
    }
  }
}

/** Renders the app: into the page's HTML where the same release has rendered that, else in its place. */
function renderPlan(plan: Plan, loader: Loader, root: HTMLElement): void {
  const remote = 'remote' in plan ? plan.remote : undefined
  const state = remote && loader.state(remote.name, remote.expose)
  const release = state?.status === 'ready' ? state.release : undefined
  const isRendered =
    (plan.kind === 'own page' && renderedBy() === '') ||
    (plan.kind === 'behind its HTML' && renderedBy() === release?.entry)
  // Before the page can queue more of them for the next load.
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
  // A remote's page does so itself, after the press that was kept.
  if (!isRendered || !remote) releasePresses()
  // Start their timers once they are visible.
  for (const { kind, text } of keptToasts) notify[kind](text)
}
