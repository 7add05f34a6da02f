import {
  FACTS,
  type Report,
  type ReportPhase,
  SEEN,
  VIEW_COUNTER,
  type View,
} from '@anniversary/shared/contract/report'
import { Counter, type Registry } from 'prom-client'

/** Anybody may invent names, so a counter starts again above this number. */
const MOST_SERIES = 1000

const GOES_ON: ReadonlySet<ReportPhase> = new Set(['hydration', 'csp', 'error', 'rejection'])
const VIEW_FACTS = [SEEN, ...FACTS] as const

/** No route is a label: five facts of 200 releases are 1,000 series. */
export function createReportCounters(registry: Registry) {
  const addView = createZeroFirstCounter(
    registry,
    VIEW_COUNTER,
    'Views of pages as pages report them, and the facts of these views',
    ['remote', 'version', 'fact'],
  )
  const addFailure = createZeroFirstCounter(
    registry,
    'remote_failures_total',
    'Failures of remotes as pages report them, by phase and by the next step of the page',
    ['remote', 'version', 'phase', 'next'],
  )
  return {
    countFailure(report: Omit<Report, 'composition.number'>): void {
      const remote = report['remote.name']
      const version = report['remote.version']
      const phase = report['remote.phase']
      const next = report['remote.next'] ?? (GOES_ON.has(phase) ? 'page-goes-on' : 'none')
      addFailure({ remote, version, phase, next }, 1)
    },

    countView(view: View): void {
      const { remote, version } = view
      for (const fact of VIEW_FACTS) {
        const isTrue = fact === SEEN || view[fact] === true
        addView({ remote, version, fact }, Number(isTrue))
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
  const added = new Map<string, { labels: Labels; count: number; wasShown: boolean }>()

  const counter = new Counter({
    name,
    help,
    labelNames,
    registers: [registry],
    collect() {
      counter.reset()
      for (const series of added.values()) {
        counter.inc(series.labels, series.wasShown ? series.count : 0)
        series.wasShown = true
      }
    },
  })

  return (labels: Labels, count: number): void => {
    const key = JSON.stringify(labels)
    if (!added.has(key) && added.size === MOST_SERIES) added.clear()
    const series = added.get(key) ?? { labels, count: 0, wasShown: false }
    series.count += count
    added.set(key, series)
  }
}
