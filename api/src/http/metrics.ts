import type { Report, View } from '@anniversary/shared/contract/report'
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { BatchData } from '../contract/backoffice.ts'
import type { Database } from '../database/database.ts'
import type { ClaimOutcome } from '../use-cases/claim.ts'

/** The operator's metrics. Each server has a registry of its own, so that two in one process do not clash. */
export interface Metrics {
  readonly registry: Registry
  request(method: string, route: string, status: number, seconds: number): void
  claim(mission: string, result: ClaimOutcome['result']): void
  /** `limited`: by the address's limits; `braked`: by that of all addresses, so somebody guesses from many. */
  login(result: 'granted' | 'wrong' | 'locked' | 'limited' | 'braked' | 'banned'): void
  /** A page's report of a remote's failure. */
  failure(report: Report): void
  /** A view that a page reported. */
  view(view: View): void
  batch(call: 'activity' | 'completed', data: BatchData): void
}

/** Anybody may send reports with invented names: further releases are counted as one, for as long as the server runs. */
const MOST_RELEASES = 200
/** Those of a view that have the name in `remote_vital_seconds`. */
const VITALS = ['lcp', 'inp', 'page'] as const

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function createMetrics(database: Database, inFlight: () => number): Metrics {
  const registry = new Registry()
  const registers = [registry]
  const duration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time of answered requests; its count is the rate, by status the errors',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: BUCKETS,
    registers,
  })
  const claims = new Counter({
    name: 'claims_total',
    help: 'Claims by mission and result',
    labelNames: ['mission', 'result'] as const,
    registers,
  })
  const logins = new Counter({
    name: 'logins_total',
    help: 'Login attempts by result',
    labelNames: ['result'] as const,
    registers,
  })
  const events = new Counter({
    name: 'backoffice_events_total',
    help: 'Entries of back-office batches by call and result',
    labelNames: ['call', 'result'] as const,
    registers,
  })
  const failures = new Counter({
    name: 'remote_failures_total',
    help: 'Failures of remotes as pages report them, by phase and by the next step of the page',
    labelNames: ['remote', 'version', 'phase', 'next'] as const,
    registers,
  })
  const views = new Counter({
    name: 'remote_views_total',
    help: 'Views of pages as pages report them: whole, without the page (failed), or with an error of its code (threw)',
    labelNames: ['remote', 'version', 'result'] as const,
    registers,
  })
  const vitals = new Histogram({
    name: 'remote_vital_seconds',
    help: 'Largest contentful paint, interaction to next paint, and time until the page of a remote works',
    labelNames: ['remote', 'version', 'vital'] as const,
    buckets: [0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1, 1.5, 2.5, 4, 8],
    registers,
  })
  const releases = new Set<string>()
  const labelsOf = (remote: string, version: string) => {
    const release = `${remote} ${version}`
    if (releases.size < MOST_RELEASES) releases.add(release)
    return releases.has(release) ? { remote, version } : { remote: 'other', version: '' }
  }
  new Gauge({
    name: 'http_requests_in_flight',
    help: 'Requests being answered now',
    registers,
    collect() {
      this.set(inFlight())
    },
  })
  new Gauge({
    name: 'database_connections',
    help: 'Database connections: open, idle, and callers waiting for one',
    labelNames: ['state'] as const,
    registers,
    collect() {
      const { connections, idle, waiting } = database.stats()
      this.set({ state: 'open' }, connections)
      this.set({ state: 'idle' }, idle)
      this.set({ state: 'waiting' }, waiting)
    },
  })
  return {
    registry,
    request: (method, route, status, seconds) => duration.observe({ method, route, status }, seconds),
    claim: (mission, result) => claims.inc({ mission, result }),
    login: (result) => logins.inc({ result }),
    failure(report) {
      const phase = report['remote.phase']
      const goesOn = phase === 'error' || phase === 'rejection'
      failures.inc({
        ...labelsOf(report['remote.name'], report['remote.version']),
        phase,
        next: report['remote.next'] ?? (goesOn ? 'page-goes-on' : 'none'),
      })
    },
    view({ remote, version, failed, threw, measures }) {
      const labels = labelsOf(remote, version)
      views.inc({ ...labels, result: failed ? 'failed' : threw ? 'threw' : 'whole' })
      for (const vital of VITALS) {
        const value = measures[vital]
        if (value !== undefined) vitals.observe({ ...labels, vital }, value / 1000)
      }
    },
    batch(call, data) {
      events.inc({ call, result: 'accepted' }, data.accepted)
      events.inc({ call, result: 'repeated' }, data.repeated)
      for (const { reason } of data.refused) events.inc({ call, result: reason })
    },
  }
}
