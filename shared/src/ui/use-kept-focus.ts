import { type RefObject, useLayoutEffect, useRef } from 'react'

/**
 * Returns the ref of an element. Where it leaves the page with the focus in it,
 * the page's heading gets the focus, so that screen readers and keyboards keep
 * their place.
 */
export function useKeptFocus<T extends HTMLElement>(): RefObject<T | null> {
  const element = useRef<T>(null)
  useLayoutEffect(() => {
    const shown = element.current
    return () => {
      if (shown?.contains(document.activeElement))
        document.querySelector<HTMLElement>('h1[tabindex]')?.focus({ preventScroll: true })
    }
  }, [])
  return element
}
