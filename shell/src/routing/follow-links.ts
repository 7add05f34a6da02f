import type { Host } from '@anniversary/shared/contract/host'
import { basePath } from '../loader/base-path.ts'

/** A path of the app: no file, no query, no other site. */
const APP_PATH = /^\/(?!\/)[^.?#\\]*$/

/** The app's path of an element's link: prerendered links of a preview have its folder in front. */
export function pathOfLink(link: Element): string {
  const [href, base] = [link.getAttribute('href') ?? '', basePath()]
  return href.startsWith(`${base}/`) ? href.slice(base.length) : href
}

/**
 * Follows links inside the app without a page load. It listens on the document, so a page's link is a plain `<a href>`,
 * which works before the code is there too. A new tab, another target and a handled click stay as they are.
 * @returns a function that ends it
 */
export function followLinks(navigate: Host['navigate']): () => void {
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]:not([target])') : null
    const path = link && pathOfLink(link)
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    // The banner of a preview leads out of the app.
    if (!path || !isPlain || event.defaultPrevented || link.closest('#preview') || !APP_PATH.test(path))
      return
    event.preventDefault()
    navigate(path as `/${string}`) // the pattern says so
  }
  document.addEventListener('click', follow)
  return () => document.removeEventListener('click', follow)
}
