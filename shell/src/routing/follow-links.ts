import type { Host } from '@anniversary/shared/contract/host'

/** A path of the app: no file, no query, no other site. */
const APP_PATH = /^\/(?!\/)[^.?#\\]*$/

/** Follows links inside the app without a page load, so that a page's link is a plain `<a href>`. Returns what ends it. */
export function followLinks(navigate: Host['navigate']): () => void {
  const follow = (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]:not([target])') : null
    const path = link?.getAttribute('href')
    const isPlain = event.button === 0 && !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey)
    if (!path || !isPlain || event.defaultPrevented || !APP_PATH.test(path)) return
    event.preventDefault()
    navigate(path as `/${string}`) // the pattern says so
  }
  document.addEventListener('click', follow)
  return () => document.removeEventListener('click', follow)
}
