import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  newSite,
  publishTo,
  recordOf,
  remoteBuild,
  serve,
  shellBuild,
  type TestSite,
} from '@anniversary/deploy/test/fixture-builds'
import { changeSettings } from '@anniversary/deploy/verbs/configure'
import type { RemoteError } from '@anniversary/shared/contract/report'
import { SourceMapGenerator } from 'source-map-js'
import { run } from '../../test/run.ts'
import { groupPageErrors } from './page-errors.ts'

/**
 * A build whose page has a source map: the column's start is line 42 of the
 * source.
 */
async function mappedBuild(text: string, column: number): Promise<string> {
  const folder = await remoteBuild({ text })
  const map = new SourceMapGenerator()
  map.addMapping({
    source: 'mf-auth/src/LoginPage.tsx',
    original: { line: 42, column: 4 },
    generated: { line: 1, column },
  })
  await mkdir(join(folder, 'source-maps'))
  await writeFile(join(folder, 'source-maps/LoginPage.js.map'), map.toString())
  await writeFile(join(folder, 'source-maps/LoginPage.css.map'), '{}')
  return folder
}

let site: TestSite
let versions: string[]
beforeAll(async () => {
  site = await newSite(shellBuild(), mappedBuild('one', 100))
  await publishTo(site, mappedBuild('two', 200))
  const remote = (await recordOf(site)).remotes['mf-auth']
  versions = [remote?.previous?.version ?? '', remote?.current.version ?? '']
})

let answer: readonly RemoteError[] = []
let asked = ''
beforeEach(async () => {
  const api = await serve((request, response) => {
    asked = request.url ?? ''
    response.statusCode = request.headers.authorization === 'Bearer secret' ? 200 : 401
    response.end(JSON.stringify({ status_code: response.statusCode, data: answer }))
  })
  process.env.DEPLOY_REPORTS = `${api}/api/reports`
  process.env.DEPLOY_REPORTS_KEY = 'secret'
})

async function ask(...args: string[]) {
  const { out, err, code } = await run(...args, '--site', site.root)
  return { code, text: out + err }
}

const error = (version: number, column: number, more: Partial<RemoteError> = {}): RemoteError => ({
  remote: 'mf-auth',
  version: versions[version] ?? '',
  phase: 'error',
  message: 'x is not a function',
  stack: `onClick /mf-auth/${versions[version]}/LoginPage.js:1:${column}\n? /shell/immutable/vendor.js:2:5`,
  route: '/login',
  count: 3,
  firstAt: '2026-01-02T10:00:00+07:00',
  lastAt: '2026-01-02T11:00:00+07:00',
  ...more,
})

test('an error of two versions is one group with its source', async () => {
  answer = [
    error(1, 201),
    error(0, 101, { count: 4, route: '/check', lastAt: '2026-01-02T12:00:00+07:00' }),
    // Of a file without a map, and a line that is no frame.
    error(1, 201, { message: 'another', stack: `f /mf-auth/${versions[1]}/Other.js:1:9\n` }),
  ]
  const { text, code } = await ask('errors', 'mf-auth', '--hours', '48')
  expect(code).toBe(0)
  expect(asked).toMatch(/^\/api\/reports\/errors\?since=20.*&remote=mf-auth$/)
  expect(text).toMatch(
    /^7 × mf-auth error: x is not a function\n {4}mf-auth\/src\/LoginPage.tsx:42:5\n {4}\/shell\/immutable\/vendor.js:2:5\n/,
  )
  expect(text).toContain(`/login, /check in ${versions[1]}, ${versions[0]}; first`)
  expect(text).toContain(`another\n    /mf-auth/${versions[1]}/Other.js:1:9\n    /login in`)
  expect(text.match(/×/g)).toHaveLength(2)
})

test('control characters of reports reach no terminal', async () => {
  const evil = '\u001b]52;c;eA==\u0007\u001b[2J\rx\u009b\n9 × mf-forged'
  answer = [error(1, 201, { message: evil, route: evil, stack: `f /mf-auth/${evil}:1:2` })]
  const { text } = await ask('errors')
  expect(text).toMatch(/^3 × mf-auth error: /)
  expect(text.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u)
  expect(text).not.toMatch(/^9 × mf-forged/m)
})

