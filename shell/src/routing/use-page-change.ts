import { useEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'
import { routeTable } from '../route-table.ts'
import { texts } from '../texts.ts'

/** Makes a client-side move feel like a page load: its title, the top of the page, and focus on the content. */
export function usePageChange(): void {
  const { pathname } = useLocation()
  const first = useRef(true)
  useEffect(() => {
    const title = routeTable[pathname]?.title
    document.title = title ? `${title} · ${texts.siteName}` : texts.siteName
    if (first.current) {
      first.current = false
      return
    }
    window.scrollTo(0, 0)
    document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
  }, [pathname])
}
