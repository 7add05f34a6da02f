export const focusMain = () => document.querySelector('main')?.focus({ preventScroll: true })

/**
 * Focuses the page's heading, so that screen readers announce the page, or
 * `main` until the page has rendered.
 */
export function focusPageHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1[tabindex]')
  if (heading) heading.focus({ preventScroll: true })
  else focusMain()
}
