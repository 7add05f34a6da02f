import { type DeployServer, startDeployServer } from '../../test/deploy-server.ts'
import {
  missionsBuild,
  newSite,
  recordOf,
  remoteBuild,
  serve,
  shellBuild,
} from '../../test/fixture-builds.ts'
import { run } from '../../test/run.ts'
import type { Action } from '../control/actions.ts'
import type { FileTarget } from '../target/file-target.ts'
import { startCanary } from '../verbs/canary.ts'
import { configure } from '../verbs/configure.ts'
import { publish } from '../verbs/publish.ts'

const basic = (token: string) => `Basic ${Buffer.from(`ann:${token}`).toString('base64')}`
const HERE = { 'sec-fetch-site': 'same-origin' }

let target: FileTarget
let server: DeployServer
/** Tokens of everything, and of mf-missions. */
let all: string
let minh: string
let authorization: string
beforeEach(async () => {
  target = await newSite(await shellBuild(), await remoteBuild(), await missionsBuild())
  await publish(target, [await remoteBuild({ text: 'two' })])
  server = await startDeployServer(target)
  all = await server.tokenFor('ann', '*')
  minh = await server.tokenFor('minh', 'mf-missions')
  authorization = basic(all)
})
afterEach(() => server.close())

async function call(path: string, init: RequestInit = {}) {
  const url = `${server.url}/control${path}`
  const response = await fetch(url, { redirect: 'manual', ...init })
  return { status: response.status, headers: response.headers, page: await response.text() }
}

const get = (path = '') => call(path, { headers: { authorization } })
const post = (path: string, headers: Record<string, string> = HERE) =>
  call(path, { method: 'POST', headers: { authorization, ...headers } })

const actPath = (verb: Action['verb'], from: number, name = 'mf-auth') =>
  `/act?verb=${verb}&name=${name}&from=${from}`
const act = (verb: Action['verb'], from: number, name = 'mf-auth') => post(actPath(verb, from, name))

const number = async () => (await recordOf(target)).number
const remote = async () => (await recordOf(target)).remotes['mf-auth']

test('figures are there as soon as the configuration says where they are', async () => {
  expect((await get()).page).toContain('DEPLOY_REPORTS')
  const reports = await serve((_request, response) => response.end('{"data":[]}'))
  await configure(target, { reportUrl: reports })
  expect((await get()).page).toContain('<p>0 views in the last 2 hours')
})

test('a page of it loads and runs nothing, and nobody may frame it', async () => {
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

test('who may change one package presses no buttons of others', async () => {
  authorization = basic(minh)
  for (const press of [act('disable', 2), act('undo', 2, ''), get(actPath('rollback', 2))]) {
    const { status, page } = await press
    expect(status).toBe(409)
    expect(page).toMatch(/mf-auth<\/strong>: minh may change mf-missions/)
  }
  expect(await number()).toBe(2)
  expect((await act('disable', 2, 'mf-missions')).status).toBe(303)
  expect((await recordOf(target)).change.by).toBe('minh')
})

test('without a token the browser is asked for one, and nothing is shown or done', async () => {
  const wrong = [basic(''), basic(`${all}x`), basic(all.slice(1)), `Basic ${all}`, `Bearer ${all}`]
  for (const given of ['', ...wrong]) {
    const headers = { ...HERE, authorization: given }
    const shown = await call('', { headers })
    expect(shown.status).toBe(401)
    expect(shown.headers.get('www-authenticate')).toMatch(/^Basic /)
    expect(shown.page).not.toContain('mf-auth')
    expect((await call(actPath('rollback', 2), { headers, method: 'POST' })).status).toBe(401)
  }
  expect(await number()).toBe(2)
})

test.each([
  {},
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'none' },
])('a form that is not from here is refused: %j', async (headers: Record<string, string>) => {
  expect((await post(actPath('rollback', 2), headers)).status).toBe(403)
  expect(await number()).toBe(2)
})

test('a browser that says only its origin, over plain http, is let in; what is no action is refused', async () => {
  expect((await post(actPath('disable', 2), { origin: server.url })).status).toBe(303)
  expect((await post('/act?verb=prune&name=mf-auth&from=2')).status).toBe(400)
  expect((await post('/act?verb=rollback&name=mf-auth')).status).toBe(400)
  expect((await get('/other')).status).toBe(404)
})

test('asked first: it says what would happen, and changes nothing', async () => {
  const { status, page } = await get(actPath('rollback', 2))
  expect(status).toBe(200)
  expect(page).toMatch(/<strong>mf-auth 1\.0\.0-\w+ → 1\.0\.0-\w+<\/strong>.*becomes composition 3/s)
  expect(page).toContain('<form method="post"><button class="button primary">Roll back mf-auth')
  expect((await get(actPath('enable', 2))).page).toMatch(/The site is so already(?!.*<form)/s)
  expect(await number()).toBe(2)
})

test('each verb is that of the command line, by whoever pressed', async () => {
  await startCanary(target, [await remoteBuild({ text: 'three' })], 5)
  const version = (await remote())?.canary?.release.version
  expect((await get()).page).toMatch(new RegExp(`Canary <code title="${version}">.* for 5 %`))
  const pressed: [Action['verb'], RegExp][] = [
    ['promote', /^promote: mf-auth \S+ → \S+$/],
    ['undo', /^rollback: the whole site as of 3$/],
    ['stop-canary', /^canary: mf-auth canary \S+ stopped$/],
    ['rollback', /^rollback: mf-auth \S+ → \S+$/],
    ['disable', /^disable: mf-auth off$/],
    ['enable', /^enable: mf-auth on$/],
  ]
  for (const [n, [verb, done]] of pressed.entries()) {
    const { status, headers } = await act(verb, 3 + n, verb === 'undo' ? '' : 'mf-auth')
    expect([status, headers.get('location')]).toEqual([303, '/control'])
    const { change } = await recordOf(target)
    expect(`${change.verb}: ${change.summary}`).toMatch(done)
    expect(change.by).toBe('ann')
  }
})

test.each(['rollback', 'disable', 'promote', 'stop-canary'] as const)(
  '%s is refused when what it is about has changed since it was seen',
  async (verb) => {
    await startCanary(target, [await remoteBuild({ text: 'three' })], 5)
    await startCanary(target, [await remoteBuild({ text: 'four' })], 5)
    const { status, page } = await act(verb, 3)
    expect(status).toBe(409)
    expect(page).toMatch(/Refused. Nothing was changed.*changed since composition 3.*canary/s)
    expect(await number()).toBe(4)
    expect((await act(verb, 4)).status).toBe(303)
  },
)

test('the verb serves nothing without an access file', async () => {
  const { code, err } = await run('server', '--access', '/nowhere/none.json', '--site', target.root)
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('none.json') })
})
