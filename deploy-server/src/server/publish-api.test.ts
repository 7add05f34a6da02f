import { createHash } from 'node:crypto'
import { readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PUBLISH_PATH } from '@anniversary/deploy/cli/call-server'
import { executeCommandLine, runDeployCli } from '@anniversary/deploy/cli/program'
import { pathOfRecord } from '@anniversary/deploy/site/record'
import { FileTarget } from '@anniversary/deploy/target/file-target'
import {
  contents,
  contextOf,
  missionsBuild,
  publishTo,
  serve,
} from '@anniversary/deploy/test/fixture-builds'
import { outputOf } from '@anniversary/deploy/test/run'
import { createPreview } from '@anniversary/deploy/verbs/preview'
import { verifySite } from '@anniversary/deploy/verbs/verify'
import {
  access,
  all,
  as,
  fresh,
  gone,
  live,
  own,
  previews,
  quiet,
  target,
  url,
} from '../../test/deploy-server.ts'
import { run } from '../../test/run.ts'
import { serverReports } from '../cli/report-answers.ts'
import { addAccessToken, revokeAccessToken } from './access.ts'

async function isTried(token: string, args: string[]): Promise<void> {
  const before = await contents(target)
  expect(await as(token, ...args, '--dry-run')).toMatchObject({ code: 0 })
  expect(await contents(target)).toEqual(before)
}

async function isRejected(token: string, args: string[], why: RegExp): Promise<void> {
  const before = await contents(target)
  const { code, out, err } = await as(token, ...args)
  expect({ args, isRejected: code !== 0, out }).toEqual({ args, isRejected: true, out: '' })
  expect(err).toMatch(why)
  expect(await contents(target)).toEqual(before)
}

const ABOUT: readonly [verb: string, args: (name: string) => string[]][] = [
  ['publish', (name) => ['publish', fresh[name] ?? '']],
  ['publish of what is live already', (name) => ['publish', live[name] ?? '']],
  ['preview', (name) => ['preview', fresh[name] ?? '']],
  ['preview --stop', (name) => ['preview', '--stop', previews[name] ?? '']],
  ['canary start', (name) => ['canary', 'start', fresh[name] ?? '', '--percent', '10']],
  ['canary set', (name) => ['canary', 'set', name, '--percent', '50']],
  ['canary stop', (name) => ['canary', 'stop', name]],
  ['promote', (name) => ['promote', name]],
  ['rollback', (name) => ['rollback', name]],
  ['rollback --number', (name) => ['rollback', name, '--number', '1']],
  ['disable', (name) => ['disable', name]],
  ['remove', (name) => ['remove', name]],
]
test.each(ABOUT)('%s needs a token for its package', async (_verb, args) => {
  await isRejected(
    own,
    args('mf-b'),
    /mf-b \(access\)\n.*ann may change mf-a\n.*Ask who may: on call/,
  )
  await isRejected(gone, args('mf-a'), /^✗ This token is unknown or was revoked\.$/m)
  await isTried(own, args('mf-a'))
  expect(await as(own, ...args('mf-a'))).toMatchObject({ code: 0 })
  expect(await as(all, ...args('mf-b'))).toMatchObject({ code: 0 })
  expect((await verifySite(target)).problems).toEqual([])
})

const soon = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+/, '')
const NOTICE = ['notice', 'Tin', '--until', soon]

describe('what kinds of tokens may', () => {
  const verbsOf = (allowed: readonly string[]) =>
    ABOUT.map(([verb, args]) => ({ verb, args, isAllowed: allowed.includes(verb) }))
  const PREVIEWS = ['preview', 'preview --stop']
  const PUBLISHES = [
    ...PREVIEWS,
    ...['publish', 'publish of what is live already'],
    ...['canary start', 'canary set', 'canary stop', 'promote'],
  ]

  test.each(verbsOf(PREVIEWS))('a token of branches: $verb', async ({ args, isAllowed }) => {
    const branch = await addAccessToken(access, 'branch', ['mf-a'], 'preview')
    if (isAllowed) expect(await as(branch, ...args('mf-a'))).toMatchObject({ code: 0 })
    else await isRejected(branch, args('mf-a'), /\(access\)\n.*branch is for preview only/)
    await isRejected(branch, args('mf-b'), /\(access\)/)
    expect((await as(branch, 'status')).code).toBe(0)
  })

  test.each(verbsOf(PUBLISHES))('a token of main: $verb', async ({ args, isAllowed }) => {
    const main = await addAccessToken(access, 'main', ['mf-a'], 'publish')
    if (isAllowed) expect(await as(main, ...args('mf-a'))).toMatchObject({ code: 0 })
    else await isRejected(main, args('mf-a'), /\(access\)\n.*main is for publish only/)
  })

  test.each(['preview', 'publish'] as const)('all packages, but %s only', async (may) => {
    const token = await addAccessToken(access, 'pipeline', ['*'], may)
    const calls = [['config', 'site=EVIL'], ['rollback'], NOTICE]
    if (may === 'preview') calls.push(['verify', '--repair'])
    for (const args of calls) await isRejected(token, args, /./)
  })
})

