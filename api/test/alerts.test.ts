import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from '@jest/globals'
import { COUNTED_A_MINUTE } from '../src/reports/routes.ts'
import { failureReport, visitReport } from './failure-report.ts'
import { SERVICE_KEY, startTestApi } from './test-api.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
const rules = read('api/alerts.yml')
const found = [...rules.matchAll(/(alert|record): (\S+)\n +expr: (.+)/g)]
const expressions = found.map(([, kind = '', name = '', expr = '']) => ({ kind, name, expr }))
const alerts = expressions.filter(({ kind }) => kind === 'alert')

const caseFiles = ['api/alerts.test.yml', 'api/alerts-hour.test.yml']
const cases = caseFiles.map(read).join('')

const dashboard: { panels: { title: string; targets: { expr: string }[] }[] } = JSON.parse(
  read('packaging/grafana-dashboard.json'),
)
const panels = dashboard.panels.map(({ title, targets }) => ({
  name: `panel "${title}"`,
  expr: targets.map(({ expr }) => expr).join(' + '),
}))

const FUNCTIONS = /^(clamp_min|histogram_quantile|group_left|max_over_time)$/
/**
 * Those of recording rules and of exporters. `prove -- alerts` asks for them.
 */
const OTHERS = /:|^(pg|node|probe)_/

/** `name{label="value"}`: words with a `_` or `:`. */
const selectorsOf = (expr: string) =>
  [
    ...expr
      .replaceAll(/(by|on) \([^)]*\)/g, '')
      .matchAll(/\b(up|[a-z]+(?:[_:][a-z0-9]+)+)(?:\{([^}]*)\})?/g),
  ]
    .map(([, metric = '', matchers = '']) => ({
      metric,
      // Of other matchers than `=`, the name alone.
      labels: [...matchers.matchAll(/\w+="[^"]*"|\w+(?=!=|[=!]~)/g)].map(([label]) => label),
    }))
    .filter(({ metric }) => !FUNCTIONS.test(metric))

/** `up` of Prometheus' jobs, and what the deploy server names. */
const others = [
  read('packaging/prometheus.yml').replace(/job_name: (\S+)/g, '\nup{job="$1"} 1'),
  read('deploy-server/src/server/own-health.ts').replace(/deploy_\w+/g, '\n$& 1'),
]

const api = await startTestApi()

let metrics: string
beforeAll(async () => {
  const { account, token } = await api.addDepositor()
  await api.claim(token, 'NAP_300')
  const event = { source: 's', ref: '1', username: account, occurred_at: api.now().toISOString() }
  const events = [{ ...event, kind: 'bet', amount: 1 }]
  await api.call({ url: '/api/users/activity', key: SERVICE_KEY, payload: { events } })
  for (const payload of [failureReport, { ...failureReport, 'remote.next': 'none' }, visitReport])
    await api.call({ url: '/api/reports', payload })
  metrics = [await api.metrics(), ...others].join('\n')
})

test.each([...expressions, ...panels])(
  '$name asks for metrics that the servers have',
  ({ expr }) => {
    const selectors = selectorsOf(expr)
    expect(selectors.length).toBeGreaterThan(0)
    for (const { metric, labels } of selectors) {
      if (OTHERS.test(metric)) continue
      const samples = metrics.split('\n').filter((line) => new RegExp(`^${metric}[{ ]`).test(line))
      for (const label of ['', ...labels])
        expect([metric, label, samples.some((line) => line.includes(label))]).toEqual([
          metric,
          label,
          true,
        ])
    }
  },
)

test('results of logins that a rule names are 0 before the first login', () => {
  const named = [...rules.matchAll(/logins_total\{result="(\w+)"/g)].map(([, result]) => result)
  expect(named.length).toBeGreaterThan(0)
  for (const result of named) expect(metrics).toContain(`logins_total{result="${result}"} 0\n`)
})

test('rules and cases know how many views the API counts for an address', () => {
  // Five minutes touch six of the API's, and two touch three.
  const told = [...rules.matchAll(/at most (\d+) views/g)].map(([, views]) => Number(views))
  expect(told).toEqual([6 * COUNTED_A_MINUTE, 3 * COUNTED_A_MINUTE])
  const atThreeProcesses = [2, 3, 4, 5, 6].map((minutes) => 3 * minutes * COUNTED_A_MINUTE)
  const forged = [...cases.matchAll(/ 0x20 (\d+x11 .+)/g)].map(([, values = '']) =>
    values.split(' ').map((value) => Number.parseInt(value, 10)),
  )
  const canary = atThreeProcesses.slice(0, 2)
  expect(forged).toEqual([atThreeProcesses, canary, canary])
})

test('each alert says what happened and what to do', () => {
  expect(alerts).toHaveLength(rules.match(/- alert:/g)?.length ?? 0)
  expect(rules.match(/^ +summary: \S.*\n +action: \S/gm)).toHaveLength(alerts.length)
})

test('each alert has a case of promtool', () => {
  const named = [...cases.matchAll(/alertname(?:: |=")(\w+)/g)].map(([, name]) => name)
  expect(named).toEqual(expect.arrayContaining(alerts.map(({ name }) => name)))
})

test('Alertmanager sends the first alert of a group at once', () => {
  expect(read('packaging/alertmanager.yml')).toMatch(/^ {2}group_wait: 1s$/m)
})

test('alerts fire in time, and only one for a short outage', () => {
  const { error, stdout, stderr } = spawnSync('promtool', ['test', 'rules', ...caseFiles], {
    cwd: join(import.meta.dirname, '../..'),
    encoding: 'utf8',
  })
  if (error)
    throw new Error(`promtool is required (Debian: apt-get install prometheus): ${error.message}`)
  expect(stdout + stderr).toMatch(/(SUCCESS.*){2}/s)
})
