import { isPlainClick } from './plain-click.ts'

/**
 * A new document that has not come by now is not coming, such as a download.
 */
const LONGEST_LEAVE_MS = 20_000

let leftAt = Number.NEGATIVE_INFINITY
const whenStayed: (() => void)[] = []

/** Before the shell goes to another document: iOS has no `beforeunload`. */
export function leave(): void {
  leftAt = performance.now()
}

/** A click on a link to another document. */
function onClick(click: MouseEvent): void {
  const { target, defaultPrevented } = click
  if (defaultPrevented || !(target instanceof Element)) return
  const link = target.closest('a')
  if (!link || link.target === '_blank' || link.download !== '') return
  const [page] = location.href.split('#')
  if (!isPlainClick(click) || link.href.startsWith(`${page}#`)) return
  leave()
}

export function reloadPage(): void {
  leave()
  location.reload()
}

/** Maybe from the back-forward cache. */
function stay(): void {
  leftAt = Number.NEGATIVE_INFINITY
  for (const resolve of whenStayed.splice(0)) resolve()
}

addEventListener('beforeunload', leave)
addEventListener('pagehide', leave)
addEventListener('pageshow', stay)
// After the page's own handlers, of which the router prevents what it handles.
addEventListener('click', onClick)

/**
 * True while the page is being left. Browsers then abort its calls, which is no
 * failure.
 */
export const isPageLeaving = (): boolean => performance.now() - leftAt < LONGEST_LEAVE_MS

/** Resolves when the page has not been left after all, or is shown again. */
export function whenStaying(): Promise<void> {
  return new Promise((resolve) => {
    whenStayed.push(resolve)
    setTimeout(resolve, LONGEST_LEAVE_MS)
  })
}