const FOR_ALL: readonly [what: string, args: () => string[]][] = [
  ['the configuration', () => ['config', 'site=EVIL']],
  ['a rollback over a change of somebody else', () => ['rollback']],
  ['a notice', () => NOTICE],
  ['the whole site as it was', () => ['rollback', '--number', '1']],
  ['setting the smoke test aside', () => ['publish', fresh['mf-a'] ?? '', '--no-smoke']],
  ['two packages at once', () => ['publish', fresh['mf-a'] ?? '', fresh['mf-b'] ?? '']],
]
test.each(FOR_ALL)('%s needs a token for all', async (_what, args) => {
  await isRejected(own, args(), /\(access\)/)
  await isRejected(gone, args(), /This token is unknown/)
  await isTried(all, args())
  expect(await as(all, ...args())).toMatchObject({ code: 0 })
})

test('repair finishes what a token may change, and replaces a record only for all', async () => {
  const repair = ['verify', '--repair']
  await isRejected(own, repair, /mf-b \(access\)/)
  const write = import.meta.jest.spyOn(target, 'write').mockRejectedValue(new Error('disk full'))
  const half = await as(own, 'canary', 'stop', 'mf-a')
  expect(half).toMatchObject({ code: 1, err: expect.stringContaining('verify --repair') })
  write.mockRestore()
  expect((await as(own, ...repair)).code).toBe(0)

  await target.write(pathOfRecord(1), Buffer.alloc(0))
  await isRejected(own, repair, /files outside packages \(access\)/)
  expect((await as(all, ...repair)).code).toBe(0)
})

test.each(['status', 'history', 'verify', 'config', 'headers'])(
  'any token may read: %s',
  async (verb) => {
    expect((await as(own, verb)).code).toBe(0)
    await isRejected(gone, [verb], /This token is unknown/)
  },
)

test.each([['enable mf-b'], ['canary set mf-b --percent 5']])(
  '%s is rejected although it changes nothing',
  async (line) => isRejected(own, line.split(' '), /mf-b \(access\)/),
)

test.each(['publish', 'preview'])(
  'a token revoked during the smoke test of a %s changes nothing',
  async (verb) => {
    // Known when the build is opened and when the record is derived.
    const standing = [true, true]
    const isKnown = async () => standing.shift() === true
    const context = contextOf(target, { packages: ['mf-a'], isKnown })
    const builds = [await quiet('mf-a', '7')]
    const before = await contents(target)
    const changing =
      verb === 'publish'
        ? publishTo(context, builds, { smoke: true })
        : createPreview(context, builds, { smoke: true, for: 60_000 })
    await expect(changing).rejects.toThrow(/revoked meanwhile/)
    expect(standing).toEqual([])
    expect(await contents(target)).toEqual(before)
  },
)

test('the hash of an empty token is no access', async () => {
  const hash = createHash('sha256').digest('hex')
  await writeFile(access, JSON.stringify([{ name: 'nobody', hash, packages: ['*'] }]))
  expect((await call('', ['disable', 'mf-a'])).status).toBe(401)
})

test('a publish is rejected when the server has no browser', async () => {
  process.env.CHROMIUM_PATH = '/nowhere/chromium'
  const page = await quiet('mf-a', '7', { routes: { '/a': { title: 'A', expose: './LoginPage' } } })
  await isRejected(own, ['publish', page], /the deploy server \(smoke\)[\s\S]*no Chromium/)
  await isRejected(all, ['preview', page], /the deploy server \(smoke\)/)
})

