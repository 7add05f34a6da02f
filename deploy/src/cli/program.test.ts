import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { hostname, userInfo } from 'node:os'
import { join } from 'node:path'
import {
  copyOf,
  namespaceRefusal,
  newSite,
  remoteBuild,
  serve,
  shellBuild,
  type TestSite,
  temporaryFolder,
} from '../../test/fixture-builds.ts'
import { run } from '../../test/run.ts'
import { commandFailureOf } from './command-result.ts'

let template: TestSite
let site = ''
beforeAll(async () => {
  template = await newSite(shellBuild(), remoteBuild())
})
beforeEach(async () => {
  site = (await copyOf(template)).root
})

const here = (...args: string[]) => run(...args, '--site', site)
const json = async (...args: string[]) => JSON.parse((await here(...args, '--json')).out)
const publish = (...args: string[]) => here('publish', ...args, '--no-smoke')

test('a preview gives its link, and goes', async () => {
  const build = await remoteBuild({ text: 'two' })
  const dry = await here('preview', build, '--no-smoke', '--dry-run')
  expect(dry.out).toMatch(/would be accepted/)
  expect(await readdir(site)).not.toContain('preview')
  const { out } = await here('preview', build, '--no-smoke', '--for', '12h')
  expect(out).toMatch(
    /^! eventUrl is not set.*\n\/preview\/[0-9a-f]{32}\/login\n\nmf-auth 1\.0\.0-\w+, until /,
  )
  const [id = ''] = /[0-9a-f]{32}/.exec(out) ?? []
  expect((await here('preview', '--stop', id)).out).toBe(`${id} is removed.\n`)
})

test('a site from a publish to its last rollback', async () => {
  const builds = [
    await shellBuild({ text: 'two' }),
    await remoteBuild({ text: 'two', version: '1.1.0' }),
  ]
  const { code, out } = await publish(...builds)
  expect(code).toBe(0)
  expect(out).toMatch(
    /✓ shell \S+ → \S+, mf-auth 1\.0\.0-\w+ → 1\.1\.0-\w+\n {2}composition 2, live after/,
  )
  expect((await here('status')).out).toMatch(/mf-auth +1\.1\.0-\w+ +1\.0 +1\.0\.0-/)

  const dry = await here('disable', 'mf-auth', '--dry-run')
  expect(dry.out).toBe('~ mf-auth off\n  dry run: this would be composition 3\n')
  expect((await here('disable', 'mf-auth')).out).toMatch(/✓ mf-auth off/)
  expect((await here('status')).out).toMatch(/switched off/)
  await here('enable', 'mf-auth')
  expect((await here('rollback', 'mf-auth')).out).toMatch(/✓ mf-auth 1\.1\.0-\w+ → 1\.0\.0-/)
  expect((await here('history', 'mf-auth')).out).toMatch(
    /rollback[\s\S]*enable[\s\S]*disable[\s\S]*publish/,
  )
  expect((await here('verify')).out).toMatch(/files are as they should be/)
})

test('a rejection names rule, finding and remedy', async () => {
  const { code, err, out } = await publish(await remoteBuild({ contract: '1.4' }))
  expect(code).toBe(1)
  expect(out).toBe('')
  expect(err).toMatch(/Rejected; nothing was changed/)
  expect(err).toMatch(/mf-auth \(contract\)\n {4}found {2}.*1\.4.*\n {4}do {5}Publish a shell/)
})

test('a pipeline reads the same as JSON', async () => {
  expect(await json('publish', await remoteBuild({ text: 'two' }), '--no-smoke')).toMatchObject({
    ok: true,
    changed: true,
    number: 2,
  })
  expect(await json('publish', await remoteBuild({ contract: '2.0' }), '--no-smoke')).toMatchObject(
    {
      ok: false,
      error: 'rejected',
      problems: [{ rule: 'contract', about: 'mf-auth' }],
    },
  )
  expect(await json('history', '--limit', '1')).toMatchObject([
    { number: 2, change: { verb: 'publish', packages: ['mf-auth'] } },
  ])
  expect(await json('verify')).toMatchObject({ ok: true, problems: [] })
  expect(await json('config')).toMatchObject({ apiBase: '/api' })
})

test('settings are shown and changed', async () => {
  await here('config', 'eventUrl=https://event.example/x?a=b')
  expect((await here('config')).out).toMatch(/\neventUrl=https:\S+\?a=b\n/)
  await here('config', 'eventUrl=')
  expect(Object.keys(await json('config'))).toEqual(['apiBase', 'site', 'shareHost', 'megaliveUrl'])
  expect((await here('config', 'eventUrl')).code).toBe(2)
})

describe('wrong use', () => {
  const uses: [string, string[], RegExp][] = [
    ['an unknown verb', ['deploy-it'], /unknown command/],
    ['a folder without a build', ['publish', '/tmp', '--site', 'x'], /no build\.json in \/tmp/],
    ['a number that is none', ['history', '--limit', 'one', '--site', 'x'], /whole number/],
    [
      'more than all visitors',
      ['canary', 'set', 'x', '--percent', '101', '--site', 'x'],
      /0 to 100/,
    ],
  ]
  test.each(uses)('%s exits with 2 and a reason', async (_name, args, message) => {
    const { code, err } = await run(...args)
    expect(code).toBe(2)
    expect(err).toMatch(message)
  })

  test('no site exits with 2 and a reason', async () => {
    // Elsewhere `./site` would be the default.
    const before = process.cwd()
    process.chdir(await temporaryFolder())
    try {
      const { code, err } = await run('status')
      expect(code).toBe(2)
      expect(err).toMatch(/Which site\? There is none in \.\/site/)
    } finally {
      process.chdir(before)
    }
  })

  test('commands on a missing site fail', async () => {
    site = await temporaryFolder()
    for (const verb of ['status', 'rollback', 'disable mf-auth', 'verify', 'history'])
      expect((await here(...verb.split(' '))).err).toContain('nothing was ever published here')
    expect((await run('status', '--site', 'ftp://x')).err).toMatch(/is no site/)
  })
})

