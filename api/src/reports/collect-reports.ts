import { createHash } from 'node:crypto'
import { bucketOf } from '@anniversary/shared/contract/figures'
import type { Report, View } from '@anniversary/shared/contract/report'
import type { Database } from '../database/database.ts'
import { addReports, type BucketCount, type ErrorCount } from './stored-reports.ts'

/** Pages repeat each other: a few seconds of them are a few rows. */
const FLUSH_MS = 3000
/** Keys that wait for a flush; what comes beyond is dropped. */
const MOST_PENDING = 20_000
/** Phases of errors that have a place in the code. The others say all in their metric. */
const OF_CODE: ReadonlySet<string> = new Set(['expose', 'render', 'csp', 'chunk', 'error', 'rejection'])

/**
 * Adds up reports in memory and writes the sums every few seconds: a broken deploy causes floods of reports, which must
 * not reach the database.
 */
export function collectReports(database: Database, onError: (error: unknown) => void) {
  let buckets = new Map<string, BucketCount>()
  let errors = new Map<string, ErrorCount>()

  const add = (key: Omit<BucketCount, 'count'>) => count(buckets, Object.values(key).join(' '), key)
  const flush = async () => {
    const [full, failed] = [buckets, errors]
    buckets = new Map()
    errors = new Map()
    await addReports(database, [...full.values()], [...failed.values()]).catch(onError)
  }
  const timer = setInterval(() => void flush(), FLUSH_MS)
  timer.unref()

  return {
    view({ failed, threw, measures, ...view }: View) {
      add({ ...view, measure: 'views', bucket: 0 })
      if (failed) add({ ...view, measure: 'failed', bucket: 0 })
      if (threw) add({ ...view, measure: 'threw', bucket: 0 })
      for (const [measure, value] of entriesOf(measures)) add({ ...view, measure, bucket: bucketOf(value) })
    },
    failure(report: Report) {
      const phase = report['remote.phase']
      if (!OF_CODE.has(phase)) return
      const [message, stack] = [report['exception.message'], report['exception.stacktrace'] ?? '']
      const id = createHash('sha256')
        .update(`${phase}\n${message}\n${stack}`)
        .digest('base64url')
        .slice(0, 16)
      const [remote, version] = [report['remote.name'], report['remote.version']]
      const error = { id, remote, version, phase, message, stack, route: report['url.path'] }
      count(errors, `${remote} ${version} ${id}`, error)
    },
    /** Writes what was collected. */
    flush,
    /** Flushes for the last time. */
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

function count<T extends { readonly count: number }>(
  counted: Map<string, T>,
  key: string,
  what: Omit<T, 'count'>,
): void {
  const before = counted.get(key)?.count ?? 0
  // All of T but its count is in `what`.
  if (before > 0 || counted.size < MOST_PENDING) counted.set(key, { ...what, count: before + 1 } as T)
}

/** `Object.entries` that knows the keys. */
const entriesOf = <K extends string>(values: Partial<Record<K, number>>) =>
  Object.entries(values) as [K, number][]
