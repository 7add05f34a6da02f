/**
 * jsdom has `<dialog>` without `showModal`. This adds what the ui relies on:
 * the `open` attribute, the focus on `autofocus` or else on the first control,
 * the `close` event, and Escape as a cancelable `cancel` event on the dialog
 * opened last.
 */
const opened: HTMLDialogElement[] = []

/** jsdom has no layout, so this reports one resize. */
class ObserverAtOnce {
  readonly #notify: () => void
  constructor(notify: () => void) {
    this.#notify = notify
  }
  observe = () => this.#notify()
  disconnect = () => undefined
}

export function installDialog(): void {
  Object.assign(globalThis, { ResizeObserver: ObserverAtOnce })
  const proto = HTMLDialogElement.prototype
  if ('showModal' in proto) return
  Object.assign(proto, {
    showModal(this: HTMLDialogElement) {
      if (this.open) throw new DOMException('already open', 'InvalidStateError')
      this.open = true
      opened.push(this)
      const start =
        this.querySelector<HTMLElement>('[autofocus]') ?? this.querySelector('button, input')
      start?.focus()
    },
    close(this: HTMLDialogElement) {
      if (!this.open) return
      this.open = false
      opened.splice(opened.indexOf(this), 1)
      setTimeout(() => this.dispatchEvent(new Event('close')))
    },
  })
  document.addEventListener('keydown', (event) => {
    const top = opened.at(-1)
    if (event.key !== 'Escape' || event.defaultPrevented || !top) return
    if (top.dispatchEvent(new Event('cancel', { cancelable: true }))) top.close()
  })
}