test('an unknown package is named, and nothing is done', async () => {
  for (const args of [
    ['rollback', ''],
    ['disable', 'constructor'],
    ['history', 'mf-x'],
  ])
    expect(await here(...args)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`${args[1]} (site)`),
    })
  expect((await json('status')).number).toBe(1)
})

test.each([
  ['EACCES', 'not read or write there, or listen on that port'],
  ['EADDRINUSE', 'choose one by --port'],
  ['ENOSPC', 'make room'],
  ['EROFS', 'read-only'],
])('a system error %s says what to do', (code, advice) => {
  const { text } = commandFailureOf(Object.assign(new Error(`${code}: open '/x'`), { code }))
  expect(text).toMatch(RegExp(`^${code}: open '/x'\\. .*${advice}`))
})

// In a chroot, / is no mount whose propagation could change.
const MOUNTS = ['--mount', '--propagation', 'unchanged']
if (process.getuid?.() !== 0) MOUNTS.push('--map-root-user')
const mountTest = namespaceRefusal(MOUNTS, {}) ? test.skip : test

mountTest('a remote can be switched off on a full disk', async () => {
  const build = await remoteBuild({ text: 'two' })
  const main = join(import.meta.dirname, '../../bin/deploy.js')
  const deploy = `"${process.execPath}" "${main}"`
  const script = `set -e
    mount -t tmpfs -o size=8m none ${site} && trap 'umount ${site}' EXIT && cp -a ${template.root}/. ${site}
    ${deploy} publish ${build} --no-smoke --site ${site} > /dev/null
    cat /dev/zero > ${site}/.deploy/filled 2> /dev/null || true
    ! ${deploy} publish ${await remoteBuild({ text: 'x'.repeat(100_000) })} --no-smoke --site ${site} 2>&1
    ${deploy} disable mf-auth --site ${site}
    rm ${site}/.deploy/filled && ${deploy} verify --site ${site}`
  const { stdout, stderr, status } = spawnSync('unshare', [...MOUNTS, 'sh', '-c', script], {
    encoding: 'utf8',
  })
  expect(stdout + stderr).toMatch(/ENOSPC.*make room[\s\S]*mf-auth off[\s\S]*as they should be/)
  expect(status).toBe(0)
})

test.each([
  [413, 'client_max_body_size'],
  [405, 'the address of a site'],
  [504, 'may have been made'],
])(
  'an answer %d of something else than a deploy server says what to do',
  async (status, advice) => {
    process.env.DEPLOY_TOKEN = 'token'
    const url = await serve((_, response) => void response.writeHead(status).end('<html>'))
    const { code, err } = await run('status', '--to', url)
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(advice) })
  },
)

test('a site that is a file says what to do', async () => {
  const { err } = await run('status', '--site', process.execPath)
  expect(err).toMatch(/ENOTDIR: .*\. The site is a folder: check --site\n$/)
})

test.each([
  ['', `${userInfo().username}@${hostname()}`],
  ['ci', 'ci'],
])('DEPLOY_BY=%j makes the author %s, also without USER', async (given, author) => {
  delete process.env.USER
  process.env.DEPLOY_BY = given
  await here('disable', 'mf-auth')
  expect(await json('history', '--limit', '1')).toMatchObject([{ change: { by: author } }])
})

test('a misspelt variable is refused, and one of another program is not', async () => {
  Object.assign(process.env, { DEPLOY_DATE: 'x', DEPLOY_APP: 'x', DEPLOY_API: '' })
  expect((await here('status')).code).toBe(0)
  Object.assign(process.env, { DEPLOY_WEBHOK: 'x', DEPLOY_STIE: 'x' })
  const { code, err } = await here('status')
  expect(code).toBe(2)
  expect(err).toContain('DEPLOY_WEBHOK is not known: DEPLOY_WEBHOOK was probably meant')
  expect(err).toContain('DEPLOY_STIE is not known: DEPLOY_SITE was')
})

test('the version is printed', async () => {
  expect(await run('--version')).toMatchObject({ code: 0, out: '1.0.0 unknown\n' })
})

const main = join(import.meta.dirname, '../../bin/deploy.js')

test('a command whose output cannot be written says so', () => {
  const full = openSync('/dev/full', 'w')
  const { status, stderr } = spawnSync(process.execPath, [main, '--help'], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  })
  expect(stderr).toMatch(/^The output could not .*ENOSPC.*`deploy history` says what was done.\n$/)
  expect(status).toBe(1)
})

test('a reader that closes the pipe early is no error', async () => {
  const child = spawn(process.execPath, [main, '--help'])
  child.stdout.destroy()
  let err = ''
  child.stderr.on('data', (chunk) => (err += chunk))
  const [code] = await once(child, 'close')
  expect({ code, err }).toEqual({ code: 0, err: '' })
})
