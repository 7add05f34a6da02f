import { ATTRIBUTES } from '@anniversary/shared/contract/page-names'
import { startTransition, useCallback, useEffect, useEffectEvent, useState } from 'react'
import type { NavigateFunction } from 'react-router-dom'
import { useStore } from 'zustand'
import { createStore } from 'zustand/vanilla'
import { loadLanding } from '../landing/load-landing.ts'
import { basePath, routePath } from '../loader/base-path.ts'
import type { RoutedPages } from './RoutedPages.tsx'

/*
 * The first page needs no router. react-router loads on intent or when the page
 * is idle, and renders the pages from the first move on. Until it has loaded, a
 * link is a plain link, because every page is prerendered HTML.
 */

const router = createStore<{ Pages?: typeof RoutedPages }>(() => ({}))

/**
 * Of the app on the page, once the router has loaded: react-router's function,
 * and the switch from the first page to routed ones.
 */
let mounted: { readonly go: NavigateFunction; showRouted(): void } | undefined

/**
 * Loads the router and the only page that is the shell's. An attribute tells
 * tests when they have loaded.
 */
export async function loadPageRouter(): Promise<void> {
  const [{ RoutedPages }] = await Promise.all([
    import(/* webpackChunkName: "router" */ './RoutedPages.tsx'),
    loadLanding(),
  ])
  router.setState({ Pages: RoutedPages })
}

export const canMoveInPage = (): boolean => mounted !== undefined

/** Returns false if only a page load can go there. */
export type Move = (path: string, replace: boolean) => boolean

export const moveToRoute: Move = (path, replace) => {
  if (path === routePath()) return true
  if (!mounted) return false
  const { go, showRouted } = mounted
  // In one transition, so that React keeps the first page until the next one
  // has rendered.
  startTransition(() => {
    try {
      void go(path, { replace })
      showRouted()
    } catch {
      // Safari allows 100 history changes in 10 seconds. For a new entry the
      // router falls back by itself.
      location.replace(basePath() + path)
    }
  })
  return true
}

export function usePageRouter() {
  // Only this, because a touch of a link loads the router again, and must not
  // render the page.
  const Pages = useStore(router, ({ Pages }) => Pages)
  const [isRouted, setRouted] = useState(false)

  const onRouter = useCallback((go?: NavigateFunction) => {
    mounted = go && { go, showRouted: () => setRouted(true) }
  }, [])

  useEffect(() => {
    if (Pages) document.documentElement.setAttribute(ATTRIBUTES.routerReady, '')
  }, [Pages])

  const leaveFirstPage = useEffectEvent(() => {
    if (Pages) setRouted(true)
    // The entry is from before a reload.
    else location.reload()
  })
  // Again when the pages have loaded: after the router's own listener, which
  // belongs to a child.
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  useEffect(() => {
    if (isRouted) return
    const first = routePath()
    const onBack = () => {
      if (routePath() !== first) leaveFirstPage()
    }
    addEventListener('popstate', onBack)
    return () => removeEventListener('popstate', onBack)
  }, [Pages, isRouted])

  return { Pages, isRouted, onRouter }
}
