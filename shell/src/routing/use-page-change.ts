import { VIEW_MARK } from '@anniversary/shared/contract/page-names'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { closeRules } from '../rules/RulesPopup.tsx'
import { texts } from '../texts.ts'

/** Gives a page's heading the focus, so that screen readers say where one is; `main` until the page is there. */
export const focusPage = (): void =>
  (document.querySelector<HTMLElement>('main h1[tabindex]') ?? document.querySelector('main'))?.focus({
    preventScroll: true,
  })

/**
 * Does for a move what a page load does by itself: the title, the top of the page, the focus on the content, no popup.
 * @param isMove false for the page that was loaded, whose focus and place are the member's
 */
export function usePageChange(path: string, title: string | undefined, isMove: boolean): void {
  const shown = useRef(isMove ? undefined : path)
  // Before the page's own mark that it works; jsdom has no marks.
  useLayoutEffect(() => void performance.mark?.(VIEW_MARK, { detail: path }), [path])
  useEffect(() => {
    document.title = title ? `${title} · ${texts.siteName}` : texts.siteName
  }, [title])
  useEffect(() => {
    if (shown.current === path) return
    shown.current = path
    closeRules()
    // A scroll lock that a remote has left would hold all pages after it.
    document.body.removeAttribute('style')
    window.scrollTo(0, 0)
    focusPage()
  }, [path])
}
