import { pointerTo } from '@anniversary/deploy/site/compose'
import { readSitePointer } from '@anniversary/deploy/site/record'
import { recordOf } from '@anniversary/deploy/test/fixture-builds'
import { access, all, as, target, url } from '../../test/deploy-server.ts'
import { addAccessToken } from './access.ts'

let token: string
let canary: string
beforeEach(async () => {
  token = await addAccessToken(access, 'alertmanager', ['*'], 'stop-canaries')
  canary = (await recordOf(target)).remotes['mf-a']?.canary?.release.version ?? ''
})

/** Alertmanager sends more members than are used. */
const alert = (version: string, status = 'firing') => ({
  status,
  labels: { alertname: 'CanaryThrows', remote: 'mf-a', version, fact: 'threw', severity: 'page' },
  annotations: { summary: 'throws' },
  startsAt: '2026-01-02T10:00:00Z',
  fingerprint: 'c0ffee',
})
const notify = async (alerts: readonly object[], by = token) =>
  await fetch(`${url}/alerts`, {
    method: 'POST',
    headers: { authorization: `Bearer ${by}` },
    body: JSON.stringify({ version: '4', status: 'firing', receiver: 'deploy-server', alerts }),
  })
const canaryNow = async () => (await recordOf(target)).remotes['mf-a']?.canary?.release.version

test('a firing alert stops its canary and stands in the history', async () => {
  expect((await notify([alert(canary)])).status).toBe(200)
  expect(await canaryNow()).toBeUndefined()
  const { number, change } = await recordOf(target)
  expect(change).toMatchObject({
    verb: 'canary stop',
    by: 'alertmanager',
    packages: ['mf-a'],
    summary: `mf-a canary ${canary} stopped by the alert CanaryThrows`,
  })

  // Alertmanager repeats an alert while it fires.
  expect((await notify([alert(canary)])).status).toBe(200)
  expect((await recordOf(target)).number).toBe(number)
})

test('a repeated alert writes the pages that the first one could not write', async () => {
  const { jest } = import.meta
  const silent = jest.spyOn(console, 'error').mockImplementation(() => undefined)
  const write = jest.spyOn(target, 'write').mockRejectedValue(new Error('disk full'))
  expect((await notify([alert(canary)])).status).toBe(503)
  expect(await canaryNow()).toBeUndefined()
  write.mockRestore()
  silent.mockRestore()
  expect((await notify([alert(canary)])).status).toBe(200)
  expect(await readSitePointer(target)).toEqual(pointerTo(await recordOf(target)))
})

test.each([
  ['a resolved alert', () => alert(canary, 'resolved')],
  ['an alert about another version', () => alert('1.0.0-0123456789ab')],
  ['an alert about no release', () => ({ status: 'firing', labels: { alertname: 'ApiDown' } })],
])('%s stops no canary', async (_what, sent) => {
  expect((await notify([sent()])).status).toBe(200)
  expect(await canaryNow()).toBe(canary)
})

test('only a token for it stops canaries, and that token does nothing else', async () => {
  for (const other of [all, '', `${token}x`])
    expect((await notify([alert(canary)], other)).status).toBe(401)
  expect(await canaryNow()).toBe(canary)

  expect(await as(token, 'canary', 'stop', 'mf-a')).toMatchObject({
    code: 1,
    err: expect.stringContaining('This token is unknown'),
  })
  expect((await as(token, 'status')).code).toBe(1)
  const authorization = `Basic ${Buffer.from(`x:${token}`).toString('base64')}`
  expect((await fetch(`${url}/control`, { headers: { authorization } })).status).toBe(401)
  const bearer = { authorization: `Bearer ${token}` }
  expect((await fetch(`${url}/metrics`, { headers: bearer })).status).toBe(401)
})

test('what is no notification is refused', async () => {
  expect((await notify([{ status: 'firing', labels: { alertname: 'a\u001b[2J' } }])).status).toBe(
    400,
  )
  expect((await notify([{ ...alert(canary), note: 'x'.repeat(2 ** 18) }])).status).toBe(413)
  expect((await fetch(`${url}/alerts`)).status).not.toBe(200)
  expect(await canaryNow()).toBe(canary)
})
