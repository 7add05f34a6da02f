import { NO_CODE_CLASS } from '@anniversary/shared/contract/page-names'

/** A page that was rendered before the press starts so many milliseconds after it, also where no paint is told. */
const START_WITHIN = 1000

/**
 * Resolves when somebody looks at the page and its HTML is painted: a browser may render it before (Speculation Rules), where
 * nothing may count. An app that starts with the press would keep waiting the threads that draw the frame.
 */
export async function activated(): Promise<void> {
  // Chromium's; not in TypeScript's DOM library.
  const { prerendering } = document as { prerendering?: boolean }
  if (!prerendering) return
  // The code has come, and the message that it has not counts from the prerendering (layout/base.css).
  document.querySelector(`.${NO_CODE_CLASS}`)?.remove()
  await new Promise<void>((resolve) => {
    new PerformanceObserver(() => resolve()).observe({ type: 'paint' })
    document.addEventListener('prerenderingchange', () => setTimeout(resolve, START_WITHIN), { once: true })
  })
}
