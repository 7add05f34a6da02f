import './layout/base.css'
// In the first sheet, which is inline in every page: their chunk then requests
// no styles.
import './landing/Landing.module.css'
import './landing/Stage.module.css'
import { loadHttpClient } from '@anniversary/shared/client/create-client'
import { EVENTS, IDS } from '@anniversary/shared/contract/page-names'
import React from 'react'
import ReactDom from 'react-dom'
import { startFirstPage, waitForActivation } from './first-load/first-page.tsx'
import { routePath } from './loader/base-path.ts'
import { whenCoreRuns } from './loader/bootstrap.ts'
import type { Loader } from './loader/loader.ts'
import { closeDialogsOnBack } from './routing/close-dialogs-on-back.ts'
import { onLinkIntent } from './routing/follow-links.ts'
import { loadPageRouter } from './routing/router.ts'
import { loadRulesChunk } from './rules/RulesPopup.tsx'
import { loadTelemetry } from './telemetry/load-telemetry.ts'
import { whenIdle } from './when-idle.ts'

/**
 * Milliseconds after the first page has loaded, so that its own requests go
 * first.
 */
const NEXT_PAGE_AFTER = 4000

whenCoreRuns(async (loader) => {
  if (/[?&]debug\b/.test(location.search))
    // In the rare chunk of the notice: the first script holds the hash of each.
    void import(/* webpackChunkName: "notice" */ './debug/open-debug-panel.tsx').then(
      ({ openDebugPanel }) => openDebugPanel(loader),
    )
  await waitForActivation()
  loader.attach({ react: offer(React), 'react-dom': offer(ReactDom) })
  followNetwork(loader)
  const prepareNext = () => prepareMove(loader, loader.composition.routes.now()[routePath()]?.next)
  closeDialogsOnBack()
  onLinkIntent((path) => prepareMove(loader, path))
  // A member who types will submit and go on. What fails to load is loaded
  // again when it is needed.
  addEventListener('input', () => Promise.allSettled([prepareNext(), loadHttpClient()]), {
    once: true,
  })

  const root = document.getElementById(IDS.appRoot)
  if (!root) throw new Error(`The page has no #${IDS.appRoot}`)
  const firstPage = startFirstPage(loader, root)
  void firstPage.then(() => {
    const stop = loader.pages.subscribe(begin)
    function begin() {
      if (isMissing(loader)) return
      stop()
      loadTheRest(loader, prepareNext)
    }
    begin()
  })
  loadTelemetry(loader, firstPage)
})

/**
 * Offers the page's only copy of a module to remotes, in the bundlers' format.
 * Marked as loaded, so that a remote uses it even if it bundles a newer
 * version.
 */
const offer = (module: { readonly version: string }) => ({
  [module.version]: { get: () => () => module, loaded: 1, from: 'shell', eager: true } as const,
})

/** Loads what failed again when a network is found. */
function followNetwork({ pages, composition }: Loader): void {
  for (const type of ['online', EVENTS.networkFound])
    addEventListener(type, () => {
      pages.retryAll()
      composition.routes.retry()
    })
}

/**
 * Whether the page's files may still come, after a failure or in a retry, which
 * the rest would delay.
 */
function isMissing({ composition, pages }: Loader): boolean {
  const { remote } = composition.routes.now()[routePath()] ?? {}
  if (!remote) return false
  const state = pages.state(remote.name, remote.expose)
  if (state.status !== 'failed') return state.status === 'loading'
  return state.reason === 'failed'
}

/**
 * What the first page does not need. On a connection that is to be saved, only
 * what other pages depend on.
 */
function loadTheRest({ composition }: Loader, prepareNext: () => void): void {
  const { connection } = navigator as { connection?: { readonly saveData?: boolean } } // Chromium's
  const savesData = connection?.saveData === true
  requestAnimationFrame(() => {
    // Earlier, the typeface would compete with the code on a slow network
    // (layout/webfont.css).
    if (!savesData) document.documentElement.setAttribute('data-typeface', '')
    void composition.routes.load()
  })
  if (savesData) return
  const prepare = () => {
    prepareNext()
    loadRulesChunk().catch(() => undefined)
  }
  setTimeout(() => whenIdle(prepare), NEXT_PAGE_AFTER)
}

/**
 * Loads the router, and the files of the page that the member probably opens.
 */
function prepareMove(loader: Loader, path: string | undefined): void {
  void loadPageRouter().catch(() => undefined)
  if (path) void loader.pages.prefetch(path)
}
