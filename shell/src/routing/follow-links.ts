import { ATTRIBUTES, IDS } from '@anniversary/shared/contract/page-names'
import { basePath } from '../loader/base-path.ts'

/** A path of the app: no file, no query, no other site. */
const APP_PATH = /^\/(?!\/)[^.?#\\]*$/

/** The banner of a preview leads out of the app. */
const leadsInside = (link: Element, path: string) => APP_PATH.test(path) && !link.closest(`#${IDS.preview}`)

/** The app's path of an element's link: prerendered links of a preview have its folder in front. */
function pathOfLink(link: Element): string {
  const [href, base] = [link.getAttribute('href') ?? '', basePath()]
  return href.startsWith(`${base}/`) ? href.slice(base.length) : href
}

const INTENTS = ['pointerover', 'focusin', 'touchstart'] as const

/** Calls `about` with the path of a link, or of a control with `ATTRIBUTES.path`, that is hovered, focused or touched. */
export function onIntent(about: (path: string) => void): void {
  const look = ({ target }: Event) => {
    const control = target instanceof Element && target.closest(`[${ATTRIBUTES.path}], a[href]`)
    if (!control) return
    const path = control.getAttribute(ATTRIBUTES.path) ?? pathOfLink(control)
    // A new tab, or a copied link, stays in the preview.
    if (control instanceof HTMLAnchorElement && leadsInside(control, path)) control.href = basePath() + path
    about(path)
  }
  for (const intent of INTENTS) document.addEventListener(intent, look, { passive: true })
}

/** Windows' time for a double click; phones take less. */
const DOUBLE_TAP_MS = 500
const FINGER_PX = 44

/**
 * Lets the second tap of a double tap do nothing where the first one has opened another page, whose logout may stand at that
 * place. Phones count each tap as a first one (`detail` 1), so time and place tell; keys have no place.
 */
function ignoreSecondTaps() {
  let first: { event: MouseEvent; page: string } | undefined
  return (event: MouseEvent) => {
    const page = location.pathname
    const isSecond =
      first &&
      first.page !== page &&
      event.detail > 0 &&
      event.timeStamp - first.event.timeStamp < DOUBLE_TAP_MS &&
      Math.hypot(event.clientX - first.event.clientX, event.clientY - first.event.clientY) < FINGER_PX
    if (!isSecond) {
      first = { event, page }
      return
    }
    event.preventDefault()
    event.stopPropagation()
  }
}

/**
 * Follows links inside the app without a page load. It listens on the document, so a page's link is a plain `<a href>`,
 * which works before the code is there too. A new tab, another target and a handled click stay as they are.
 * @param move returns false to leave a link to the browser
 * @returns a function that ends it
 */
export function followLinks(move: (path: string) => boolean): () => void {
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]:not([target])') : null
    const path = link && pathOfLink(link)
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    if (!path || !isPlain || event.defaultPrevented || !leadsInside(link, path)) return
    if (move(path)) event.preventDefault()
  }
  const ended = new AbortController()
  // Captured, so before the page's own buttons.
  document.addEventListener('click', ignoreSecondTaps(), { capture: true, signal: ended.signal })
  document.addEventListener('click', follow, { signal: ended.signal })
  return () => ended.abort()
}
