import type { Report, View } from '@anniversary/shared/contract/report'
import type { Database } from '../database/database.ts'
import { addReports } from './stored-reports.ts'

/** Pages send equal reports, so those of a few seconds are a few rows. */
const FLUSH_MS = 3000
/** Rows of each kind that wait for a flush. Further ones are dropped. */
const MOST_PENDING = 10_000
/** Phases of errors that have a place in the code. For the others the metric is enough. */
const OF_CODE: ReadonlySet<string> = new Set(
  'expose render hydration csp chunk error rejection'.split(' '),
)

/** Adds up reports in memory and writes the sums every few seconds, since a broken deploy causes a flood of reports. */
export function collectReports(database: Database, onError: (error: unknown) => void) {
  const nothing = () => ({ views: new Map<string, number>(), errors: new Map<string, number>() })
  let pending = nothing()
  const count = (kind: keyof typeof pending, row: object) => {
    const key = JSON.stringify(row)
    const before = pending[kind].get(key) ?? 0
    if (before > 0 || pending[kind].size < MOST_PENDING) pending[kind].set(key, before + 1)
  }
  const flush = async () => {
    const { views, errors } = pending
    pending = nothing()
    try {
      await addReports(database, 'views', views)
      await addReports(database, 'errors', errors)
    } catch (error) {
      onError(error)
    }
  }
  const timer = setInterval(flush, FLUSH_MS)
  timer.unref()
  return {
    view: (view: View) => count('views', view),
    failure(report: Omit<Report, 'composition.number'>) {
      const phase = report['remote.phase']
      const [remote, version, route] = [
        report['remote.name'],
        report['remote.version'],
        report['url.path'],
      ]
      const [message, stack] = [report['exception.message'], report['exception.stacktrace'] ?? '']
      if (OF_CODE.has(phase)) count('errors', { remote, version, phase, message, stack, route })
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
