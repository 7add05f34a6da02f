import type { Report, ReportPhase } from '@anniversary/shared/contract/report'

/** Limit for one page: repeated failures add nothing new. */
const MAX_REPORTS = 50
const MAX_MESSAGE_LENGTH = 500

/** One failed attempt to load a page, or the failure of a page that had loaded. */
export interface RemoteFailure {
  readonly remote: string
  readonly version: string
  readonly phase: ReportPhase
  readonly error: unknown
  /** What the loader does about it: the same release again, the other one, or nothing more. */
  readonly next: NonNullable<Report['remote.next']>
}

export interface ReportOptions {
  /** Receives each report as JSON by `sendBeacon`; without one (development) reports go to the console. */
  readonly url: string | undefined
  readonly compositionNumber: number
}

export type ReportDetails = Pick<Report, 'remote.name' | 'remote.version' | 'remote.phase'> & Partial<Report>

/** Sends a report. Its message is the error's, unless the details have one. */
export type SendReport = (details: ReportDetails, error: unknown) => void

export function createReports({ url, compositionNumber }: ReportOptions): SendReport {
  let left = MAX_REPORTS
  return (details, error) => {
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
      'composition.number': compositionNumber,
      'exception.message': message.slice(0, MAX_MESSAGE_LENGTH),
      'url.path': location.pathname.slice(0, 200),
      ...details,
    }
    // As text: JSON to another origin would need a preflight, which a page that is going cannot wait for.
    navigator.sendBeacon(url, JSON.stringify(report))
  }
}

export const detailsOf = ({ remote, version, phase, next }: RemoteFailure): ReportDetails => ({
  'remote.name': remote,
  'remote.version': version,
  'remote.phase': phase,
  'remote.next': next,
})

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
