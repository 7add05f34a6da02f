import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { failureReport, visitReport } from './failure-report.ts'
import { SERVICE_KEY, startTestApi } from './test-api.ts'

const read = (path: string) => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
const rules = read('api/alerts.yml')
const alerts = [...rules.matchAll(/alert: (\w+)\n +expr: (.+)/g)].map(([, name = '', expr = '']) => ({
  name,
  expr,
}))

/** What an expression asks for: `name{label="value"}`. Metrics alone have a `_` in their names here. */
const selectorsOf = (expr: string) =>
  [...expr.matchAll(/\b([a-z]+(?:_[a-z0-9]+)+)(?:\{([^}]*)\})?/g)]
    .map(([, metric = '', matchers = '']) => ({
      metric,
      labels: [...matchers.matchAll(/(\w+)(?:=~|!~|!=|=)"/g)].map(([, label = '']) => label),
    }))
    .filter(({ metric }) => metric !== 'histogram_quantile')

const api = await startTestApi()

describe('the alert rules', () => {
  let metrics: string
  beforeAll(async () => {
    const { account, token } = await api.addSession()
    await api.claim(token, 'NAP_300')
    const event = { source: 's', ref: '1', username: account, occurred_at: api.now().toISOString() }
    const events = [{ ...event, kind: 'bet', amount: 1 }]
    await api.call({ url: '/api/users/activity', key: SERVICE_KEY, payload: { events } })
    for (const payload of [failureReport, visitReport]) await api.call({ url: '/api/reports', payload })
    metrics = (await api.call({ url: '/metrics' })).body
  })

  test.each(alerts)(
    '$name asks for metrics that the server has, and the run book has it',
    ({ name, expr }) => {
      expect(read('docs/operate/event.md')).toContain(`\n### ${name}\n`)
      const selectors = selectorsOf(expr)
      expect(selectors.length).toBeGreaterThan(0)
      for (const { metric, labels } of selectors) {
        const samples = metrics.split('\n').filter((line) => new RegExp(`^${metric}[{ ]`).test(line))
        for (const label of ['', ...labels.map((name) => `${name}="`)])
          expect([metric, label, samples.some((line) => line.includes(label))]).toEqual([metric, label, true])
      }
    },
  )

  test('every rule is read here', () => {
    expect(alerts).toHaveLength(rules.match(/- alert:/g)?.length ?? 0)
    expect(read('docs/operate/event.md').match(/^### /gm)).toHaveLength(alerts.length)
  })
})
