import { VIEW_MARK } from '@anniversary/shared/contract/page-names'
import { useEffect, useLayoutEffect, useRef } from 'react'
import { closeRules } from '../rules/RulesPopup.tsx'
import { texts } from '../texts.ts'

/** Focuses the page's heading, so that screen readers announce the page, or `main` until the page has rendered. */
export const focusPage = (): void =>
  (
    document.querySelector<HTMLElement>('main h1[tabindex]') ?? document.querySelector('main')
  )?.focus({
    preventScroll: true,
  })

/**
 * Does for a move what a page load does: sets the title, scrolls to the top, focuses the content and closes popups.
 * @param isMove false for the loaded page, whose focus and scroll position stay
 */
export function usePageChange(path: string, title: string | undefined, isMove: boolean): void {
  const shown = useRef(isMove ? undefined : path)
  // Before the page's own mark. jsdom has no marks.
  useLayoutEffect(() => void performance.mark?.(VIEW_MARK, { detail: path }), [path])
  useEffect(() => {
    document.title = title ? `${title} · ${texts.siteName}` : texts.siteName
  }, [title])
  useEffect(() => {
    if (shown.current === path) return
    shown.current = path
    closeRules()
    // A remote's scroll lock would affect all later pages.
    document.body.removeAttribute('style')
    window.scrollTo(0, 0)
    focusPage()
  }, [path])
}
