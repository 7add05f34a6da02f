import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { RemoteError } from '@anniversary/shared/contract/report'
import { fakeComposition, fakeRelease, fakeRemote } from '@anniversary/shared/testing/fake-release'
import { pending } from '@anniversary/shared/testing/pending'
import { expect, test } from '@jest/globals'
import { cspReport, failureReport, visitReport } from '../../test/failure-report.ts'
import { REPORTS_KEY, startTestApi } from '../../test/test-api.ts'
import { collectErrors } from './collect-errors.ts'
import { pruneErrorReports } from './stored-reports.ts'

const api = await startTestApi({ env: { TRUST_PROXY: '1' } })

async function envOf(site: Server) {
  await once(site.listen(0, '127.0.0.1'), 'listening')
  const { port } = site.address() as AddressInfo // listening on a port, not a pipe
  return { REPORTS_SITE: `http://127.0.0.1:${port}/` }
}

let peers = 0
const send = (payload: object, from = `10.1.${++peers >> 8}.${peers & 255}`) =>
  api.call({
    url: '/api/reports',
    payload: JSON.stringify(payload),
    headers: { 'x-forwarded-for': from, 'content-type': 'text/plain;charset=UTF-8' },
  })
/** Undefined when the series was not scraped as 0 first. */
async function scrapedCount(series: string): Promise<number | undefined> {
  await api.metrics()
  const metrics = await api.metrics()
  const [, value] = new RegExp(`^${series}.* (\\d+)$`, 'm').exec(metrics) ?? []
  return value === undefined ? undefined : Number(value)
}
const failureCount = (labels: string) => scrapedCount(`remote_failures_total\\{${labels}`)
const viewCount = (remote: string, version: string, fact: string) =>
  scrapedCount(`remote_views_total\\{remote="${remote}",version="${version}",fact="${fact}"`)

test('a failure is counted by remote, version, phase and next', async () => {
  expect((await send(failureReport)).status).toBe(200)
  expect((await api.call({ url: '/api/reports', payload: failureReport })).status).toBe(200)
  const labels =
    'remote="mf-auth",version="1.0.0-0123456789ab",phase="integrity",next="other-version"'
  expect(await failureCount(labels)).toBe(2)
})

test.each(['hydration', 'csp', 'error', 'rejection'])(
  'a page goes on after a report of %s',
  async (phase) => {
    const { 'remote.next': _, ...report } = { ...failureReport, 'remote.phase': phase }
    await send(report)
    expect(await failureCount(`.*phase="${phase}",next="page-goes-on"`)).toBe(1)
  },
)

test.each([
  ['an unknown phase', { ...failureReport, 'remote.phase': 'weather' }],
  ['a name that is none', { ...failureReport, 'remote.name': '"} evil 1\n' }],
  ['a version that is none', { ...failureReport, 'remote.version': '<script>' }],
  ['a missing composition', { ...failureReport, 'composition.number': undefined }],
  ['text that Postgres cannot store', { ...failureReport, 'exception.message': 'a\0b' }],
  ['text that steers a terminal', { ...failureReport, 'exception.message': 'a\u001b[2Jb' }],
  ['a stack that steers a terminal', { ...failureReport, 'exception.stacktrace': 'a\u009b2Jb' }],
  [
    'a view without a version',
    { ...visitReport, views: [{ ...visitReport.views[0], version: '' }] },
  ],
])('a report with %s is rejected', async (_name, payload) => {
  expect((await send(payload)).status).toBe(400)
})

test("a browser's own reports are stored without queries and extensions", async () => {
  const ofExtension = { ...cspReport, body: { ...cspReport.body, sourceFile: 'chrome-extension' } }
  const crash = { ...cspReport, type: 'crash', body: { reason: 'oom' } }
  const payload = [cspReport, ofExtension, crash, { ...cspReport, type: 'deprecation', body: null }]
  const headers = { 'content-type': 'application/reports+json' }
  expect((await api.call({ url: '/api/reports', payload, headers })).status).toBe(200)
  const found = (await errors('remote=page')).map(({ phase, message, route }) => [
    phase,
    message,
    route,
  ])
  expect(found.sort()).toEqual([
    ['csp', 'csp-violation img-src https://ads.example/pixel.gif', '/login'],
    ['error', 'crash oom', '/login'],
  ])
})

test("a browser's report that is cut within a character is stored", async () => {
  const fits = 'x'.repeat(493)
  await send([{ ...cspReport, type: 'crash', body: { reason: `${fits}😀` } }])
  const messages = (await errors('remote=page')).map(({ message }) => message)
  expect(messages).toContain(`crash ${fits}`)
})

test('forged names do not fill the memory', async () => {
  const names = Array.from({ length: 250 }, (_, index) => `made-up-${index}`)
  while (names.length > 0) await visit(...names.splice(0, 6).map((remote) => ({ remote })))
  await visit({ remote: 'mf-real' })
  expect(await viewCount('mf-real', '1.0.0-0123456789ab', 'seen')).toBe(1)
  expect((await api.metrics()).match(/^remote_views_total/gm)?.length).toBeLessThan(1001)
})

