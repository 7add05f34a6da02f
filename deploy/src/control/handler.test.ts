import { readFile } from 'node:fs/promises'
import { missionsBuild, newSite, recordOf, remoteBuild, shellBuild } from '../../test/fixture-builds.ts'
import { run } from '../../test/run.ts'
import { listen, type SiteServer } from '../serve/server.ts'
import type { FileTarget } from '../target/file-target.ts'
import { startCanary } from '../verbs/canary.ts'
import { publish } from '../verbs/publish.ts'
import type { ActionRequest } from './actions.ts'
import { controlHandler, isControlPath } from './handler.ts'
import type { ControlState } from './state.ts'

const KEY = 'a key of the night'

let target: FileTarget
let server: SiteServer
beforeEach(async () => {
  target = await newSite(await shellBuild(), await remoteBuild(), await missionsBuild())
  await publish(target, [await remoteBuild({ text: 'two' })])
  server = await listen('127.0.0.1', 0)
  server.open(controlHandler({ target, key: KEY, source: null }))
})
afterEach(() => server.close())

async function call(path: string, init: RequestInit = {}, key: string | null = KEY) {
  const response = await fetch(`http://127.0.0.1:${server.port}/control${path}`, {
    ...init,
    headers: { ...(key !== null && { authorization: `Bearer ${key}` }), ...init.headers },
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type') === 'application/json'
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : null }
}

const post = (body: object, headers: Record<string, string> = {}) =>
  call('/act', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })

const act = (action: ActionRequest['action'], from: number, dryRun = false) =>
  post({ action, from, by: 'ann', dryRun })

const number = async () => (await recordOf(target)).number
const remote = async (name = 'mf-auth') => (await recordOf(target)).remotes[name]

test('the page is for everybody, and holds nothing of the site', async () => {
  const { status, headers, text } = await call('', {}, null)
  expect(status).toBe(200)
  expect(headers.get('cache-control')).toBe('no-store')
  expect(headers.get('content-security-policy')).toBe("frame-ancestors 'none'")
  expect(text).toMatch(
    /script-src 'sha256-[^']+'; style-src 'sha256-[^']+';.*require-trusted-types-for 'script'/,
  )
  expect(text).toContain('<script type="application/json" id="state">null</script>')
  expect(text).not.toContain('mf-auth')
})

test('its path is its own, and no page of the site', () => {
  expect(['/control', '/control/', '/control/state', '/control?x'].map(isControlPath)).not.toContain(false)
  expect(['/controls', '/', '/api/control'].map(isControlPath)).not.toContain(true)
})

test('what is live, since when, by whom; history with differences; no figures and why', async () => {
  const { status, json } = await call('/state')
  const state: ControlState = json
  expect(status).toBe(200)
  expect(state.packages.map(({ name, status: on, since }) => [name, on, since?.number])).toEqual([
    ['shell', 'on', 1],
    ['mf-auth', 'on', 2],
    ['mf-missions', 'on', 1],
  ])
  expect(state.history.map((step) => [step.number, step.verb])).toEqual([
    [2, 'publish'],
    [1, 'publish'],
  ])
  expect(state.history[0]?.differences?.[0]).toMatchObject({ about: 'mf-auth', what: 'version' })
  expect(state.feel.problem).toContain('DEPLOY_REPORTS')
})

test('without the key, or with another, nothing is told or done', async () => {
  for (const key of [null, '', `${KEY}x`, KEY.slice(1)]) {
    expect((await call('/state', {}, key)).status).toBe(401)
    expect((await call('/act', { method: 'POST', body: '{}' }, key)).status).toBe(401)
  }
  expect(await number()).toBe(2)
})

test('after ten wrong keys an address waits, also with the right one; others do not', async () => {
  // From one minute to the next all may try again: then it counts anew.
  const tries = async () => {
    for (let n = 0; n < 10; n += 1) await call('/state', {}, 'wrong')
    return await call('/state')
  }
  let last = await tries()
  if (last.status === 200) last = await tries()
  expect(last.status).toBe(429)
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await call('/state', { headers: { 'x-forwarded-for': '10.0.0.1' } })).status).toBe(200)
})

