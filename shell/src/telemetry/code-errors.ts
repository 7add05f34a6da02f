import { errorMessage } from '@anniversary/shared/error-message'
import { routePath } from '../loader/base-path.ts'
import type { CodeFailure } from '../loader/code-failures.ts'
import type { Loader } from '../loader/loader.ts'
import { type SendReport, UNKNOWN } from '../loader/report.ts'
import { sessionStore } from '../session/session-store.ts'
import type { collectViews } from './views.ts'

/**
 * Limit of errors that one page reports; later ones mostly follow from these.
 */
const MOST = 5
const MOST_FRAMES = 10
/**
 * `at fn (https://host/path:1:2)` of Chromium, `fn@https://host/path:1:2` of
 * the others; a query is left out. Extensions and apps have schemes of their
 * own.
 */
const FRAME =
  /(?:at )?(?:([^\s(@]*)[ (@]+)?([a-z][a-z-]*:\/\/[^\s/]*)(\/[^\s?#:]*)[^\s:]*:(\d+:\d+)/

/**
 * Failures that any code in the page can cause, also that of extensions and of
 * the apps around a web view.
 */
export const FROM_ANYWHERE: ReadonlySet<string> = new Set(['error', 'rejection'])

/**
 * Returns a function that reports a failure with its package and stack. What
 * names none of our files is the page's.
 */
export function reportCodeErrors(
  { ownerOf }: Pick<Loader['composition'], 'ownerOf'>,
  send: SendReport,
  views: Pick<ReturnType<typeof collectViews>, 'ownerAt' | 'threw'>,
) {
  const reported = new Set<string>()

  return ({ source, ...failure }: CodeFailure): void => {
    const { phase, error } = failure
    const all = framesOf(error)
    const frames = all.filter(({ url }) => ownerOf(url))
    // The code that threw, even if ours called it: an extension may have
    // replaced a function of the browser.
    const thrower = all[0]?.url ?? source
    const known = failure.owner ?? ownerOf(thrower ?? '')
    const isForeign = !known && Boolean(thrower)
    if (isForeign && phase !== 'csp') return
    const isUnnamed = isForeign || FROM_ANYWHERE.has(phase)
    const owner = known ?? (isUnnamed ? UNKNOWN : views.ownerAt(routePath()))
    if (owner !== UNKNOWN) views.threw(owner)
    const stack = frames.map(({ at }) => at).join('\n')
    // Without the phase, because a failed chunk also rejects its import().
    const text = `${errorMessage(error)}\n${stack}`
    if (reported.has(text) || reported.size >= MOST) return
    reported.add(text)
    send(
      { ...failure, owner },
      {
        'exception.message': withoutMember(errorMessage(error)),
        ...(stack && { 'exception.stacktrace': stack.slice(0, 2000) }),
      },
    )
  }
}

function framesOf(error: unknown): readonly { readonly url: string; readonly at: string }[] {
  if (!(error instanceof Error)) return []
  const { stack = '' } = error
  return stack
    .split('\n')
    .flatMap((line) => {
      const [, name, origin, path, position] = FRAME.exec(line) ?? []
      if (!path) return []
      return [{ url: `${origin}${path}`, at: `${name || '?'} ${path}:${position}` }]
    })
    .slice(0, MOST_FRAMES)
}

/**
 * Removes what may be personal from a message: secrets, field values, quoted
 * texts, queries, longer numbers.
 */
function withoutMember(message: string): string {
  const secrets: string[] = Object.values(sessionStore.getState().session ?? {})
  const fields = document.querySelectorAll<HTMLInputElement>('input, textarea')
  return [...secrets, ...[...fields].map(({ value }) => value)]
    .filter((value) => value.length > 2)
    .reduce((text, value) => text.replaceAll(value, '…'), message)
    .replace(/"[^"]*"/g, '"…"')
    .replace(/\?[^\s)'"]+/g, '')
    .replace(/\d{4,}/g, '#')
    .slice(0, 500)
}
