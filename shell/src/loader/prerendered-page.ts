import { PRERENDERED } from '@anniversary/shared/contract/prerendered'

/*
 * How code takes over the page that `deploy` has put into the root. Until then text stays in its fields, which the page
 * reads (`shared/ui/use-typed-before`), and the page's inline script keeps the press (deploy/src/site/first-script.js).
 */

/** Set on the button that was pressed last. */
const PRESSED = 'data-pressed'

const root = (): HTMLElement | null => document.getElementById('root')

/** Entry of the release that has rendered the page; empty: the host. Null: nothing is prerendered, or not any more. */
export const renderedBy = (): string | null => root()?.getAttribute(PRERENDERED) ?? null

/** Call it when the page's code is there: the press that was kept happens now, once. */
export function takeOver(): void {
  const element = root()
  if (renderedBy() === null || !element) return
  const pressed = element.querySelector<HTMLElement>(`[${PRESSED}]`)
  element.removeAttribute(PRERENDERED)
  pressed?.removeAttribute(PRESSED)
  pressed?.click()
}

/**
 * Takes over by new elements, where another release runs than the one that has rendered the page: fields of the same id
 * get the focus and caret back, a button of the same name the press.
 * @param render replaces what is in the root at once
 */
export function replacePage(render: () => void): void {
  const focused = document.activeElement
  const caret = focused instanceof HTMLInputElement ? focused.selectionStart : null
  const pressed = root()?.querySelector(`[${PRESSED}]`)?.textContent
  render()
  takeOver()
  const again = focused?.id ? document.getElementById(focused.id) : null
  if (again instanceof HTMLInputElement) {
    again.focus()
    again.setSelectionRange(caret, caret)
  }
  if (pressed)
    [...document.querySelectorAll('button')].find(({ textContent }) => textContent === pressed)?.click()
}
