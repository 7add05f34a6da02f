import { isPlainClick } from '@anniversary/shared/client/plain-click'
import type { AppPath } from '@anniversary/shared/contract/host'
import { ATTRIBUTES, IDS } from '@anniversary/shared/contract/page-names'
import { basePath } from '../loader/base-path.ts'

/** A path of the app: no file, no query, no other site. */
const APP_PATH = /^\/(?!\/)[^.?#\\]*$/

/** Links of a preview's banner leave the app. */
const leadsInside = (link: Element, path: string): path is AppPath =>
  APP_PATH.test(path) && !link.closest(`#${IDS.previewBanner}`)

/** The app's path of a link, without the folder of a preview. */
function pathOfLink(link: Element): string {
  const [href, base] = [link.getAttribute('href') ?? '', basePath()]
  if (href.startsWith(`${base}/`)) return href.slice(base.length)
  return href
}

const INTENTS = ['pointerover', 'focusin', 'touchstart'] as const

/**
 * Calls `about` with the path of a link, or of a control with
 * `ATTRIBUTES.routePath`, that is hovered, focused or touched.
 */
export function onLinkIntent(about: (path: string) => void): void {
  const look = ({ target }: Event) => {
    const control =
      target instanceof Element && target.closest(`[${ATTRIBUTES.routePath}], a[href]`)
    if (!control) return
    const path = control.getAttribute(ATTRIBUTES.routePath) ?? pathOfLink(control)
    // So that a new tab or a copied link stays in the preview.
    if (control instanceof HTMLAnchorElement && leadsInside(control, path))
      control.href = basePath() + path
    about(path)
  }
  for (const intent of INTENTS) document.addEventListener(intent, look, { passive: true })
}

/**
 * Follows links inside the app without a page load. It listens on the document,
 * so a link is a plain `<a href>`, which also works before the code runs. The
 * browser handles a new tab, another target and a prevented click.
 * @param move returns false to leave a link to the browser
 * @returns a function that ends it
 */
export function followLinks(move: (path: AppPath) => boolean): () => void {
  const follow = (event: MouseEvent) => {
    if (event.defaultPrevented || !isPlainClick(event)) return
    if (!(event.target instanceof Element)) return
    const link = event.target.closest('a[href]:not([target])')
    if (!link) return
    const path = pathOfLink(link)
    if (leadsInside(link, path) && move(path)) event.preventDefault()
  }
  document.addEventListener('click', follow)
  return () => document.removeEventListener('click', follow)
}
