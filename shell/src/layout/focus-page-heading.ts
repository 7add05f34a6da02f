/**
 * Focuses the page's heading, so that screen readers announce the page, or
 * `main` until the page has rendered.
 */
export function focusPageHeading(): void {
  const heading = document.querySelector<HTMLElement>('main h1[tabindex]')
  const target = heading ?? document.querySelector('main')
  target?.focus({ preventScroll: true })
}
