import {
  type Histogram,
  quantile,
  type RemoteError,
  type VersionFigures,
} from '@anniversary/shared/contract/figures'
import { afterAll, expect, test } from '@jest/globals'
import { failureReport, visitReport } from '../../test/failure-report.ts'
import { SERVICE_KEY, startTestApi } from '../../test/test-api.ts'
import { pruneReports } from './stored-reports.ts'

const api = await startTestApi({ env: { TRUST_PROXY: '1' } })
afterAll(() => api.close())

let peers = 0
/** Sends as sendBeacon does; each time from another address, unless one is given. */
const send = (payload: object, from = `10.1.${++peers >> 8}.${peers & 255}`) =>
  api.call({
    url: '/api/reports',
    payload: JSON.stringify(payload),
    headers: { 'x-forwarded-for': from, 'content-type': 'text/plain;charset=UTF-8' },
  })
async function counted(labels: string) {
  const { body } = await api.call({ url: '/metrics' })
  const line = String(body)
    .split('\n')
    .find((text) => text.startsWith(`remote_failures_total{${labels}`))
  return Number(line?.split(' ').at(-1) ?? 0)
}

test('a report is counted by remote, version, phase and what came next', async () => {
  expect((await send(failureReport)).status).toBe(200)
  expect((await api.call({ url: '/api/reports', payload: failureReport })).status).toBe(200)
  expect(
    await counted('remote="mf-auth",version="1.0.0-0123456789ab",phase="integrity",next="other-version"'),
  ).toBe(2)
})

test.each([
  ['an unknown phase', { ...failureReport, 'remote.phase': 'weather' }],
  ['a name that is none', { ...failureReport, 'remote.name': '"} evil 1\n' }],
  ['a version that is none', { ...failureReport, 'remote.version': '<script>' }],
  ['a missing composition', { ...failureReport, 'composition.number': undefined }],
  ['text that Postgres cannot store', { ...failureReport, 'exception.message': 'a\0b' }],
])('%s is refused', async (_name, payload) => {
  expect((await send(payload)).status).toBe(400)
})

test('a large body is refused', async () => {
  expect((await send({ ...failureReport, 'exception.message': 'x'.repeat(5000) })).status).toBe(413)
})

test('names that nobody published fill up no memory', async () => {
  const names = Array.from({ length: 250 }, (_, index) => `made-up-${index}`)
  await Promise.all(names.map((name) => send({ ...failureReport, 'remote.name': name })))
  expect(await counted('remote="other",version=""')).toBeGreaterThan(0)
})

test('one address is heard 120 times a minute', async () => {
  const answers = await Promise.all(Array.from({ length: 130 }, () => send(failureReport, '10.2.0.1')))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(10)
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0)
})

const [view] = visitReport.views
const visit = (...views: object[]) =>
  send({ ...visitReport, views: views.map((more) => ({ ...view, ...more })) })
const figures = async (query: string): Promise<VersionFigures[]> =>
  (await api.call({ url: `/api/reports/figures?${query}` })).body.data
const errors = async (query: string): Promise<RemoteError[]> =>
  (await api.call({ url: `/api/reports/errors?${query}` })).body.data

test('visits add up to figures by remote, version and route', async () => {
  const ok = { threw: undefined, measures: { lcp: 500 } }
  await visit({ version: '1.0.0-a' }, { version: '1.0.0-a', ...ok }, { remote: 'mf-missions', ...ok })
  await visit({ version: '1.0.0-b', failed: true, ...ok })
  await visit({ version: '1.0.0-a', route: '/check', ...ok })
  const [one, two, ...more] = (await figures('remote=mf-auth')).sort((a, b) => b.views - a.views)
  expect(more).toEqual([])
  expect(one).toMatchObject({ remote: 'mf-auth', version: '1.0.0-a', views: 3, failed: 0, threw: 1 })
  expect(two).toMatchObject({ version: '1.0.0-b', views: 1, failed: 1, threw: 0 })
  const { lcp = {}, attempts }: Record<string, Histogram> = one?.measures ?? {}
  expect(Object.values(lcp)).toEqual([2, 1])
  expect(quantile(lcp, 0.9)?.value).toBeGreaterThan(1000)
  expect(attempts).toEqual({ '1': 1 })
  expect(await figures('remote=mf-auth&route=/check')).toMatchObject([{ views: 1, threw: 0 }])
  const hour = `${new Date().toISOString().slice(0, 13)}:00:00Z`
  const [from, past] = [`remote=mf-missions&since=${hour}`, 'remote=mf-missions&since=2100-01-01T00:00:00Z']
  expect([await figures(from), await figures(past)]).toMatchObject([[{ views: 1 }], []])
  expect((await figures('')).map(({ remote }) => remote)).toContain('mf-missions')
})

