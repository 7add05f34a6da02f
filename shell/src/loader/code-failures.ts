import type { Failure, Owner } from './report.ts'

export interface CodeFailure extends Omit<Failure, 'owner'> {
  /** URL of the code, where the browser names it. */
  readonly source?: string
  /** Where it is known: of a page that a boundary has replaced, of a chunk. */
  readonly owner?: Owner
}

type Listener = (failure: CodeFailure) => void

/** Records failures of the page's code from the first script on, for the telemetry, which loads later. */
export function keepCodeFailures() {
  const kept: CodeFailure[] = []
  let add: Listener = (failure) => void kept.push(failure)

  document.addEventListener('securitypolicyviolation', ({ sourceFile, effectiveDirective, blockedURI }) =>
    add({ phase: 'csp', error: `${effectiveDirective} blocked ${blockedURI}`, source: sourceFile }),
  )
  addEventListener('error', ({ error, message, filename }) =>
    add({ phase: 'error', error: error ?? message, source: filename }),
  )
  addEventListener('unhandledrejection', ({ reason }) => add({ phase: 'rejection', error: reason }))

  return {
    add: (failure: CodeFailure) => add(failure),
    /** Hands over those kept until now, and each that comes. */
    listen(listener: Listener) {
      add = listener
      kept.splice(0).forEach(listener)
    },
  }
}
