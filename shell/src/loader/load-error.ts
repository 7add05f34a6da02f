import type { ReportPhase } from '@anniversary/shared/contract/report'

/** Where an attempt can fail (shared/contract/report says what each means). */
export type LoadPhase = Exclude<ReportPhase, 'deadline' | 'render' | 'csp'>

export class RemoteLoadError extends Error {
  override readonly name = 'RemoteLoadError'
  readonly phase: LoadPhase

  constructor(phase: LoadPhase, message: string, options?: ErrorOptions) {
    super(message, options)
    this.phase = phase
  }
}
