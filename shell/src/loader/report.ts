import type { Report, ReportPhase } from '@anniversary/shared/contract/report'
import { folderOf, type PublishedFolder } from './published-folders.ts'

/** Limit for one page: repeated failures add nothing new. */
const MAX_REPORTS = 50
const MAX_MESSAGE_LENGTH = 500

/** One failed attempt to load a page, or the failure of a page that had loaded. */
export interface RemoteFailure {
  readonly remote: string
  readonly expose: string
  readonly version: string
  readonly phase: ReportPhase
  readonly error: unknown
  /** What the loader does about it: the same release again, the other one, or nothing more. */
  readonly next: NonNullable<Report['remote.next']>
  /** Milliseconds from the attempt's start. */
  readonly duration?: number
}

export interface ReportOptions {
  /** Receives each report as JSON by `sendBeacon`; without one (development) reports go to the console. */
  readonly url: string | undefined
  readonly compositionNumber: number
  /** As far as they are known. */
  folders(): readonly PublishedFolder[]
}

export interface Reports {
  remoteFailure(failure: RemoteFailure): void
  /**
   * A failure whose package is known by a URL of its code.
   * @param urls the first one inside a published folder counts; none: the report names `page`
   */
  codeFailure(urls: readonly string[], phase: ReportPhase, error: unknown): void
}

export function createReports({ url, compositionNumber, folders }: ReportOptions): Reports {
  let left = MAX_REPORTS
  type Details = Pick<Report, 'remote.name' | 'remote.version' | 'remote.phase'> & Partial<Report>

  const send = (details: Details, error: unknown) => {
    if (left-- <= 0) return
    const message = messageOf(error)
    if (!url) {
      const { 'remote.name': name, 'remote.version': version, 'remote.phase': phase } = details
      // biome-ignore lint/suspicious/noConsole: the specification logs crashes to the console (section 8)
      console.error(`[${name} ${version}] ${phase}: ${message}`, error instanceof Error ? error : '')
      return
    }
    const report: Report = {
      'event.name': 'remote.failure',
      ...details,
      'composition.number': compositionNumber,
      'exception.message': message.slice(0, MAX_MESSAGE_LENGTH),
      'url.path': location.pathname.slice(0, 200),
    }
    // As text: JSON to another origin would need a preflight, which a page that is going cannot wait for.
    navigator.sendBeacon(url, JSON.stringify(report))
  }

  return {
    remoteFailure({ remote, expose, version, phase, error, next, duration }) {
      const details: Details = {
        'remote.name': remote,
        'remote.version': version,
        'remote.expose': expose,
        'remote.phase': phase,
        'remote.next': next,
      }
      send(duration === undefined ? details : { ...details, 'remote.duration': duration }, error)
    },
    codeFailure(urls, phase, error) {
      const [folder] = urls.flatMap((found) => folderOf(folders(), found) ?? [])
      const { name = 'page', version = '' } = folder ?? {}
      send({ 'remote.name': name, 'remote.version': version, 'remote.phase': phase }, error)
    },
  }
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
