import { NO_CODE_CLASS } from '@anniversary/shared/contract/page-names'

/** A prerendered page starts at most this many milliseconds after its activation. */
const START_WITHIN = 1000

/**
 * Resolves when the page is activated and painted. A browser may prerender it (Speculation Rules), and nothing may be counted
 * then. An app that starts before the paint would delay it.
 */
export async function activated(): Promise<void> {
  // Chromium's; not in TypeScript's DOM library.
  const { prerendering } = document as { prerendering?: boolean }
  if (!prerendering) return
  // The code has loaded; the timer of that message started with the prerendering (layout/base.css).
  document.querySelector(`.${NO_CODE_CLASS}`)?.remove()
  await new Promise<void>((resolve) => {
    new PerformanceObserver(() => resolve()).observe({ type: 'paint' })
    document.addEventListener('prerenderingchange', () => setTimeout(resolve, START_WITHIN), {
      once: true,
    })
  })
}
