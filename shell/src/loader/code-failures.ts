import type { ReportDetails } from './report.ts'

export interface CodeFailure {
  readonly phase: 'chunk' | 'csp' | 'error' | 'rejection' | 'render'
  readonly error: unknown
  /** URL of the code, where the browser or the build names it. */
  readonly source?: string | undefined
  /** Whose it is, where that is known: of a page that a boundary has replaced, of a chunk. */
  readonly page?: ReportDetails
}

type Listener = (failure: CodeFailure) => void

/** Records failures of the page's code from the first script on, for the telemetry, which loads later. */
export function keepCodeFailures() {
  const kept: CodeFailure[] = []
  let add: Listener = (failure) => void kept.push(failure)
  const keep = (phase: CodeFailure['phase'], error: unknown, source?: string) => add({ phase, error, source })

  document.addEventListener('securitypolicyviolation', ({ sourceFile, effectiveDirective, blockedURI }) =>
    keep('csp', `${effectiveDirective} blocked ${blockedURI}`, sourceFile),
  )
  addEventListener('error', ({ error, message, filename }) => keep('error', error ?? message, filename))
  addEventListener('unhandledrejection', ({ reason }) => keep('rejection', reason))

  return {
    add: (failure: CodeFailure) => add(failure),
    /** Hands over those kept until now, and each that comes. */
    listen(listener: Listener) {
      add = listener
      kept.splice(0).forEach(listener)
    },
  }
}
