import { texts } from '../texts.ts'
import { createElement } from './dom.ts'

const LOOK_EVERY_MS = 200

/**
 * A page without a background of its own gets an opaque one where the colour scheme around it differs
 * (https://drafts.csswg.org/css-color-adjust-1/#color-scheme-effect). WebKit paints an empty object white then, so the
 * scheme waits until the page has begun. No event says so: `load` waits for the last picture.
 */
function onceBegun(object: HTMLObjectElement, begun: () => void): void {
  const timer = setInterval(() => {
    // Null once it is a page of another origin.
    if (object.isConnected && object.contentDocument?.URL === 'about:blank') return
    clearInterval(timer)
    object.style.colorScheme = 'dark'
    begun()
  }, LOOK_EVERY_MS)
}

/**
 * What the specification asks for after the time-out: embedded objects, and the message, in the middle until the object
 * shows something. The browser shows `<embed>` where `<object>` fails.
 */
export function createFallback(
  url: string,
  title: string,
  open: HTMLElement,
  retry: () => void,
): HTMLElement {
  const again = createElement('button', { class: 'retry', type: 'button' }, texts.retry)
  again.onclick = retry
  const message = createElement(
    'div',
    { class: 'message', role: 'alert' },
    createElement('p', {}, texts.unsupported),
    open,
    again,
  )
  const box = createElement('div', { class: 'fallback' }, message)
  try {
    const embed = createElement('embed', { class: 'embed', type: 'text/html', title, src: url })
    const object = createElement(
      'object',
      { class: 'object', type: 'text/html', title, data: url },
      embed,
    )
    box.append(object)
    // A strip above it then.
    onceBegun(object, () => message.setAttribute('part', 'strip'))
  } catch {
    // The page requires Trusted Types and its default policy refuses: the message and the link to a new tab remain.
  }
  return box
}
