import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'
import { keepInput } from './loader/prerendered-page.ts'

/**
 * Renders the app into the page's root.
 * @param app gets the function that restores the member's input in the HTML
 * @param isRendered whether the root's HTML is the app's first render
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
        // biome-ignore lint/suspicious/noConsole: a defect that the smoke test of `deploy` rejects
        console.error('The page did not hydrate', error)
        onMismatch(error)
      },
    })
  const root = createRoot(element)
  flushSync(() => root.render(node))
  return root
}
