import type { ReportPhase } from '@anniversary/shared/contract/report'

/** Why a page could not be loaded. What each phase means: shared/contract/report. */
export class RemoteLoadError extends Error {
  override readonly name = 'RemoteLoadError'
  readonly phase: ReportPhase

  constructor(phase: ReportPhase, message: string, options?: ErrorOptions) {
    super(message, options)
    this.phase = phase
  }
}