test('forged frames and broken maps hide no other error', async () => {
  const broken = `.deploy/source-maps/mf-auth/${versions[1]}/Broken.js.map`
  await site.write(broken, Buffer.from('{"version":3}'))
  const frames = [
    'LoginPage.js:1:0',
    'LoginPage.js:0:1',
    '../../../../../x.js:1:1',
    'Broken.js:1:1',
  ]
  const forged = frames.map((frame) =>
    error(1, 201, { stack: `f /mf-auth/${versions[1]}/${frame}` }),
  )
  answer = [...forged, error(1, 201)]
  const { text } = await ask('errors')
  await site.remove(broken)
  for (const place of ['LoginPage.tsx:42:5', ...frames]) expect(text).toContain(place)
})

test('invented files of a report are not read', async () => {
  const frames = Array.from(
    { length: 50 },
    (_, n) => `f /mf-auth/${versions[1]}/Made-up-${n}.js:1:${n + 1}`,
  )
  const read = import.meta.jest.spyOn(site, 'read')
  const stack = [error(1, 201).stack, ...frames].join('\n')
  const [group] = await groupPageErrors(site, [error(1, 201, { stack })])
  expect(read).toHaveBeenCalledTimes(1)
  expect(group?.places).toHaveLength(10)
})

test('`health` lists versions and their shares of bad views', async () => {
  const samples = (version: number, facts: Record<string, number>) =>
    Object.entries(facts).map(([fact, count]) => ({
      metric: { remote: 'mf-auth', version: versions[version], fact },
      value: [1_756_000_000.5, String(count)],
    }))
  const result = [
    ...samples(0, { seen: 150.4, threw: 1.6 }),
    ...samples(1, { seen: 200, threw: 40.2, failed: 0, paintedLate: 50, answeredLate: 1 }),
    // A version that is empty is no label.
    { metric: { remote: 'mf-auth', fact: 'seen' }, value: [1_756_000_000.5, '1'] },
  ]
  let query = ''
  process.env.DEPLOY_PROMETHEUS = await serve((request, response) => {
    query = new URL(request.url ?? '', 'http://prometheus').searchParams.get('query') ?? ''
    response.end(JSON.stringify({ status: 'success', data: { resultType: 'vector', result } }))
  })
  const { text } = await ask('health', 'mf-auth', '--hours', '3')
  expect(query).toBe(
    'sum by (remote, version, fact) (increase(remote_views_total{remote="mf-auth"}[3h]))',
  )
  expect(text).toMatch(/^version +views +threw +did not load +painted late +answered late\n/)
  expect(text).toMatch(new RegExp(`\n${versions[1]} +current +200 +20 % +0\\.0 % +25 % +0\\.5 %\n`))
  expect(text).toMatch(new RegExp(`\n${versions[0]} +earlier +150 +1\\.3 % +0\\.0 %`))
})

test('a wrong key and a silent API are named', async () => {
  process.env.DEPLOY_REPORTS_KEY = 'wrong'
  expect((await ask('errors')).text).toMatch(/requires a key: set DEPLOY_REPORTS_KEY/)
  const nowhere = 'http://127.0.0.1:1/api/reports'
  process.env.DEPLOY_REPORTS = nowhere
  expect(await ask('errors')).toEqual({
    code: 1,
    text: expect.stringContaining(`${nowhere}/errors?since=20`),
  })
  delete process.env.DEPLOY_REPORTS
  expect((await ask('errors')).code).toBe(2)
})

test('the key is never sent to an address of the configuration', async () => {
  const asked: unknown[] = []
  const listener = await serve((request, response) => {
    asked.push(request.headers.authorization)
    response.end('{"data":[]}')
  })
  await changeSettings(site, { reportUrl: listener })
  delete process.env.DEPLOY_REPORTS
  expect(await ask('errors', 'mf-auth')).toMatchObject({
    code: 2,
    text: expect.stringContaining('DEPLOY_REPORTS'),
  })
  expect(asked).toEqual([])
})

test('source maps are stored apart, and no version depends on them', async () => {
  const stored = async () =>
    (await site.list('.deploy/source-maps')).map((path) => path.split('/').slice(2).join('/'))
  expect(await stored()).toEqual(
    versions.map((version) => `mf-auth/${version}/LoginPage.js.map`).sort(),
  )
  expect((await publishTo(site, remoteBuild({ text: 'two' }))).changed).toBe(false)
  expect((await site.list('mf-auth')).filter((path) => path.includes('map'))).toEqual([])
})
