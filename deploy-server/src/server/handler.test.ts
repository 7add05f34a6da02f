import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { recordOf, serve, siteIn } from '@anniversary/deploy/test/fixture-builds'
import { changeCanary, startCanary } from '@anniversary/deploy/verbs/canary'
import { changeSettings } from '@anniversary/deploy/verbs/configure'
import { rollBackSite } from '@anniversary/deploy/verbs/rollback'
import { freePorts } from '@anniversary/shared/testing/free-ports'
import {
  access,
  all,
  gone,
  own,
  PROGRAM,
  quiet,
  startServerProcess,
  target,
  url,
} from '../../test/deploy-server.ts'
import type { Action } from '../control/actions.ts'

const basic = (token: string) => `Basic ${Buffer.from(`ann:${token}`).toString('base64')}`
const HERE = { 'sec-fetch-site': 'same-origin' }
const NOW = 5

async function call(path: string, init: RequestInit) {
  const response = await fetch(`${url}/control${path}`, { redirect: 'manual', ...init })
  return { status: response.status, headers: response.headers, page: await response.text() }
}
const get = (path = '', authorization = basic(all)) => call(path, { headers: { authorization } })
const post = (path: string, headers: Record<string, string> = {}) =>
  call(path, { method: 'POST', headers: { authorization: basic(all), ...headers } })

const actPath = (verb: Action['verb'], name = 'mf-b', from = NOW) =>
  `/act?verb=${verb}&name=${name}&from=${from}`

const newest = () => recordOf(target)

test('figures need DEPLOY_PROMETHEUS, and errors DEPLOY_REPORTS', async () => {
  const { page } = await get()
  expect(page).toContain('DEPLOY_PROMETHEUS')
  expect(page).toContain('DEPLOY_REPORTS')
  process.env.DEPLOY_REPORTS = await serve((_request, response) => response.end('{"data":[]}'))
  process.env.DEPLOY_PROMETHEUS = await serve((_request, response) =>
    response.end('{"data":{"result":[],"alerts":[]}}'),
  )
  expect((await get()).page).toContain('<p>0 views in the last 24 hours')
})

test('new errors are shown beside frequent ones', async () => {
  const data = Array.from({ length: 9 }, (_, n) => ({
    ...{ remote: 'mf-b', version: '1.0.0-a', phase: 'error', stack: '', route: '/' },
    ...{ message: `made ${n}`, count: 9 - n, firstAt: `2025-09-0${n + 1}`, lastAt: '2025-09-09' },
  }))
  process.env.DEPLOY_REPORTS = await serve((_request, response) =>
    response.end(JSON.stringify({ data })),
  )
  const shown = [...(await get()).page.matchAll(/made (\d)/g)].map(([, n]) => n)
  expect(shown.join('')).toBe('01238765')
})

test('slow figures hide no alarm', async () => {
  const labels = { alertname: 'RemoteThrows', remote: 'mf-b', version: '1.0.0-a' }
  const alerts = [{ state: 'firing', labels, annotations: { summary: 'throws' } }]
  process.env.DEPLOY_PROMETHEUS = await serve((request, response) => {
    if (request.url?.includes('/alerts')) response.end(JSON.stringify({ data: { alerts } }))
  })
  const { page } = await get()
  expect(page).toContain('RemoteThrows for 1.0.0-a: throws')
  expect(page).toContain('<p>Views did not come within 3 s.</p>')
})

test('the control page loads no script and cannot be framed', async () => {
  const { headers, page } = await get()
  expect(Object.fromEntries(headers)).toMatchObject({
    'cache-control': 'no-store',
    'content-security-policy': "frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
  })
  expect(page).toMatch(
    /content="default-src &#39;none&#39;; style-src &#39;sha256-[^ ]+&#39;; img-src data:; base-uri &#39;none&#39;; form-action &#39;self&#39;"/,
  )
  expect(page).not.toMatch(/<script|javascript:|src=/)
})

