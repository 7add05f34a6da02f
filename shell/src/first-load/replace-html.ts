import { ATTRIBUTES, IDS, LATE_CODE_CLASS } from '@anniversary/shared/contract/page-names'
import { PRERENDERED } from '@anniversary/shared/contract/prerendered'

/*
 * How the app replaces the HTML that `deploy` put into the root, with what
 * first-script.ts kept.
 *
 * States:
 * - waiting: the HTML shows. Clicks are held back, typed text stays in the
 *   fields.
 * - rendered: from `begin`, right before the app renders. Focus, input and click
 *   are saved.
 * - released: from `release`, when no HTML of a remote shows any more. Clicks
 *   pass; the saved input waits for the page's code.
 * - over: from `finish`, when the page's code runs and has got the saved input,
 *   or from `leave`, when it is left before.
 */

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLButtonElement

const controlsIn = (page: HTMLElement): Control[] => [
  ...page.querySelectorAll<Control>('main :is(input, textarea, button)'),
]

const root = (): HTMLElement | null => document.getElementById(IDS.appRoot)

/**
 * Entry of the release that rendered the page's HTML; empty for the host; null
 * if no such HTML shows.
 */
const renderedBy = (): string | null => root()?.getAttribute(PRERENDERED) ?? null

function release(): void {
  root()?.removeAttribute(PRERENDERED)
  document.querySelector(`.${LATE_CODE_CLASS}`)?.remove()
}

const nothing = () => undefined
let restoreInput: () => void = nothing

export const firstPageTakeover = {
  renderedBy,
  begin(): void {
    const page = root()
    if (!page || renderedBy() === null) return
    const focused = document.activeElement
    const controls = controlsIn(page)
    restoreInput = () => restore(page, controls, focused)
  },
  release,
  finish(): void {
    release()
    const restoreOnce = restoreInput
    restoreInput = nothing
    restoreOnce()
  },
  leave(): void {
    release()
    restoreInput = nothing
  },
}

/**
 * Gives the page's controls what the member did in the HTML: fields fire
 * `input` for typed text, and the saved click happens. Elements that replaced
 * others get their text, focus and click.
 */
function restore(page: HTMLElement, controls: readonly Control[], focused: Element | null): void {
  const now = controlsIn(page)
  const inUse = now.find((control) => control === document.activeElement)
  const inPlaceOf = (control: Control, ...keys: ('type' | 'id' | 'className')[]) => {
    const isLike = (other: Control) => keys.every((key) => other[key] === control[key])
    return now.filter(isLike)[controls.filter(isLike).indexOf(control)]
  }
  /**
   * The control that is now in this one's place among those like it: of its
   * class, if there is one, because extensions add controls without a class,
   * and another release may have other classes.
   */
  const successorOf = (control: Control) => {
    if (control.isConnected) return control
    return inPlaceOf(control, 'type', 'id', 'className') ?? inPlaceOf(control, 'type', 'id')
  }

  const field = inUse ?? controls.find((control) => control === focused)
  const [start, end] =
    field && isField(field) ? [field.selectionStart, field.selectionEnd] : [null, null]
  for (const control of controls) if (isField(control)) replayInput(control, successorOf(control))
  const again = field && successorOf(field)
  if (again && again !== document.activeElement) {
    again.focus()
    if (isField(again) && start !== null) again.setSelectionRange(start, end)
  }
  const pressed = controls.find((control) => control.hasAttribute(ATTRIBUTES.pressedButton))
  pressed?.removeAttribute(ATTRIBUTES.pressedButton)
  if (pressed) successorOf(pressed)?.click()
}

const isField = (control: Control): control is HTMLInputElement | HTMLTextAreaElement =>
  !(control instanceof HTMLButtonElement)

function replayInput(from: Control, to: Control | undefined): void {
  if (!to || !isField(from) || !isField(to)) return
  const { value } = from
  if (from instanceof HTMLInputElement && to instanceof HTMLInputElement) to.checked = from.checked
  if (value === to.defaultValue) return
  if (to !== from) to.value = value
  to.dispatchEvent(new Event('input', { bubbles: true }))
}
