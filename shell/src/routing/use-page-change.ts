import { useEffect, useLayoutEffect, useRef } from 'react'
import { useLocation } from 'react-router-dom'
import { closeRules } from '../rules/RulesPopup.tsx'
import { texts } from '../texts.ts'

/** Gives a page's heading the focus, so that screen readers say where one is; `main` until the page is there. */
export const focusPage = (): void =>
  (document.querySelector<HTMLElement>('main h1[tabindex]') ?? document.querySelector('main'))?.focus({
    preventScroll: true,
  })

/** Makes a client-side move feel like a page load: its title, the top of the page, focus on the content, no popup. */
export function usePageChange(title: string | undefined): void {
  const { pathname } = useLocation()
  const shown = useRef(pathname)
  // Before the page's own mark that it works; jsdom has no marks.
  useLayoutEffect(() => void performance.mark?.('view', { detail: pathname }), [pathname])
  useEffect(() => {
    document.title = title ? `${title} · ${texts.siteName}` : texts.siteName
  }, [title])
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    closeRules()
    window.scrollTo(0, 0)
    focusPage()
  }, [pathname])
}
