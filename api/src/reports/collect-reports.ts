import { createHash } from 'node:crypto'
import { FACTS, type Report, type View } from '@anniversary/shared/contract/report'
import type { Database } from '../database/database.ts'
import { addReports, type ErrorCount, type ViewCount } from './stored-reports.ts'

/** Pages repeat each other: a few seconds of them are a few rows. */
const FLUSH_MS = 3000
/** Rows of each kind that wait for a flush; what comes beyond is dropped. */
const MOST_PENDING = 10_000
/** Phases of errors that have a place in the code. The others say all in their metric. */
const OF_CODE: ReadonlySet<string> = new Set('expose render hydration csp chunk error rejection'.split(' '))
const NONE = { views: 0, threw: 0, failed: 0, paintedLate: 0, answeredLate: 0 }

/**
 * Adds up reports in memory and writes the sums every few seconds: a broken deploy causes floods of reports, which must
 * not reach the database.
 */
export function collectReports(database: Database, onError: (error: unknown) => void) {
  let views = new Map<string, ViewCount>()
  let errors = new Map<string, ErrorCount>()

  const flush = async () => {
    const [seen, failed] = [views, errors]
    views = new Map()
    errors = new Map()
    await addReports(database, [...seen.values()], [...failed.values()]).catch(onError)
  }
  const timer = setInterval(() => void flush(), FLUSH_MS)
  timer.unref()

  return {
    view({ remote, version, route, ...facts }: View) {
      const count = entry(views, `${remote} ${version} ${route}`, { remote, version, route, ...NONE })
      count.views++
      for (const fact of FACTS) if (facts[fact]) count[fact]++
    },
    failure(report: Report) {
      const phase = report['remote.phase']
      if (!OF_CODE.has(phase)) return
      const [remote, version] = [report['remote.name'], report['remote.version']]
      const [message, stack] = [report['exception.message'], report['exception.stacktrace'] ?? '']
      const id = createHash('sha256')
        .update(`${phase}\n${message}\n${stack}`)
        .digest('base64url')
        .slice(0, 16)
      const error = { id, remote, version, phase, message, stack, route: report['url.path'], count: 0 }
      entry(errors, `${remote} ${version} ${id}`, error).count++
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

/** The entry of a key, at first this one. It is not kept when there are too many. */
function entry<T>(entries: Map<string, T>, key: string, first: T): T {
  const known = entries.get(key)
  if (!known && entries.size < MOST_PENDING) entries.set(key, first)
  return known ?? first
}
