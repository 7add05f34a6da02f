import './layout/base.css'
import { loadHttp } from '@anniversary/shared/client/create-client'
import { EVENTS, IDS } from '@anniversary/shared/contract/page-names'
import React from 'react'
import ReactDom from 'react-dom'
import { activated } from './activated.ts'
import { startFirstPage } from './first-page.tsx'
import { routePath } from './loader/base-path.ts'
import { whenCoreRuns } from './loader/bootstrap.ts'
import type { Loader } from './loader/loader.ts'
import { onIntent } from './routing/follow-links.ts'
import { loadRouter } from './routing/use-routing.ts'
import { loadTelemetry } from './telemetry/load-telemetry.ts'
import { whenIdle } from './when-idle.ts'

/** Milliseconds after the first page has loaded, so that its own requests go first. */
const NEXT_PAGE_AFTER = 4000

whenCoreRuns(async (loader) => {
  await activated()
  loader.attach({ react: offer(React), 'react-dom': offer(ReactDom) })
  for (const type of ['online', EVENTS.networkFound]) addEventListener(type, loader.retryAll)
  onIntent((path) => prepareMove(loader, path))
  const next = () => prepareMove(loader, loader.routes.now()[routePath()]?.next)
  // A member who types will submit and go on. What fails to load is loaded again when it is needed.
  addEventListener('input', () => Promise.allSettled([next(), loadHttp()]), { once: true })

  const root = document.getElementById(IDS.root)
  if (!root) throw new Error(`The page has no #${IDS.root}`)
  const firstPage = startFirstPage(loader, root)
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } } // Chromium's
  void firstPage.then(() => {
    requestAnimationFrame(() => {
      // Earlier, the typeface would compete with the code on a slow network.
      if (!connection?.saveData)
        import(/* webpackChunkName: "webfont" */ './layout/webfont.css').catch(() => undefined)
      void loader.routes.load()
    })
    if (!connection?.saveData) setTimeout(() => whenIdle(next), NEXT_PAGE_AFTER)
  })
  loadTelemetry(loader, firstPage)
})

/**
 * Offers the page's only copy of a module to remotes, in the bundlers' format. Marked as loaded, so that a remote uses it even
 * if it bundles a newer version.
 */
const offer = (module: { readonly version: string }) => ({
  [module.version]: { get: () => () => module, loaded: 1, from: 'shell', eager: true } as const,
})

/** Loads the router, and the files of the page that the member probably opens. */
function prepareMove(loader: Loader, path: string | undefined): void {
  void loadRouter().catch(() => undefined)
  if (path) void loader.prefetch(path)
}