test('an address may send 120 reports a minute', async () => {
  const answers = await Promise.all(
    Array.from({ length: 130 }, () => send(failureReport, '10.2.0.1')),
  )
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused).toHaveLength(10)
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0)
})

const [view] = visitReport.views
const visit = (...views: object[]) =>
  send({ ...visitReport, views: views.map((more) => ({ ...view, ...more })) })
const errors = async (query: string): Promise<RemoteError[]> =>
  (await api.call({ url: `/api/reports/errors?${query}`, key: REPORTS_KEY })).body.data

test('views are counted by remote, version and fact', async () => {
  await visit(
    { version: '1.0.0-a' },
    { version: '1.0.0-a', threw: undefined, paintedLate: true },
    { version: '1.0.0-b', threw: undefined, failed: true },
  )
  // Earlier shells send the route.
  await visit({ version: '1.0.0-a', route: '/lucky_draw', threw: undefined, answeredLate: true })
  const facts = ['seen', 'threw', 'failed', 'paintedLate', 'answeredLate']
  const countsOf = (version: string) =>
    Promise.all(facts.map((fact) => viewCount('mf-auth', version, fact)))
  expect(await countsOf('1.0.0-a')).toEqual([3, 1, 0, 1, 1])
  expect(await countsOf('1.0.0-b')).toEqual([1, 0, 1, 0, 0])
})

test('the first scrape of a release shows its counters as 0', async () => {
  await visit({ remote: 'mf-first' })
  const first = await api.metrics()
  expect(first).toContain(
    'remote_views_total{remote="mf-first",version="1.0.0-0123456789ab",fact="threw"} 0\n',
  )
  await visit({ remote: 'mf-first' })
  expect(await viewCount('mf-first', '1.0.0-0123456789ab', 'threw')).toBe(2)
})

test('six views a minute of an address are counted', async () => {
  const visitFrom = (remote: string, address: string) =>
    send({ ...visitReport, views: Array(20).fill({ ...view, remote }) }, address)
  const seen = (remote: string) => viewCount(remote, '1.0.0-0123456789ab', 'seen')

  for (let n = 0; n < 3; n++) expect((await visitFrom('mf-flooded', '10.3.0.1')).status).toBe(200)
  expect(await seen('mf-flooded')).toBe(6)

  for (let n = 0; n < 40; n++) await visitFrom('mf-flooded-too', `2001:db8:1:${n % 20}::1`)
  expect(await seen('mf-flooded-too')).toBe(60)
})

const throwIn = (remote: string, message: string, stack: string) =>
  send({
    ...failureReport,
    'remote.name': remote,
    'remote.phase': 'error',
    'exception.message': message,
    'exception.stacktrace': stack,
  })

test('an error is stored once, with count and times', async () => {
  const [message, stack] = ['x is not a function', 'f /mf-history/1.0.0-0123456789ab/Page.js:1:2']
  await throwIn('mf-history', message, stack)
  await throwIn('mf-history', message, stack)
  await throwIn('mf-history', message, stack.replace('1:2', '7:1'))
  await send({ ...failureReport, 'remote.name': 'mf-history', 'remote.phase': 'deadline' })
  const found = await errors('remote=mf-history')
  expect(found.map(({ count }) => count).sort()).toEqual([1, 2])
  expect(found.find(({ count }) => count === 2)).toMatchObject({
    version: '1.0.0-0123456789ab',
    phase: 'error',
    message,
    stack,
    route: '/login',
    firstAt: expect.stringMatching(/^20/),
  })
  await throwIn('mf-history', message, stack)
  expect((await errors('remote=mf-history')).map(({ count }) => count).sort()).toEqual([1, 3])
})

test('a reading waits for the writing that has begun', async () => {
  const collected = collectErrors(api.database, console.error)
  const [remote, version] = ['mf-late', '1.0.0-0123456789ab']
  collected.add({ ...failureReport, 'remote.name': remote, 'remote.phase': 'error' })
  let reading: Promise<string> | undefined
  await api.holding('LOCK TABLE remote_error', async () => {
    void collected.flush()
    reading = collected.flush().then(() => 'read')
    const soon = new Promise<string>((resolve) => setImmediate(resolve, 'waits'))
    expect(await Promise.race([reading, soon])).toBe('waits')
  })
  expect(await reading).toBe('read')
  expect(await errors(`remote=${remote}`)).toMatchObject([{ version, count: 1 }])
  await collected.close()
})

test('errors with differently split texts stay apart', async () => {
  await Promise.all([throwIn('mf-cut', 'a\nb', 'c'), throwIn('mf-cut', 'a', 'b\nc')])
  expect(await errors('remote=mf-cut')).toHaveLength(2)
})

