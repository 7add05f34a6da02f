import { ATTRIBUTES, IDS } from '@anniversary/shared/contract/page-names'
import { PRERENDERED } from '@anniversary/shared/contract/prerendered'

/* How code takes over the page that `deploy` has put into the root, and what ../first-script.ts has kept. */

const root = (): HTMLElement | null => document.getElementById(IDS.root)

/** Entry of the release that has rendered the page; empty: the host. Null: nothing is prerendered, or not any more. */
export const renderedBy = (): string | null => root()?.getAttribute(PRERENDERED) ?? null

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLButtonElement

const controlsIn = (page: HTMLElement): Control[] => [
  ...page.querySelectorAll<Control>('main :is(input, textarea, button)'),
]

/** Stops holding presses: nothing prerendered shows any more. What was typed waits for the page. */
export const releasePresses = (): void => root()?.removeAttribute(PRERENDERED)

/**
 * Keeps focus, input and press of the page's HTML. Call it right before the app renders.
 * @returns gives them back, once, when the page's code is there: fields announce what was typed, and the press that was kept
 * happens. Elements that replaced others get their text, focus and press.
 */
export function keepInput(): () => void {
  const page = root()
  if (!page || renderedBy() === null) return () => undefined
  const focused = document.activeElement
  let controls = controlsIn(page)
  return () => {
    restore(page, controls, focused)
    controls = []
  }
}

function restore(page: HTMLElement, controls: readonly Control[], focused: Element | null): void {
  const now = controlsIn(page)
  /** The member may have gone on since; an element that was replaced has lost the focus. */
  const inUse = now.find((control) => control === document.activeElement)
  const inPlaceOf = (control: Control, ...keys: ('type' | 'id' | 'className')[]) => {
    const isLike = (other: Control) => keys.every((key) => other[key] === control[key])
    return now.filter(isLike)[controls.filter(isLike).indexOf(control)]
  }
  /**
   * The control that is now in this one's place: itself, or the one in its place among those like it. Of its class, if
   * there is one: extensions of browsers add controls without, and another release may have other classes.
   */
  const successorOf = (control: Control) =>
    control.isConnected
      ? control
      : (inPlaceOf(control, 'type', 'id', 'className') ?? inPlaceOf(control, 'type', 'id'))

  const field = inUse ?? controls.find((control) => control === focused)
  const [start, end] = field && isField(field) ? [field.selectionStart, field.selectionEnd] : [null, null]
  for (const control of controls) if (isField(control)) tell(control, successorOf(control))
  const again = field && successorOf(field)
  if (again && again !== document.activeElement) {
    again.focus()
    if (isField(again) && start !== null) again.setSelectionRange(start, end)
  }
  const pressed = controls.find((control) => control.hasAttribute(ATTRIBUTES.pressed))
  pressed?.removeAttribute(ATTRIBUTES.pressed)
  if (pressed) successorOf(pressed)?.click()
}

const isField = (control: Control): control is HTMLInputElement | HTMLTextAreaElement =>
  !(control instanceof HTMLButtonElement)

function tell(from: Control, to: Control | undefined): void {
  if (!to || !isField(from) || !isField(to)) return
  const { value } = from
  if (from instanceof HTMLInputElement && to instanceof HTMLInputElement) to.checked = from.checked
  if (value === to.defaultValue) return
  if (to !== from) to.value = value
  to.dispatchEvent(new Event('input', { bubbles: true }))
}
