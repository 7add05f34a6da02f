import { errorMessage } from '@anniversary/shared/error-message'
import { routePath } from '../loader/base-path.ts'
import type { CodeFailure } from '../loader/code-failures.ts'
import type { Loader } from '../loader/loader.ts'
import { UNKNOWN } from '../loader/report.ts'
import { sessionStore } from '../session/session-store.ts'
import type { collectViews } from './views.ts'

/** Limit of errors that one page reports; later ones mostly follow from these. */
const MOST = 5
const MOST_FRAMES = 10
/** `at fn (https://host/path:1:2)` of Chromium, `fn@https://host/path:1:2` of the others; a query is left out. */
const FRAME = /(?:at )?([^\s(@]*)[ (@]*(https?:\/\/[^\s/]+)(\/[^\s?#:]*)[^\s:]*:(\d+:\d+)/

/** Returns a function that reports a failure with package and stack, or the page that shows if no code is named. */
export function reportCodeErrors(
  { ownerOf, send }: Pick<Loader, 'ownerOf' | 'send'>,
  views: Pick<ReturnType<typeof collectViews>, 'ownerAt' | 'threw'>,
) {
  const reported = new Set<string>()

  return ({ source, ...failure }: CodeFailure): void => {
    const { phase, error } = failure
    const all = framesOf(error)
    const frames = all.filter(({ url }) => ownerOf(url))
    const named = frames[0]?.url ?? source
    const known = failure.owner ?? ownerOf(named ?? '')
    // Errors of extensions are not reported.
    const isForeign = !known && (named || all.length > 0)
    if (isForeign && phase !== 'csp') return
    const owner = known ?? (isForeign ? UNKNOWN : views.ownerAt(routePath()))
    views.threw(owner)
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
  const lines = (error instanceof Error && error.stack?.split('\n')) || []
  return lines
    .flatMap((line) => {
      const [, name, origin, path, position] = FRAME.exec(line) ?? []
      return path ? [{ url: `${origin}${path}`, at: `${name || '?'} ${path}:${position}` }] : []
    })
    .slice(0, MOST_FRAMES)
}

/** Removes what may be personal from a message: secrets, field values, quoted texts, queries, longer numbers. */
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
