import {
  FACTS,
  type Report,
  type ReportPhase,
  SEEN,
  VIEW_COUNTER,
  type View,
} from '@anniversary/shared/contract/report'
import { Counter, type Registry } from 'prom-client'

/** Anybody may invent names, so the counters start again above this number. */
const MOST_RELEASES = 200

const GOES_ON: ReadonlySet<ReportPhase> = new Set(['hydration', 'csp', 'error', 'rejection'])
const VIEW_FACTS = [SEEN, ...FACTS] as const

/**
 * No route is a label: five facts of 200 releases are 1,000 series, each route
 * as many.
 */
export function createReportCounters(registry: Registry) {
  const views = createZeroFirstCounter(
    registry,
    VIEW_COUNTER,
    'Views of pages as pages report them, and the facts of these views',
    ['remote', 'version', 'fact'],
  )
  const failures = createZeroFirstCounter(
    registry,
    'remote_failures_total',
    'Failures of remotes as pages report them, by phase and by the next step of the page',
    ['remote', 'version', 'phase', 'next'],
  )
  const releases = new Set<string>()

  function limitReleases(remote: string, version: string): void {
    releases.add(`${remote} ${version}`)
    if (releases.size <= MOST_RELEASES) return
    releases.clear()
    views.reset()
    failures.reset()
  }

  return {
    countFailure(report: Omit<Report, 'composition.number'>): void {
      const remote = report['remote.name']
      const version = report['remote.version']
      const phase = report['remote.phase']
      const next = report['remote.next'] ?? (GOES_ON.has(phase) ? 'page-goes-on' : 'none')
      limitReleases(remote, version)
      failures.add({ remote, version, phase, next }, 1)
    },

    countView(view: View): void {
      const { remote, version } = view
      limitReleases(remote, version)
      for (const fact of VIEW_FACTS) {
        const isTrue = fact === SEEN || view[fact] === true
        views.add({ remote, version, fact }, Number(isTrue))
      }
    },
  }
}

/**
 * Series are 0 in their first scrape: Prometheus does not see the increase of a
 * series that was not there before.
 */
function createZeroFirstCounter<Label extends string>(
  registry: Registry,
  name: string,
  help: string,
  labelNames: readonly Label[],
) {
  type Labels = Record<Label, string>
  const known = new Set<string>()
  const waiting = new Map<string, { labels: Labels; count: number; wasShown: boolean }>()

  const counter = new Counter({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      for (const [key, series] of waiting) {
        if (series.wasShown) {
          counter.inc(series.labels, series.count)
          known.add(key)
          waiting.delete(key)
        }
        series.wasShown = true
      }
    },
  })

  return {
    add(labels: Labels, count: number): void {
      const key = JSON.stringify(labels)
      if (known.has(key)) {
        counter.inc(labels, count)
        return
      }

      counter.inc(labels, 0)
      const series = waiting.get(key) ?? { labels, count: 0, wasShown: false }
      series.count += count
      waiting.set(key, series)
    },
    reset(): void {
      counter.reset()
      known.clear()
      waiting.clear()
    },
  }
}
