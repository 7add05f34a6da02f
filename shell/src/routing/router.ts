import { startTransition, useEffect, useState } from 'react'
import { createStore } from 'zustand/vanilla'
import { basePath, routePath } from '../loader/base-path.ts'
import type { startRouter } from './browser-router.tsx'

/*
 * The first page needs no router: react-router comes when the member is about to move, and then moves the path that
 * shows here. A press never waits for it.
 */

const moves = createStore(() => ({ path: '' }))
const show = () => moves.setState({ path: routePath() })
let router: ReturnType<typeof startRouter> | undefined
let navigate: Awaited<typeof router>

export async function loadRouter(): Promise<void> {
  const { startRouter } = await import(/* webpackChunkName: "router" */ './browser-router.tsx')
  router ??= startRouter()
  navigate = await router
}

/** Moves to a page of the app; before the router is there by the browser's history. Where one is already adds no entry. */
export function move(path: string, replace = false): void {
  const replaces = replace || path === routePath()
  if (navigate) void navigate(path, { replace: replaces })
  else history[replaces ? 'replaceState' : 'pushState'](null, '', basePath() + path)
  show()
}

export function usePath(): string {
  const [path, setPath] = useState(routePath)
  useEffect(() => {
    // Also back to an entry from before a reload, without the router.
    addEventListener('popstate', show)
    const end = moves.subscribe((moved) => startTransition(() => setPath(moved.path)))
    // A page's own effect may have moved before.
    show()
    return end
  }, [])
  return path
}