test('buttons for other packages are rejected', async () => {
  const ann = { ...HERE, authorization: basic(own) }
  const posts = [post(actPath('disable'), ann), post(actPath('undo', ''), ann)]
  for (const answer of [...posts, get(actPath('rollback'), basic(own))]) {
    const { status, page } = await answer
    expect(status).toBe(409)
    expect(page).toMatch(/mf-b<\/strong>: ann may change mf-a/)
  }
  expect((await newest()).number).toBe(NOW)
  expect((await post(actPath('disable', 'mf-a'), ann)).status).toBe(303)
  expect((await newest()).change.by).toBe('ann')
})

test('without a token nothing is shown or done', async () => {
  const wrong = ['', `${all}x`, all.slice(1), gone].map(basic)
  for (const authorization of ['', ...wrong, `Basic ${all}`, `Bearer ${all}`]) {
    const shown = await get('', authorization)
    expect(shown.status).toBe(401)
    expect(shown.headers.get('www-authenticate')).toMatch(/^Basic /)
    expect(shown.page).not.toContain('mf-')
    expect((await post(actPath('rollback'), { ...HERE, authorization })).status).toBe(401)
  }
  expect((await newest()).number).toBe(NOW)
})

test.each([
  {},
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'none' },
])('a form of another site is rejected: %j', async (headers: Record<string, string>) => {
  expect((await post(actPath('rollback'), headers)).status).toBe(403)
  expect((await newest()).number).toBe(NOW)
})

test('the host name of the site is not answered', async () => {
  await changeSettings(target, { eventUrl: `${url}/event` })
  for (const answer of [await get(), await post(actPath('disable', 'mf-b', NOW + 1), HERE)]) {
    expect(answer.status).toBe(403)
    expect(answer.page).toContain('needs a host name of its own')
  }
  expect((await newest()).number).toBe(NOW + 1)
})

test.each([
  { 'sec-fetch-dest': 'empty', 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-dest': 'iframe', 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-dest': 'document', ...HERE, referer: 'SITE/preview/0123/login' },
])('a page of a team on the same host reads and changes nothing: %j', async (given) => {
  const headers = JSON.parse(JSON.stringify(given).replace('SITE', url))
  const read = await call('', { headers: { authorization: basic(all), ...headers } })
  expect(read.status).toBe(403)
  expect(read.page).not.toContain('mf-b')
  expect((await post(actPath('disable'), headers)).status).toBe(403)
  expect((await newest()).number).toBe(NOW)
})

test('liveness is public, and metrics need a token', async () => {
  const at = (path: string, token = '') =>
    fetch(url + path, { headers: token ? { authorization: `Bearer ${token}` } : {} })
  const liveness = { status: 'ok', version: '1.0.0', commit: 'unknown' }
  expect(await (await at('/livez')).json()).toEqual(liveness)
  for (const token of ['', gone]) expect((await at('/metrics', token)).status).toBe(401)
  const metrics = await (await at('/metrics', own)).text()
  expect(metrics).toMatch(
    /^# HELP deploy_calls_total .*\n# TYPE deploy_calls_total counter\ndeploy_calls_total \d+$/m,
  )
  expect(metrics).toContain(`\ndeploy_composition ${NOW}\n`)
  expect(metrics).toContain(`\nbuild_info{version="1.0.0"`)
  const canary = (await newest()).remotes['mf-b']?.canary?.release.version
  expect(metrics).toContain(`deploy_release{remote="mf-b",version="${canary}",role="canary"} 1`)
})

test('a server finishes its calls on SIGTERM', async () => {
  const { child, address, ready } = await startServerProcess()
  const call = connect(Number(new URL(address).port), '127.0.0.1')
  const form =
    '--x\r\ncontent-disposition: form-data; name="call"\r\n\r\n{"args":["status"],"builds":[]}\r\n--x--\r\n'
  call.write(
    `POST /control/verb HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${own}\r\nconnection: close\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: ${form.length}\r\n\r\n`,
  )
  const headers = { authorization: `Bearer ${own}`, connection: 'close' }
  const metrics = async () => (await fetch(`${address}/metrics`, { headers })).text()
  while (!(await metrics()).includes('\ndeploy_calls_total 1\n')) await sleep(10)
  child.kill('SIGTERM')
  // Until it takes no new calls.
  while (await metrics().catch(() => '')) await sleep(10)
  call.write(form)
  expect(await text(call)).toContain('composition 5')
  const code = child.exitCode ?? (await once(child, 'close'))[0]
  expect(code).toBe(0)
  expect(ready).toContain('eventUrl is not set')
})

