import { PRERENDERED } from '@anniversary/shared/contract/prerendered'

/*
 * The page that `deploy` has put into the root, from its first moment until its code takes over. The `core` script starts
 * this, the host ends it; the two are builds of their own, so what they both know is in the document.
 */

/** Set on the root when the page has its styles; it is hidden before (layout/base.css). */
const STYLED = 'data-styled'
/** Set on the button that was pressed last. */
const PRESSED = 'data-pressed'
const WAITING = `[${PRERENDERED}]`

const root = (): HTMLElement | null => document.getElementById('root')

/** Entry of the release that has rendered the page; empty: the host. Null: nothing is prerendered, or not any more. */
export const renderedBy = (): string | null => root()?.getAttribute(PRERENDERED) ?? null

/** Whether a member sees the page and can use it. */
export const isShown = (): boolean => root()?.hasAttribute(STYLED) ?? false

/**
 * Shows the page once its styles have arrived, and keeps what a member does on it: typed text stays in its fields, which
 * the page reads (`shared/ui/use-typed-before`); of the pressed buttons the last one waits for `takeOver`.
 */
export function showPrerendered(styles: readonly { readonly url: string }[]): void {
  const element = root()
  if (!element) return
  const urls = styles.map(({ url }) => new URL(url, location.href).href)
  const show = () => {
    const arrived = [...document.styleSheets].map(({ href }) => href ?? '')
    if (!urls.every((url) => arrived.some((href) => href.startsWith(url)))) return
    element.setAttribute(STYLED, '')
    document.head.removeEventListener('load', show, true)
  }
  // Of style sheets that the loader adds; `load` does not bubble.
  document.head.addEventListener('load', show, true)
  show()
  document.addEventListener('click', keepPress, true)
  document.addEventListener('submit', keepPress, true)
  document.addEventListener('input', moveOn)
}

/** Enter in a field presses its form's button, so forms need nothing of their own. */
function keepPress(event: Event): void {
  if (!(event.target instanceof Element) || !event.target.closest(WAITING)) return
  const button = event.target.closest('button')
  if (!button && event.type === 'click') return
  event.preventDefault()
  event.stopImmediatePropagation()
  root()?.querySelector(`[${PRESSED}]`)?.removeAttribute(PRESSED)
  button?.setAttribute(PRESSED, '')
}

/** In a row of boxes for one character each, a filled box hands the focus on. */
function moveOn({ target }: Event): void {
  if (!(target instanceof HTMLInputElement) || !target.closest(`${WAITING} [data-boxes]`)) return
  const next = target.nextElementSibling
  if (target.value.length === 1 && next instanceof HTMLInputElement) next.focus()
}

/** The page's code is there: what was pressed happens now, once. */
export function takeOver(): void {
  const element = root()
  if (renderedBy() === null || !element) return
  const pressed = element.querySelector<HTMLElement>(`[${PRESSED}]`)
  element.removeAttribute(PRERENDERED)
  element.removeAttribute(STYLED)
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
