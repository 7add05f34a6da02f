import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { buildInfo } from '../build-info.ts'
import type { Database } from '../database/database.ts'
import type { BatchData } from './answers.ts'

const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const LOGIN_RESULTS = ['granted', 'wrong', 'locked', 'banned', 'limited', 'throttled']

/** They list all connections: 100 ms at 20,000 of them. */
const SLOW_METRICS = [
  'process_open_fds',
  ...['handles', 'resources'].flatMap((name) => [
    `nodejs_active_${name}`,
    `nodejs_active_${name}_total`,
  ]),
]

export type Metrics = ReturnType<typeof createMetrics>

interface Observed {
  readonly database: Database
  readonly now: () => Date
  readonly inFlight: () => number
}

export function createMetrics({ database, now, inFlight }: Observed) {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  for (const name of SLOW_METRICS) registry.removeSingleMetric(name)
  const counter = <Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
  ) => new Counter({ name, help, labelNames, registers })
  const gauge = (name: string, help: string, read?: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      ...(read && {
        collect() {
          this.set(read())
        },
      }),
    })
  new Gauge({
    name: 'build_info',
    help: 'What runs',
    labelNames: ['version', 'commit'],
    registers,
  }).set(buildInfo, 1)
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Time of answered requests; its count is the rate, by status the errors',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: BUCKETS,
    registers,
  })
  const refused = counter(
    'http_requests_refused_total',
    'Requests refused because the server was full',
    [],
  )
  const claims = counter('claims_total', 'Claims by mission and result', ['mission', 'result'])
  // `limited`: by the limits of the address; `throttled`: by that of all
  // addresses.
  const logins = counter('logins_total', 'Login attempts by result', ['result'])
  // Prometheus does not see the increase of a series that was not there before.
  for (const result of LOGIN_RESULTS) logins.inc({ result }, 0)
  const events = counter(
    'backoffice_events_total',
    'Entries of back-office batches by call and result',
    ['call', 'result'],
  )
  const claimSetFailures = counter(
    'claim_set_failures_total',
    'Statements for many claims that failed, so that each claim was tried alone',
    [],
  )
  const databaseClockAhead = gauge(
    'database_clock_ahead_seconds',
    "Seconds by which the database's clock is ahead of this machine's",
  )
  gauge(
    'event_clock_ahead_seconds',
    "Seconds by which the event's clock is ahead of real time: 0 unless EVENT_NOW is set",
    () => Math.round((now().getTime() - Date.now()) / 1000),
  )
  gauge('http_requests_in_flight', 'Requests being answered now', inFlight)
  gauge(
    'database_waiting',
    'Statements and transactions that wait for a database connection',
    database.waiting,
  )
  return {
    registry,
    requests,
    refused,
    claims,
    claimSetFailures,
    databaseClockAhead,
    logins,
    batch(call: 'activity' | 'completed', { accepted, repeated, refused }: BatchData) {
      events.inc({ call, result: 'accepted' }, accepted)
      events.inc({ call, result: 'repeated' }, repeated)
      for (const { reason } of refused) events.inc({ call, result: reason })
    },
  }
}
