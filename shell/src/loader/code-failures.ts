import type { Failure, Owner } from './report.ts'

export interface CodeFailure extends Omit<Failure, 'owner'> {
  /** URL of the code, if the browser names it. */
  readonly source?: string
  /** Known for a chunk and for a page that a boundary replaced. */
  readonly owner?: Owner
}

type Listener = (failure: CodeFailure) => void

/**
 * Records failures of the page's code from the first script on, until the
 * telemetry has loaded.
 */
export function keepCodeFailures() {
  const kept: CodeFailure[] = []
  let add: Listener = (failure) => void kept.push(failure)

  document.addEventListener(
    'securitypolicyviolation',
    ({ sourceFile, effectiveDirective, blockedURI }) =>
      add({
        phase: 'csp',
        error: `${effectiveDirective} blocked ${blockedURI}`,
        source: sourceFile,
      }),
  )
  addEventListener('error', ({ error, message, filename }) =>
    add({ phase: 'error', error: error ?? message, source: filename }),
  )
  addEventListener('unhandledrejection', ({ reason }) => add({ phase: 'rejection', error: reason }))

  return {
    add: (failure: CodeFailure) => add(failure),
    listen(listener: Listener) {
      add = listener
      kept.splice(0).forEach(listener)
    },
  }
}
