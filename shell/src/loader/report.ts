import type { Report } from '@anniversary/shared/contract/report'
import { errorMessage } from '@anniversary/shared/error-message'

const MAX_REPORTS = 50
const MAX_MESSAGE_LENGTH = 500

export type ReportDetails = Pick<Report, 'remote.name' | 'remote.version' | 'remote.phase'> & Partial<Report>

/** Sends a report. Its message is the error's, unless the details have one. */
export type SendReport = (details: ReportDetails, error: unknown) => void

/** @param url receives each report as JSON by `sendBeacon`; without one (development) reports go to the console */
export function createReports(url: string | undefined, compositionNumber: number): SendReport {
  let left = MAX_REPORTS
  return (details, error) => {
    if (left-- <= 0) return
    const message = errorMessage(error)
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
