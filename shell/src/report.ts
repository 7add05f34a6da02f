import type { Composition } from '@anniversary/shared/contract/composition'
import type { Report, ReportPhase } from '@anniversary/shared/contract/report'
import { isLoadError } from './federation/load-error.ts'
import { folderOf, type PublishedFolder } from './federation/published-folders.ts'
import type { FailedAttempt } from './federation/remote-loader.ts'
import type { RemoteRoute } from './routing/route-table.ts'

/** What fails over and over says nothing new. */
const MOST_A_PAGE = 50
const LONGEST_MESSAGE = 500

interface Failure {
  readonly name: string
  readonly version: string
  readonly phase: ReportPhase
  readonly message: string
  readonly more?: Partial<Pick<Report, 'remote.expose' | 'remote.next' | 'remote.duration'>>
}

let send: (failure: Failure, cause?: unknown) => void = () => undefined

/**
 * Where failures are told: to the configured address, or without one (development) to the console.
 * @param url receives each report as JSON by `sendBeacon`
 */
export function configureReports(url: string | undefined, { number }: Composition): void {
  let left = MOST_A_PAGE
  send = ({ name, version, phase, message, more }, cause) => {
    if (left-- <= 0) return
    if (!url) {
      // biome-ignore lint/suspicious/noConsole: the specification logs crashes to the console (section 8)
      console.error(`[${name} ${version}] ${phase}: ${message}`, cause ?? '')
      return
    }
    const report: Report = {
      'event.name': 'remote.failure',
      'remote.name': name,
      'remote.version': version,
      'remote.phase': phase,
      ...more,
      'composition.number': number,
      'exception.message': message.slice(0, LONGEST_MESSAGE),
      'url.path': location.pathname.slice(0, 200),
    }
    // As text: JSON to another origin would need a preflight, which a page that is going cannot wait for.
    navigator.sendBeacon(url, JSON.stringify(report))
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
/** Only a RemoteLoadError knows its phase. */
const phaseOf = <P extends ReportPhase>(error: unknown, otherwise: P) =>
  isLoadError(error) ? error.phase : otherwise

export function reportAttempt({ remote, expose, version, duration, error, next }: FailedAttempt): void {
  const more = { 'remote.expose': expose, 'remote.duration': duration, 'remote.next': next }
  send({ name: remote, version, phase: phaseOf(error, 'expose'), message: messageOf(error), more }, error)
}

export function reportCrash({ remote, expose }: RemoteRoute, version: string, error: unknown): void {
  const more = { 'remote.expose': expose, 'remote.next': 'none' as const }
  send({ name: remote, version, phase: phaseOf(error, 'render'), message: messageOf(error), more }, error)
}

/**
 * Reports what the page itself does not see: lazy chunks that a package lost, and what the page's policy blocked.
 * @param shown URL of a file of the remote whose page shows, for what nobody's code is named for; empty: none shows
 * @returns reports what a page threw while it was taken away
 */
export function watchPage(
  folders: readonly PublishedFolder[],
  shown: () => string,
): (error: unknown) => void {
  const from = (urls: readonly string[], phase: ReportPhase, message: string, cause?: unknown) => {
    const [folder] = urls.flatMap((url) => folderOf(folders, url) ?? [])
    send({ name: folder?.name ?? 'page', version: folder?.version ?? '', phase, message }, cause)
  }
  // The event of our own builds (rspack.base.js).
  addEventListener('chunklost', (event) => {
    const [folder, error] = (event as CustomEvent<[folder: string, error: unknown]>).detail
    from([folder], 'chunk', messageOf(error), error)
  })
  document.addEventListener('securitypolicyviolation', ({ sourceFile, effectiveDirective, blockedURI }) =>
    // Images load when no code runs any more, so none is named. What an extension does is named, and is not ours.
    from([sourceFile || shown()], 'csp', `${effectiveDirective} blocked ${blockedURI}`),
  )
  return (error) => {
    const stack = error instanceof Error ? (error.stack ?? '') : ''
    from(stack.match(/https?:[^\s)]+/g) ?? [], 'render', messageOf(error), error)
  }
}
