import { VIEW_MARK } from '@anniversary/shared/contract/page-signals'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { closeRules } from '../rules/RulesPopup.tsx'
import { texts } from '../texts.ts'

/** Gives a page's heading the focus, so that screen readers say where one is; `main` until the page is there. */
export const focusPage = (): void =>
  (document.querySelector<HTMLElement>('main h1[tabindex]') ?? document.querySelector('main'))?.focus({
    preventScroll: true,
  })

/** Makes a client-side move feel like a page load: its title, the top of the page, focus on the content, no popup. */
export function usePageChange(path: string, title: string | undefined): void {
  const shown = useRef(path)
  // Before the page's own mark that it works; jsdom has no marks.
  useLayoutEffect(() => void performance.mark?.(VIEW_MARK, { detail: path }), [path])
  useEffect(() => {
    document.title = title ? `${title} · ${texts.siteName}` : texts.siteName
  }, [title])
  useEffect(() => {
    if (shown.current === path) return
    shown.current = path
    closeRules()
    window.scrollTo(0, 0)
    focusPage()
  }, [path])
}
