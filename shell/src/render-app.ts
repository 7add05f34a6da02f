import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import { keepInput } from './loader/prerendered-page.ts'

/**
 * Renders the app into the page's root.
 * @param app takes what gives the member's input in the HTML back
 * @param isRendered whether its HTML is what the app renders first
 */
export function renderApp(
  element: HTMLElement,
  app: (restoreInput: () => void) => ReactNode,
  isRendered: boolean,
  onMismatch: (error: unknown) => void,
): Root {
  const node = app(keepInput())
  if (isRendered)
    return hydrateRoot(element, node, {
      onRecoverableError(error) {
        // biome-ignore lint/suspicious/noConsole: a defect, which the smoke test of `deploy` refuses
        console.error('The page did not hydrate', error)
        onMismatch(error)
      },
    })
  const root = createRoot(element)
  flushSync(() => root.render(node))
  return root
}