async function call(
  token: string,
  args: readonly string[],
  files: Record<string, string> = {},
  more = {},
) {
  const form = new FormData()
  form.set('call', JSON.stringify({ args, builds: ['./x'] }))
  for (const [name, content] of Object.entries(files)) form.set(name, new Blob([content]))
  const headers = { authorization: `Bearer ${token}`, ...more }
  return await fetch(url + PUBLISH_PATH, { method: 'POST', headers, body: form })
}

describe('what one call may spend', () => {
  test('a preview for years is rejected', async () => {
    await isRejected(
      own,
      ['preview', await quiet('mf-a', '7'), '--for', '900000d'],
      /--for \(access\)\n.*30 days/,
    )
  })

  test('no file of a build that the caller may not change is read', async () => {
    const build = await new FileTarget(fresh['mf-b'] ?? '').read('build.json')
    // Its missing files would be reported if they were read.
    const result = await (
      await call(own, ['publish', './x'], { '0/build.json': String(build) })
    ).json()
    expect(result).toMatchObject({ json: { problems: [{ rule: 'access', about: 'mf-b' }] } })
  })
})

test('no answer names a folder of the server', async () => {
  const broken = { '0/build.json': '{}' }
  const answers = [
    await (await call(own, ['publish', './x'], broken)).text(),
    (await as(own, 'status')).out,
    (await as(own, 'nginx')).err,
    (await as(own, 'verify', '--json')).out,
  ]
  for (const answer of answers)
    expect(answer).not.toMatch(new RegExp(`${target.root}|${tmpdir()}/deploy`))
  expect(answers[0]).toContain('./x')
})

describe('by hand', () => {
  test.each([
    ['another site', ['disable', 'mf-a', '--site', '/tmp/other']],
    ['another site, joined', ['--site=/tmp/other', 'status']],
    ['a server behind the server', ['status', '--to', 'https://evil.example']],
    ['an access file', ['server', '--access', '/tmp/x']],
    ['a token', ['token', 'add', 'eve', '--packages', '*']],
  ])('the publish API knows no %s', async (_what, args) => {
    const before = await contents(target)
    const result = await (await call(all, args)).json()
    expect(result).toMatchObject({ exitCode: 2, error: true })
    expect(await contents(target)).toEqual(before)
  })

  test('no option of the publish API names a place', async () => {
    const flags = new Set<string>()
    await executeCommandLine(
      ['status'],
      async ({ parent }) => {
        for (const verb of [parent, ...(parent?.commands ?? [])])
          for (const option of verb?.options ?? []) flags.add(option.flags)
        return { text: '' }
      },
      { reports: serverReports },
    )
    expect(flags).toContain('--no-smoke')
    expect([...flags].filter((one) => /<[^>]*(file|folder|url|address)/.test(one))).toEqual([])
  })

  test('a build in a folder of the server is not read', async () => {
    const result = await (await call(own, ['publish', fresh['mf-a'] ?? ''])).json()
    expect(result).toMatchObject({
      exitCode: 2,
      text: expect.stringContaining('There is no build.json'),
    })
  })

  test.each(['0/../../../evil', '../evil', '/etc/evil', '0//etc/evil', 'x/evil', '0/a\\..\\evil'])(
    'a file named %s is no call',
    async (name) => {
      expect((await call(own, ['publish', './x'], { [name]: 'x' })).status).toBe(400)
      for (const folder of [tmpdir(), '/etc', target.root, join(target.root, '..')])
        expect(await readdir(folder)).not.toContain('evil')
    },
  )

  test('bodies that are no form or have too much are rejected', async () => {
    const post = (body: string, type = 'text/plain') =>
      fetch(url + PUBLISH_PATH, {
        method: 'POST',
        headers: { authorization: `Bearer ${own}`, 'content-type': type },
        body,
      })
    expect((await post('x')).status).toBe(400)
    const part = (name: string, text: string) =>
      `--x\r\ncontent-disposition: form-data; name="${name}"; filename="a"\r\n\r\n${text}\r\n`
    const files = Array.from({ length: 4001 }, (_, n) => part(`0/${n}.js`, 'x')).join('')
    const headers = `--x\r\n${'a:b\r\n'.repeat(1000)}\r\n\r\n`
    const call = part('call', '{"args":["publish","./x"],"builds":["./x"]}')
    for (const form of [call + files, headers])
      expect((await post(`${form}--x--\r\n`, 'multipart/form-data; boundary=x')).status).toBe(400)
  })

  test('a token is read from the authorization header only', async () => {
    const basic = { authorization: `Basic ${Buffer.from(`ann:${all}`).toString('base64')}` }
    expect((await call('', ['disable', 'mf-a'], {}, basic)).status).toBe(401)
    expect((await call(own.slice(1), ['status'])).status).toBe(401)
    expect((await call(`${own} x`, ['status'])).status).toBe(401)
  })

  test('a broken access file rejects everybody', async () => {
    await writeFile(access, '[{"name":"ann"}]')
    const silent = import.meta.jest.spyOn(console, 'error').mockImplementation(() => undefined)
    await isRejected(own, ['status'], /No token is valid: the access file .* is missing or broken/)
    silent.mockRestore()
  })
})

