import type { Report, View } from '@anniversary/shared/contract/report'
import type { Database } from '../database/database.ts'
import { addReports, type Counted } from './stored-reports.ts'

/** Pages repeat each other: a few seconds of them are a few rows. */
const FLUSH_MS = 3000
/** Rows of each kind that wait for a flush; what comes beyond is dropped. */
const MOST_PENDING = 10_000
/** Phases of errors that have a place in the code. The others say all in their metric. */
const OF_CODE: ReadonlySet<string> = new Set('expose render hydration csp chunk error rejection'.split(' '))

/** Counts equal rows. */
function createCounter() {
  let counts = new Map<string, number>()
  return {
    add(row: object) {
      const key = JSON.stringify(row)
      const count = counts.get(key) ?? 0
      if (count > 0 || counts.size < MOST_PENDING) counts.set(key, count + 1)
    },
    take(): Counted[] {
      const taken = [...counts].map(([row, count]) => ({ row: JSON.parse(row), count }))
      counts = new Map()
      return taken
    },
  }
}

/**
 * Adds up reports in memory and writes the sums every few seconds: a broken deploy causes floods of reports, which must
 * not reach the database.
 */
export function collectReports(database: Database, onError: (error: unknown) => void) {
  const [views, errors] = [createCounter(), createCounter()]
  const flush = () => addReports(database, views.take(), errors.take()).catch(onError)
  const timer = setInterval(flush, FLUSH_MS)
  timer.unref()
  return {
    view: (view: View) => views.add(view),
    failure(report: Report) {
      const phase = report['remote.phase']
      const [remote, version, route] = [report['remote.name'], report['remote.version'], report['url.path']]
      const [message, stack] = [report['exception.message'], report['exception.stacktrace'] ?? '']
      if (OF_CODE.has(phase)) errors.add({ remote, version, phase, message, stack, route })
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
