import { embedTexts } from '../texts.ts'
import { createElement, UNSTYLED_SIZE } from './dom.ts'

const LOOK_EVERY_MS = 200

/**
 * Where colour schemes differ, a page gets an opaque background
 * (https://drafts.csswg.org/css-color-adjust-1/#color-scheme-effect). WebKit
 * paints an empty object white then, so the scheme waits. `load` would wait for
 * the last picture.
 */
function onceBegun(object: HTMLObjectElement, begun: () => void): void {
  const timer = setInterval(() => {
    // While it loads, an object is empty, and without a size in Firefox. Once it
    // has failed, the element inside it shows.
    const isLoading = object.contentDocument?.URL === 'about:blank' || object.offsetHeight === 0
    const hasFailed = object.firstElementChild?.getClientRects().length !== 0
    if (object.isConnected && (isLoading || hasFailed)) return
    clearInterval(timer)
    object.style.colorScheme = 'dark'
    begun()
  }, LOOK_EVERY_MS)
}

/**
 * The specification asks for these objects. `<embed>` shows where `<object>`
 * fails.
 */
export function createFallback(
  url: string,
  title: string,
  ...controls: HTMLElement[]
): HTMLElement {
  const message = createElement(
    'div',
    { class: 'message', role: 'alert' },
    createElement('p', {}, embedTexts.unsupported),
    ...controls,
  )
  const box = createElement('div', { class: 'fallback' }, message)
  try {
    const shared = { ...UNSTYLED_SIZE, type: 'text/html', title }
    const embed = createElement('embed', { class: 'embed', ...shared, src: url })
    const object = createElement('object', { class: 'object', ...shared, data: url }, embed)
    box.append(object)
    onceBegun(object, () => message.setAttribute('part', 'strip'))
  } catch {
    // The page's Trusted Types policy refuses: the message and the link remain.
  }
  return box
}