test('who may publish is not asked to change a setting of the site', async () => {
  await addAccessToken(access, 'pipeline', ['*'], 'publish')
  await isRejected(own, ['freeze', '--now'], /Ask who may: on call/)
  await isRejected(own, ['publish', fresh['mf-b'] ?? ''], /Ask who may: .*pipeline/)
  await revokeAccessToken(access, 'pipeline')
})

test('`deploy` without this package asks the server for health and errors', async () => {
  process.env.DEPLOY_REPORTS = await serve((_request, response) => response.end('{"data":[]}'))
  process.env.DEPLOY_TOKEN = own
  const ask = (...args: string[]) => outputOf(() => runDeployCli(args))
  expect(await ask('errors', '--to', url)).toMatchObject({
    code: 0,
    out: expect.stringContaining('No page has reported an error in the last 24 hours'),
  })
  expect((await ask('health', 'mf-a', '--to', url)).err).toContain('DEPLOY_PROMETHEUS')
  expect(await ask('errors', '--site', target.root)).toMatchObject({
    code: 2,
    err: expect.stringContaining('A deploy server answers this: name it by --to'),
  })
})

describe('the caller', () => {
  test('a publish through the server stores source maps', async () => {
    const build = await missionsBuild({ routes: {} })
    await new FileTarget(build).write('source-maps/HomePage.js.map', Buffer.from('{}'))
    const token = await addAccessToken(access, 'minh', ['mf-missions'])
    const { code, out } = await as(token, 'publish', build, '--json')
    expect({ code, answer: JSON.parse(out) }).toMatchObject({
      code: 0,
      answer: { ok: true, changed: true },
    })
    expect(await target.list('.deploy/source-maps/mf-missions')).toHaveLength(1)
    expect((await as(token, 'status')).out).toContain('mf-missions')
  })

  test('a caller reads what is missing', async () => {
    const says = async (...args: string[]) => (await as('', ...args)).err
    expect(await says('status')).toMatch(/^✗ Set DEPLOY_TOKEN to a token for http:\/\/127/)
    expect(await says('status', '--site', 'x')).toMatch(/not both/)
    // The message of a refused header would show it.
    const { err } = await as(own.replace(/(?<=^.{9})/, '\n'), 'status')
    expect(err).toMatch(/^✗ DEPLOY_TOKEN is no token: .*\n$/)
    expect(err).not.toContain(own.slice(9))
    process.env.DEPLOY_TOKEN = own
    const nobody = 'http://127.0.0.1:2'
    expect(await run('status', '--to', nobody)).toEqual({
      code: 1,
      out: '',
      err: expect.stringMatching(new RegExp(`^✗ ${nobody} does not answer: ECONNREFUSED\n$`)),
    })
    const cut = await serve((request) => request.socket.destroy())
    expect((await run('status', '--to', cut)).err).toMatch(/gave no answer: .*may have been made/)
  })

  test.each([
    'http://deploy.example',
    'http://deploy.localhost',
    'http://localhost:1@deploy.example',
    'ftp://x',
    'nonsense',
  ])('sends no token to %s', async (to) => {
    process.env.DEPLOY_TO = to
    process.env.DEPLOY_TOKEN = own
    const err = expect.stringContaining('is no deploy server')
    expect(await run('status')).toMatchObject({ code: 2, err })
  })
})