test('forged names displace no new error, and fill no table', async () => {
  await api.sql(
    `INSERT INTO remote_error SELECT n, 'mf-' || n, '1', 'error', 'x', '', '/', 1, now(), now()
     FROM generate_series(1, 6000) n`,
  )
  await throwIn('mf-new', 'x', '')
  expect(await errors('remote=mf-new')).toHaveLength(1)
  expect((await api.sql('SELECT FROM remote_error')).length).toBeLessThanOrEqual(5000)
})

test('forged errors of a version displace no new or frequent one', async () => {
  for (let n = 0; n < 5; n++) await throwIn('mf-flood', 'frequent', '')
  await errors('remote=mf-flood')
  for (let n = 0; n < 200; n++) await throwIn('mf-flood', `forged ${n >> 1}`, '')
  await errors('remote=mf-flood')
  await throwIn('mf-flood', 'new', '')
  const messages = (await errors('remote=mf-flood')).map(({ message }) => message)
  expect(messages).toEqual(expect.arrayContaining(['frequent', 'new']))
  expect(messages.length).toBeLessThanOrEqual(50)
})

test('six failures a minute of an address are counted', async () => {
  for (let n = 0; n < 40; n++) {
    const report = { ...failureReport, 'remote.name': 'mf-one', 'remote.phase': 'error' }
    expect((await send(report, '10.5.0.1')).status).toBe(200)
  }
  expect(await errors('remote=mf-one')).toMatchObject([{ count: 6 }])
})

test('a header after a thousand others names the caller', async () => {
  const many = Object.fromEntries(Array.from({ length: 1100 }, (_, n) => [`a${n}`, '']))
  const payload = { ...failureReport, 'remote.name': 'mf-many' }
  for (let n = 0; n < 7; n++) {
    const headers = { ...many, 'x-forwarded-for': `10.6.0.${n}` }
    expect((await api.call({ url: '/api/reports', payload, headers })).status).toBe(200)
  }
  // Of one address, six would be counted.
  expect(await failureCount('remote="mf-many"')).toBe(7)
})

test('only versions that the site has published are accepted', async () => {
  const integrity = `sha384-${'a'.repeat(64)}`
  const current = fakeRelease('1.0.0-current', { integrity })
  const canary = { percent: 5, release: fakeRelease('1.0.0-canary', { integrity }) }
  const composition = fakeComposition({
    shell: { version: '1.0.0-shell', contract: '1.0' },
    remotes: { 'mf-auth': fakeRemote({ current, canary }) },
  })
  const site = createServer((_request, response) => response.end(JSON.stringify(composition)))
  const careful = await startTestApi({ env: await envOf(site) })
  const report = async (remote: string, version: string) => {
    const payload = { ...failureReport, 'remote.name': remote, 'remote.version': version }
    return (await careful.call({ url: '/api/reports', payload })).status
  }
  expect(await report('mf-auth', '1.0.0-current')).toBe(200)
  site.close()
  expect(await report('mf-auth', '1.0.0-canary')).toBe(200)
  expect(await report('shell', '1.0.0-shell')).toBe(200)
  expect(await report('page', '')).toBe(200)
  expect(await report('mf-auth', '1.0.0-forged')).toBe(400)
  expect(await report('mf-forged', '1.0.0-current')).toBe(400)
  const forged = { ...visitReport, views: [{ ...view, version: '1.0.0-forged' }] }
  expect((await careful.call({ url: '/api/reports', payload: forged })).status).toBe(400)
})

test('a report that waits for the site takes no place from members', async () => {
  const asked = pending<() => void>()
  const site = createServer((_request, response) => asked.resolve(() => response.end()))
  const limits = { running: 1, waiting: 0 }
  const careful = await startTestApi({ env: await envOf(site), limits })
  const reported = careful.call({ url: '/api/reports', payload: failureReport })
  const answer = await asked.promise
  expect((await careful.login(await careful.addMember())).status).toBe(200)
  answer()
  expect((await reported).status).toBe(400)
  site.close()
})

test.each([
  [400, 'remote=%00'],
  [400, 'since=0000-01-01T00:00:00Z'],
  [400, 'since=1999-12-31T00:00:00Z'],
  [200, 'since=2025-01-01T00:00:00%2B23:59'],
])('HTTP %i answers a query of reports by %s', async (status, query) => {
  expect((await api.call({ url: `/api/reports/errors?${query}`, key: REPORTS_KEY })).status).toBe(
    status,
  )
})

test('errors are removed after 30 days', async () => {
  await throwIn('mf-old', 'x', '')
  expect(await errors('remote=mf-old')).toHaveLength(1)
  await api.sql("UPDATE remote_error SET last_at = last_at - interval '29 days'")
  await pruneErrorReports(api.database)
  expect(await api.sql('SELECT FROM remote_error')).not.toEqual([])
  await api.sql("UPDATE remote_error SET last_at = last_at - interval '2 days'")
  await pruneErrorReports(api.database)
  expect(await api.sql('SELECT FROM remote_error')).toEqual([])
})
