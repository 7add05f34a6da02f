import type { ReactNode } from 'react'
import { hydrateRoot } from 'react-dom/client'

/**
 * Hydrates a prerendered page in one go. React hydrates the content of a Suspense boundary, here the remote's page, last,
 * unless something in it is touched: so it gets an event as of a touch.
 */
export function hydrateAtOnce(root: HTMLElement, app: ReactNode): void {
  hydrateRoot(root, app, {
    // biome-ignore lint/suspicious/noConsole: a defect, which the smoke test of `deploy` refuses
    onRecoverableError: (error) => console.error('The page did not hydrate', error),
  })
  root.querySelector('main > *')?.dispatchEvent(new Event('touchcancel', { bubbles: true }))
}