test.each([
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
])('a call from elsewhere is refused: %j', async (headers) => {
  const body = { action: { verb: 'rollback', name: 'mf-auth' }, from: 2, by: 'ann', dryRun: false }
  expect((await post(body, headers)).status).toBe(403)
  expect((await call('/state', { headers })).status).toBe(403)
  expect(await number()).toBe(2)
})

test('a form, a long body and what is no action are refused', async () => {
  expect((await call('/act', { method: 'POST', body: '{}' })).status).toBe(415)
  expect((await post({ action: 'x'.repeat(2000) })).status).toBe(415)
  expect((await post({ action: { verb: 'prune' }, from: 2, by: 'ann', dryRun: false })).status).toBe(400)
  expect((await act({ verb: 'rollback' }, 0)).status).toBe(400)
  expect((await call('/other')).status).toBe(404)
})

test('a dry run says what would happen, and changes nothing', async () => {
  const { status, json } = await act({ verb: 'rollback', name: 'mf-auth' }, 2, true)
  expect({ status, ...json }).toMatchObject({ status: 200, number: 3, changed: true })
  expect(json.summary).toMatch(/^mf-auth 1\.0\.0-\w+ → 1\.0\.0-\w+$/)
  expect(await number()).toBe(2)
})

test('a rollback is in the history, with who pressed', async () => {
  const before = (await remote())?.previous?.version
  expect((await act({ verb: 'rollback', name: 'mf-auth' }, 2)).status).toBe(200)
  expect((await remote())?.current.version).toBe(before)
  expect((await recordOf(target)).change).toMatchObject({ verb: 'rollback', by: 'ann (control page)' })
})

test('the last change of the whole site is undone', async () => {
  expect((await act({ verb: 'rollback' }, 2)).status).toBe(200)
  expect((await recordOf(target)).change.restored).toBe(1)
})

test('off and on', async () => {
  expect((await act({ verb: 'disable', name: 'mf-auth' }, 2)).status).toBe(200)
  expect((await remote())?.status).toBe('off')
  expect((await act({ verb: 'enable', name: 'mf-auth' }, 3)).status).toBe(200)
  expect((await remote())?.status).toBe('on')
})

test('a canary is shown, stopped, and promoted', async () => {
  const canary = await remoteBuild({ text: 'three' })
  await startCanary(target, canary, 5)
  const { json } = await call('/state')
  const version = (await remote())?.canary?.release.version
  expect(json.packages[1].canary).toEqual({ version, percent: 5 })
  expect((await act({ verb: 'stop-canary', name: 'mf-auth' }, 3)).status).toBe(200)
  expect((await remote())?.canary).toBeUndefined()
  await startCanary(target, canary, 5)
  expect((await act({ verb: 'promote', name: 'mf-auth' }, 5)).status).toBe(200)
  expect((await remote())?.current.version).toBe(version)
})

test.each(['rollback', 'disable', 'promote', 'stop-canary'] as const)(
  '%s is refused when what it is about has changed since it was seen',
  async (verb) => {
    await startCanary(target, await remoteBuild({ text: 'three' }), 5)
    await startCanary(target, await remoteBuild({ text: 'four' }), 5)
    const { status, json } = await act({ verb, name: 'mf-auth' }, 3)
    expect(status).toBe(409)
    expect(json.problems[0].found).toMatch(/changed since composition 3.*canary/)
    expect(await number()).toBe(4)
    expect((await act({ verb, name: 'mf-auth' }, 4)).status).toBe(200)
  },
)

test('a change of another package is no reason to refuse', async () => {
  await act({ verb: 'disable', name: 'mf-missions' }, 2)
  expect((await act({ verb: 'rollback', name: 'mf-auth' }, 2)).status).toBe(200)
})

test('the verb writes a file that only shows, and serves nothing without a key', async () => {
  const file = `${target.root}/control.html`
  const written = await run('control', '--out', file, '--site', target.root)
  expect(written).toMatchObject({ code: 0, out: expect.stringContaining('shows composition 2') })
  expect(await readFile(file, 'utf8')).toContain('"name":"mf-auth"')
  const { code, err } = await run('control', '--site', target.root)
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('CONTROL_KEY') })
})
