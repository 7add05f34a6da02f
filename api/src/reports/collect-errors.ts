import type { Report } from '@anniversary/shared/contract/report'
import type { Database } from '../database/database.ts'
import { addErrorReports } from './stored-reports.ts'

/** Pages send equal reports, so those of a few seconds are a few rows. */
const FLUSH_MS = 3000
/** Different errors that wait for a flush. Further ones are dropped. */
const MOST_PENDING = 10_000
/**
 * Errors that have a place in the code. For the others the metric is enough.
 */
const PHASES_OF_CODE: ReadonlySet<string> = new Set([
  'expose',
  'render',
  'hydration',
  'csp',
  'chunk',
  'error',
  'rejection',
])

/**
 * A broken deploy causes a flood of reports, so only their sums are written,
 * every few seconds.
 */
export function collectErrors(database: Database, onError: (error: unknown) => void) {
  let pending = new Map<string, number>()
  let written = Promise.resolve()

  // A flush waits for the one before, which the timer may have begun.
  const flush = (): Promise<void> => {
    const counts = pending
    pending = new Map()
    written = written.then(() => addErrorReports(database, counts)).catch(onError)
    return written
  }

  const timer = setInterval(flush, FLUSH_MS)
  timer.unref()

  return {
    add(report: Omit<Report, 'composition.number'>) {
      const phase = report['remote.phase']
      if (!PHASES_OF_CODE.has(phase)) return
      const error = JSON.stringify({
        remote: report['remote.name'],
        version: report['remote.version'],
        phase,
        message: report['exception.message'],
        stack: report['exception.stacktrace'] ?? '',
        route: report['url.path'],
      })
      const before = pending.get(error)
      if (before === undefined && pending.size >= MOST_PENDING) return
      pending.set(error, (before ?? 0) + 1)
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