test('a server whose output cannot be written serves all the same', async () => {
  const [port] = await freePorts(1)
  const args = [PROGRAM, 'server', '--port', `${port}`, '--access', access, '--site', target.root]
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', openSync('/dev/full', 'w'), 'inherit'],
  })
  const ended = once(child, 'exit')
  const isUp = () =>
    fetch(`http://127.0.0.1:${port}/livez`).then(
      () => true,
      () => false,
    )
  while (child.exitCode === null && !(await isUp())) await sleep(20)
  child.kill()
  expect(await ended).toEqual([0, null])
})

test('unknown actions are rejected', async () => {
  expect((await post(actPath('disable'), { origin: url })).status).toBe(303)
  expect((await post('/act?verb=prune&name=mf-b&from=5', HERE)).status).toBe(400)
  expect((await post('/act?verb=rollback&name=mf-b', HERE)).status).toBe(400)
  expect((await get('/other')).status).toBe(404)
})

test('a confirmation says what would happen', async () => {
  const { status, page } = await get(actPath('promote'))
  expect(status).toBe(200)
  expect(page).toMatch(/<strong>mf-b 1\.0\.0-\w+ → 1\.0\.0-\w+<\/strong>.*becomes composition 6/s)
  expect(page).toContain('<form method="post"><button class="button primary">Promote mf-b')
  expect((await get(actPath('enable'))).page).toMatch(/No change\.(?!.*<form)/s)
  expect((await newest()).number).toBe(NOW)
})

test('each button does what its command does', async () => {
  const version = (await newest()).remotes['mf-b']?.canary?.release.version
  expect((await get()).page).toMatch(new RegExp(`Canary <code title="${version}">.* for 5 %`))
  const actions: [Action['verb'], RegExp][] = [
    ['promote', /^promote: mf-b \S+ → \S+$/],
    ['undo', /^rollback site: the whole site as of 5$/],
    ['stop-canary', /^canary stop: mf-b canary \S+ stopped$/],
    ['rollback', /^rollback: mf-b \S+ → \S+$/],
    ['disable', /^disable: mf-b off$/],
    ['enable', /^enable: mf-b on$/],
  ]
  for (const [n, [verb, done]] of actions.entries()) {
    const { status, headers } = await post(
      actPath(verb, verb === 'undo' ? '' : 'mf-b', NOW + n),
      HERE,
    )
    expect([status, headers.get('location')]).toEqual([303, '/control'])
    const { change } = await newest()
    expect(`${change.verb}: ${change.summary}`).toMatch(done)
    expect(change.by).toBe('on call')
  }
})

test('a killed rollback is shown, and finished by the button that is offered', async () => {
  const isOffered = async () => (await get()).page.includes('verb=rollback&amp;name=mf-b')
  await changeCanary(target, 'mf-b', 'nobody')
  expect(await isOffered()).toBe(true)
  const killed = siteIn(target.root)
  killed.write = () => Promise.reject(new Error('killed'))
  await expect(rollBackSite(killed, { name: 'mf-b' })).rejects.toThrow(/killed/)
  const warning =
    'pages still show composition 6, not 7: `deploy verify --repair` finishes it, or the same'
  expect((await get()).page).toContain(`<strong>${warning}`)
  expect(await isOffered()).toBe(true)
  expect((await post(actPath('rollback', 'mf-b', 7), HERE)).status).toBe(303)
  expect((await newest()).number).toBe(7)
  expect((await get()).page).not.toContain('pages still show')
  expect(await isOffered()).toBe(false)
})

test.each(['rollback', 'disable', 'promote', 'stop-canary'] as const)(
  '%s is rejected when its package changed meanwhile',
  async (verb) => {
    await startCanary(target, await quiet('mf-b', 'another'), 5)
    const { status, page } = await post(actPath(verb), HERE)
    expect(status).toBe(409)
    expect(page).toMatch(/Rejected. Nothing was changed.*changed since composition 5.*canary/s)
    expect((await newest()).number).toBe(6)
    expect((await post(actPath(verb, 'mf-b', 6), HERE)).status).toBe(303)
  },
)
