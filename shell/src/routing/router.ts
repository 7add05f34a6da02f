import { startTransition, useEffect, useState } from 'react'
import { basePath, routePath } from '../loader/base-path.ts'

export function move(path: string, replace = false): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', basePath() + path)
  dispatchEvent(new PopStateEvent('popstate'))
}

/** The path that shows, without that of a preview in front. */
export function usePath(): string {
  const [path, setPath] = useState(routePath)
  useEffect(() => {
    const show = () => startTransition(() => setPath(routePath()))
    // The first page's own effect may have moved on.
    show()
    addEventListener('popstate', show)
    return () => removeEventListener('popstate', show)
  }, [])
  return path
}
