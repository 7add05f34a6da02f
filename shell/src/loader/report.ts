import { traceId } from '@anniversary/shared/client/trace'
import type { Report, ReportPhase } from '@anniversary/shared/contract/report'
import { errorMessage } from '@anniversary/shared/error-message'

const MAX_REPORTS = 50
const MAX_MESSAGE_LENGTH = 500

export interface Owner {
  readonly name: string
  readonly version: string
}

export const UNKNOWN: Owner = { name: 'page', version: '' }

export interface Failure {
  readonly phase: ReportPhase
  readonly error: unknown
  readonly owner: Owner
  readonly next?: Report['remote.next']
}

export type SendReport = (failure: Failure, more?: Partial<Report>) => void

/**
 * @param url receives each report as JSON by `sendBeacon`; without one
 * (development) reports go to the console
 */
export function createReports(url: string | undefined, compositionNumber: number) {
  const sent: Failure[] = []
  const send: SendReport = (failure, more) => {
    if (sent.length >= MAX_REPORTS) return
    sent.push(failure)
    const { phase, error, owner, next } = failure
    const { name, version } = owner
    const message = errorMessage(error)
    if (!url) {
      // biome-ignore lint/suspicious/noConsole: the specification logs crashes to the console (section 8)
      console.error(
        `[${name} ${version}] ${phase}: ${message}`,
        error instanceof Error ? error : '',
      )
      return
    }
    const report: Report = {
      'event.name': 'remote.failure',
      'remote.name': name,
      'remote.version': version,
      'remote.phase': phase,
      'remote.next': next,
      'composition.number': compositionNumber,
      'exception.message': message.slice(0, MAX_MESSAGE_LENGTH),
      'url.path': location.pathname.slice(0, 200),
      trace_id: traceId(),
      ...more,
    }
    // As text, because JSON to another origin needs a preflight, for which a
    // closing page cannot wait. The API rejects control characters and halves
    // of characters, which a cut may leave.
    const clean = (_key: string, value: unknown) =>
      typeof value === 'string' ? value.replace(/[^\P{Cc}\n\t]|\p{Cs}/gu, ' ') : value
    navigator.sendBeacon(url, JSON.stringify(report, clean))
  }
  return { send, sent: sent as readonly Failure[] }
}
