import { type ComponentProps, useLayoutEffect, useRef } from 'react'
import { Button } from './Button.tsx'

/**
 * Is shown until a retry has succeeded. The page's heading then gets the focus
 * that it had, so that screen readers and keyboards keep their place.
 */
export function RetryButton(props: Extract<ComponentProps<typeof Button>, { href?: undefined }>) {
  const button = useRef<HTMLButtonElement>(null)
  useLayoutEffect(() => {
    const shown = button.current
    return () => {
      if (document.activeElement === shown)
        document.querySelector<HTMLElement>('h1[tabindex]')?.focus({ preventScroll: true })
    }
  }, [])
  return <Button variant="secondary" {...props} ref={button} />
}