test('each hour by itself', async () => {
  await visit({ remote: 'mf-hours' }, { remote: 'mf-hours' })
  expect(await figures('remote=mf-hours')).toMatchObject([{ views: 2 }])
  await api.sql("UPDATE view_histogram SET hour = hour - interval '3 hours' WHERE remote = 'mf-hours'")
  await visit({ remote: 'mf-hours' })
  expect(await figures('remote=mf-hours&each=hour')).toMatchObject([{ views: 1 }, { views: 2 }])
  expect(await figures('remote=mf-hours')).toMatchObject([{ views: 3 }])
})

test('an error is kept once, with its count, first and last time; a failed file is not', async () => {
  const thrown = {
    ...failureReport,
    'remote.name': 'mf-history',
    'remote.phase': 'error',
    'exception.message': 'x is not a function',
    'exception.stacktrace': 'f /mf-history/1.0.0-0123456789ab/Page.js:1:2',
  }
  await send(thrown)
  await send(thrown)
  await send({ ...thrown, 'exception.stacktrace': 'g /mf-history/1.0.0-0123456789ab/Page.js:7:1' })
  await send({ ...thrown, 'remote.phase': 'deadline' })
  const found = await errors('remote=mf-history')
  expect(found.map(({ count }) => count).sort()).toEqual([1, 2])
  expect(found.find(({ count }) => count === 2)).toMatchObject({
    version: '1.0.0-0123456789ab',
    phase: 'error',
    message: 'x is not a function',
    stack: 'f /mf-history/1.0.0-0123456789ab/Page.js:1:2',
    route: '/login',
    firstAt: expect.stringMatching(/^20/),
  })
  await send(thrown)
  expect((await errors('remote=mf-history')).map(({ count }) => count).sort()).toEqual([1, 3])
})

test('one address cannot fill the tables with invented names', async () => {
  for (let n = 0; n < 60; n++)
    await send(
      { ...visitReport, views: [{ ...view, remote: 'mf-made-up', version: `1.0.0-${n}` }] },
      '10.3.0.1',
    )
  expect(await figures('remote=mf-made-up')).toHaveLength(50)
  expect(await figures('remote=other')).toMatchObject([{ version: '', views: 10 }])
})

test('from elsewhere both need the service key', async () => {
  const headers = { 'x-forwarded-for': '10.4.0.1' }
  for (const url of ['/api/reports/figures', '/api/reports/errors']) {
    expect((await api.call({ url, headers })).status).toBe(401)
    expect((await api.call({ url, headers, key: SERVICE_KEY })).status).toBe(200)
  }
})

test('after 30 days both are gone', async () => {
  expect(await figures('hours=720')).not.toEqual([])
  await api.sql("UPDATE view_histogram SET hour = hour - interval '29 days'")
  await pruneReports(api.database)
  expect(await figures('hours=720')).not.toEqual([])
  await api.sql("UPDATE view_histogram SET hour = hour - interval '2 days'")
  await api.sql("UPDATE remote_error SET last_at = last_at - interval '31 days'")
  await pruneReports(api.database)
  expect(await api.sql('SELECT FROM view_histogram UNION ALL SELECT FROM remote_error')).toEqual([])
})
