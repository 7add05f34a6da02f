import type { Release } from '@anniversary/shared/contract/composition'
import { LATE_CODE_CLASS } from '@anniversary/shared/contract/page-names'
import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import { App } from '../App.tsx'
import { loadLanding } from '../landing/load-landing.ts'
import { routePath } from '../loader/base-path.ts'
import type { Loader } from '../loader/loader.ts'
import type { PagePlace } from '../loader/remote-loader.ts'
import { HOST_SCRIPT_WAITS } from '../loader/retry.ts'
import { CrashBoundary } from '../remote-page/RemotePage.tsx'
import { sessionStore } from '../session/session-store.ts'
import { notifyMember, takeKeptToasts } from '../toasts/toast-store.ts'
import { firstPageTakeover } from './replace-html.ts'

/**
 * A prerendered page starts at most this many milliseconds after its
 * activation.
 */
const START_WITHIN = 1000
/**
 * Milliseconds after which the app renders a skeleton that announces the
 * loading.
 */
const SKELETON_WITHIN = 1000

/**
 * Resolves when the page is activated and painted. A browser may prerender it
 * (Speculation Rules), and nothing may be counted then. An app that starts
 * before the paint would delay it.
 */
export async function waitForActivation(): Promise<void> {
  // Chromium's; not in TypeScript's DOM library.
  const { prerendering } = document as { prerendering?: boolean }
  if (!prerendering) return
  // The code has loaded; the timer of that message started with the
  // prerendering (layout/base.css).
  document.querySelector(`.${LATE_CODE_CLASS}`)?.remove()
  await new Promise<void>((resolve) => {
    new PerformanceObserver(() => resolve()).observe({ type: 'paint' })
    document.addEventListener('prerenderingchange', () => setTimeout(resolve, START_WITHIN), {
      once: true,
    })
  })
}

/**
 * A page behind its HTML waits for its code; a protected page without a session
 * redirects.
 */
type Plan =
  | { readonly kind: 'own page' | 'no session' | 'unknown path' }
  | { readonly kind: 'behind its HTML' | 'behind a skeleton'; readonly place: PagePlace }

function planFirstPage({ composition }: Loader): Plan {
  const route = composition.routes.now()[routePath()]
  if (!route) return { kind: 'unknown path' }
  if (route.protected && sessionStore.getState().session === null) return { kind: 'no session' }
  const { remote: place } = route
  if (!place) return { kind: 'own page' }
  const hasHtml = firstPageTakeover.renderedBy() !== null
  return { kind: hasHtml ? 'behind its HTML' : 'behind a skeleton', place }
}

/** @returns resolves when the page's code has loaded or failed */
export function startFirstPage(loader: Loader, root: HTMLElement): Promise<unknown> {
  const plan = planFirstPage(loader)
  const render = () => renderPlan(plan, loader, root)
  switch (plan.kind) {
    case 'no session':
      return Promise.resolve().then(render)
    case 'own page':
      return loadOwnPage().then(render)
    case 'behind its HTML':
      return loader.pages.loadBehindHtml(plan.place.name, plan.place.expose).then(render)
    case 'behind a skeleton':
      return renderWithin(loader.pages.load(plan.place.name, plan.place.expose), render)
    case 'unknown path':
      return renderWithin(loader.composition.routes.load(), render)
  }
}

/**
 * After a failure the HTML of the landing page stays, with links that work
 * without code.
 */
const loadOwnPage = (): Promise<void> =>
  loadLanding().catch(async () => {
    await new Promise((resolve) => setTimeout(resolve, HOST_SCRIPT_WAITS[3]))
    await loadOwnPage()
  })

function renderWithin(loading: Promise<unknown>, render: () => void): Promise<unknown> {
  const late = new Promise((resolve) => setTimeout(resolve, SKELETON_WITHIN))
  void Promise.race([loading, late]).then(render)
  return loading
}

/**
 * Hydrates the page's HTML if the same release rendered it, else replaces it.
 */
function renderPlan(plan: Plan, loader: Loader, root: HTMLElement): void {
  const release = loadedRelease(plan, loader)
  const isHydrated = firstPageTakeover.renderedBy() === renderedByOf(plan, release)
  // Before the page can store more of them for the next load.
  const keptToasts = takeKeptToasts()

  const onCrash = (error: unknown) => {
    // biome-ignore lint/suspicious/noConsole: the specification logs crashes to the console (section 8)
    console.error('The shell crashed', error)
    firstPageTakeover.release()
  }
  const app = (
    <CrashBoundary onCrash={onCrash}>
      <App loader={loader} />
    </CrashBoundary>
  )
  renderShellApp(root, app, isHydrated, (error) => {
    const name = 'place' in plan ? plan.place.name : 'shell'
    const version = release?.version ?? loader.composition.shell
    loader.reports.send({ owner: { name, version }, phase: 'hydration', error })
  })
  // A hydrated remote page does this itself, when it has rendered.
  const waitsForPage = isHydrated && 'place' in plan
  if (!waitsForPage) firstPageTakeover.release()
  // After the render, so that their timers start when they are visible.
  for (const { kind, text } of keptToasts) notifyMember[kind](text)
}

function loadedRelease(plan: Plan, { pages }: Loader): Release | undefined {
  if (!('place' in plan)) return undefined
  const state = pages.state(plan.place.name, plan.place.expose)
  if (state.status !== 'ready') return undefined
  return state.release
}

/**
 * What `firstPageTakeover.renderedBy` returns where the HTML is the app's first
 * render; undefined where it cannot be.
 */
function renderedByOf({ kind }: Plan, release: Release | undefined): string | undefined {
  if (kind === 'own page') return ''
  if (kind === 'behind its HTML') return release?.entry
  return undefined
}

export function renderShellApp(
  root: HTMLElement,
  app: ReactNode,
  isHydrated: boolean,
  onMismatch: (error: unknown) => void,
): Root {
  firstPageTakeover.begin()
  if (isHydrated)
    return hydrateRoot(root, app, {
      onRecoverableError(error) {
        // biome-ignore lint/suspicious/noConsole: a defect that the smoke test of `deploy` rejects
        console.error('The page did not hydrate', error)
        onMismatch(error)
      },
    })
  const created = createRoot(root)
  flushSync(() => created.render(app))
  return created
}
