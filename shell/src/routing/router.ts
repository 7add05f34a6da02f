import { startTransition, useEffect, useState } from 'react'
import { createStore } from 'zustand/vanilla'
import { basePath, routePath } from '../loader/base-path.ts'
import type { startRouter } from './browser-router.tsx'

/*
 * The first page needs no router: react-router comes when the member is about to move, and then moves the path that
 * shows here.
 */

/** A press shows its page within a second, also where the router has not come. */
const PATIENCE_MS = 1000

const moves = createStore(() => ({ path: '' }))
const show = () => moves.setState({ path: routePath() })
let router: ReturnType<typeof startRouter> | undefined

export async function loadRouter() {
  const { startRouter } = await import(/* webpackChunkName: "router" */ './browser-router.tsx')
  router ??= startRouter()
  return await router
}

/** Moves to another page of the app; without the router, where the network is slow or gone, by the browser's history. */
export async function move(path: string, replace = false): Promise<void> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, PATIENCE_MS))
  const navigate = await Promise.race([loadRouter().catch(() => undefined), late])
  if (navigate) navigate(path, { replace })
  else history[replace ? 'replaceState' : 'pushState'](null, '', basePath() + path)
  show()
}

/** The path that shows, without that of a preview in front. */
export function usePath(): string {
  const [path, setPath] = useState(routePath)
  useEffect(() => {
    // Also back to an entry from before a reload, without the router.
    addEventListener('popstate', show)
    return moves.subscribe((moved) => startTransition(() => setPath(moved.path)))
  }, [])
  return path
}
