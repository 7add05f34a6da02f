import { afterAll, expect, test } from '@jest/globals'
import { failureReport } from '../../test/failure-report.ts'
import { startTestApi } from '../../test/test-api.ts'

const api = await startTestApi({ env: { TRUST_PROXY: '1' } })
afterAll(() => api.close())

const send = (payload: unknown, headers: Record<string, string> = {}) =>
  api.call({ url: '/api/reports', payload, headers })
async function counted(labels: string) {
  const { body } = await api.call({ url: '/metrics' })
  const line = String(body)
    .split('\n')
    .find((text) => text.startsWith(`remote_failures_total{${labels}`))
  return Number(line?.split(' ').at(-1) ?? 0)
}

test('a report is counted by remote, version, phase and what came next', async () => {
  expect((await send(failureReport)).status).toBe(200)
  // As sendBeacon sends a string.
  const asText = await send(JSON.stringify(failureReport), { 'content-type': 'text/plain;charset=UTF-8' })
  expect(asText.status).toBe(200)
  expect(
    await counted('remote="mf-auth",version="1.0.0-0123456789ab",phase="integrity",next="other-version"'),
  ).toBe(2)
})

test.each([
  ['an unknown phase', { ...failureReport, 'remote.phase': 'weather' }],
  ['a name that is none', { ...failureReport, 'remote.name': '"} evil 1\n' }],
  ['a version that is none', { ...failureReport, 'remote.version': '<script>' }],
  ['a missing composition', { ...failureReport, 'composition.number': undefined }],
  ['no object', 'x'],
  ['a poisoned prototype', '{"__proto__":{"x":1}}'],
])('%s is refused', async (_name, payload) => {
  expect((await send(payload, { 'content-type': 'text/plain' })).status).toBe(400)
})

test('a large body is refused', async () => {
  expect((await send({ ...failureReport, 'exception.message': 'x'.repeat(5000) })).status).toBe(413)
})

test('names that nobody published fill up no memory', async () => {
  const addresses = Array.from({ length: 250 }, (_, index) => index)
  await Promise.all(
    addresses.map((index) =>
      send({ ...failureReport, 'remote.name': `made-up-${index}` }, { 'x-forwarded-for': `10.0.${index}.1` }),
    ),
  )
  expect(await counted('remote="other",version=""')).toBeGreaterThan(0)
})

test('one address is heard 120 times a minute', async () => {
  const answers = await Promise.all(Array.from({ length: 130 }, () => send(failureReport)))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThanOrEqual(10)
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0)
})
