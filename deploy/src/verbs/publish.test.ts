import { appendFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { brotliDecompressSync } from 'node:zlib'
import type { RemoteBuild } from '@anniversary/shared/contract/composition'
import {
  contents,
  missionsBuild,
  newSite,
  publishTo,
  type RemoteFixture,
  recordOf,
  remoteBuild,
  shellBuild,
  siteIn,
  type TestSite,
  temporaryFolder,
} from '../../test/fixture-builds.ts'
import { brotliPath } from '../target/compress.ts'
import { FileTarget } from '../target/file-target.ts'
import { changeCanary, startCanary } from './canary.ts'
import { changeSettings, switchRemote } from './configure.ts'
import { rollBackSite } from './rollback.ts'

const text = async (target: FileTarget, path: string) =>
  (await target.read(path))?.toString('utf8') ?? null

test('a page shows the prerendered HTML, or a skeleton while off', async () => {
  const html = '<!--$--><img src="%BASE%/a.svg"><!--/$-->'
  const build = await remoteBuild({ prerendered: { './LoginPage': html } })
  const target = await newSite(shellBuild(), build)
  const { shell, remotes } = await recordOf(target)
  const { entry, version } = remotes['mf-auth']?.current ?? {}
  const login = async () => {
    const page = (await text(target, 'login/index.html')) ?? ''
    const soon = page.match(/(?<=^<script defer fetchpriority="high" src="[^"]*\/)\w+\.js/gm) ?? []
    return { page, soon, styles: JSON.parse(/id="styles">(.*?)<\/script>/.exec(page)?.[1] ?? '') }
  }
  const own = `body { background: url(/shell/${shell.version}/icon.svg) }`
  const on = await login()
  expect(on).toMatchObject({
    soon: ['core.js', 'main.js'],
    styles: [own, '.mf-auth { color: red }'],
  })
  expect(on.page).toContain(`<div id="root" data-prerendered="${entry}"><img`)
  expect(on.page).toContain(`<!--$--><img src="/mf-auth/${version}/a.svg"><!--/$--></div>`)
  await switchRemote(target, 'mf-auth', 'off')
  const off = await login()
  expect(off).toMatchObject({ soon: [], styles: [own] })
  expect(off.page).toContain(
    `<div id="root"><img src="/shell/${shell.version}/icon.svg" alt=""><!--page-->…<!--/page--></div>`,
  )
})

test('a remote adds and removes pages without the shell', async () => {
  const target = await newSite(shellBuild(), remoteBuild())
  const prerendered = { './WinnersPage': '<!--$--><h1>Người trúng giải</h1><!--/$-->' }
  const winners = (routes: RemoteBuild['routes']) =>
    remoteBuild({ name: 'mf-winners', exposes: ['./WinnersPage'], prerendered, routes })
  const route = { title: 'Người trúng giải', expose: './WinnersPage' }
  await publishTo(target, winners({ '/winners': { ...route, protected: true } }))
  const page = await text(target, 'winners/index.html')
  expect(page).toContain('<title>Người trúng giải</title>')
  expect(page).toContain('<meta name="robots" content="noindex">')
  expect(page).toContain('icon.svg" alt=""><!--$--><h1>Người trúng giải</h1>')
  const { warnings } = await publishTo(target, winners({ '/winners/all': route }))
  expect(warnings).toEqual(['/winners is no longer a page of the site'])
  expect(await text(target, 'winners/index.html')).toBeNull()
  expect(await text(target, 'winners/all/index.html')).not.toBeNull()
})

test('a canary must show the routes of the current release', async () => {
  const target = await newSite(shellBuild(), remoteBuild())
  const more = { '/login': LOGIN, '/check': { title: 'Kiểm tra', expose: './CheckPage' } }
  const exposes = ['./LoginPage', './CheckPage']
  await startCanary(target, await remoteBuild({ exposes, routes: more }), 5)
  expect(await text(target, 'check/index.html')).toBeNull()
  const other = await remoteBuild({ exposes: ['./SignInPage'], routes: {} })
  const started = startCanary(target, other, 5)
  await expect(started).rejects.toThrow(/the route \/login shows \.\/LoginPage, which mf-auth/)
})

describe('a file whose name holds its hash', () => {
  const art = (text: string) => remoteBuild({ text, immutable: { 'art.1.svg': code('art') } })
  const code = (name: string) => `<svg>${name.repeat(1000)}</svg>`

  test('a shared file with other content is rejected', async () => {
    const target = await newSite(shellBuild(), art('one'))
    const before = await contents(target)
    const other = await remoteBuild({ text: 'two', immutable: { 'art.1.svg': code('evil') } })
    await expect(publishTo(target, other)).rejects.toThrow(
      /mf-auth\/immutable\/art\.1\.svg.*written once/,
    )
    expect(await contents(target)).toEqual(before)
  })

  test('two teams at once leave the content of one', async () => {
    const target = await newSite(shellBuild(), remoteBuild())
    const builds = ['two', 'three', 'four'].map((text) =>
      remoteBuild({ text, immutable: { 'art.1.svg': code(text), 'art.2.svg': code(`${text}!`) } }),
    )
    const publishing = (await Promise.all(builds)).map((build) => publishTo(target, build))
    await Promise.allSettled(publishing)
    for (const path of ['mf-auth/immutable/art.1.svg', 'mf-auth/immutable/art.2.svg']) {
      const variant = (await target.read(brotliPath(path))) ?? Buffer.alloc(0)
      expect(brotliDecompressSync(variant).toString()).toBe(await text(target, path))
    }
  })

  test('a lost file comes back with the next publish', async () => {
    const build = await art('one')
    const target = await newSite(shellBuild(), build)
    await target.remove('mf-auth/immutable/art.1.svg')
    expect((await publishTo(target, build)).changed).toBe(false)
    expect(await text(target, 'mf-auth/immutable/art.1.svg')).toBe(code('art'))
  })
})

test('a megabyte of brackets in styles and HTML takes linear time', async () => {
  const target = await newSite(shellBuild(), remoteBuild())
  const prerendered = { './LoginPage': '<'.repeat(2 ** 20) }
  const began = process.cpuUsage().user
  await publishTo(target, remoteBuild({ css: 'url('.repeat(2 ** 18), prerendered }))
  // With quadratic patterns it takes hours.
  expect(process.cpuUsage().user - began).toBeLessThan(20_000_000)
})

test('a published fix ends the canary of the build before it', async () => {
  const target = await newSite(shellBuild(), remoteBuild())
  await startCanary(target, await remoteBuild({ text: 'bad' }), 10)
  const { summary } = await publishTo(target, remoteBuild({ text: 'fix' }))
  expect(summary).toMatch(/^mf-auth \S+ → \S+, mf-auth canary \S+ stopped$/)
  expect((await recordOf(target)).remotes['mf-auth']).not.toHaveProperty('canary')
})

describe('with --changed', () => {
  const publishChanged = (target: TestSite, builds: Promise<string>[]) =>
    publishTo(target, builds, { changed: true })
  const packages = async (target: TestSite) => (await recordOf(target)).change.packages

  test('no release comes back under another version', async () => {
    const target = await newSite(shellBuild(), remoteBuild())
    for (const text of ['bad', 'worse']) {
      await publishTo(target, remoteBuild({ text }))
      await rollBackSite(target, { name: 'mf-auth' })
    }
    const bad = remoteBuild({ text: 'bad', version: '1.0.1' })
    const { warnings, changed } = await publishChanged(target, [bad])
    expect(warnings[0]).toMatch(
      /^mf-auth left out: released before as 1\.0\.0-\w+ \(`deploy publish` without/,
    )
    expect(changed).toBe(false)
    await publishChanged(target, [shellBuild({ text: 'two', version: '1.0.1' }), bad])
    expect(await packages(target)).toEqual(['shell'])
    await publishChanged(target, [remoteBuild({ text: 'fix', version: '1.0.2' })])
    expect(await packages(target)).toEqual(['mf-auth'])
  })

  test('an archive of before a fix or canary of a team leaves it', async () => {
    const target = await newSite(shellBuild(), remoteBuild())
    await publishTo(target, remoteBuild({ text: 'fix' }))
    await startCanary(target, await remoteBuild({ text: 'canary' }), 5)
    for (const text of ['one', 'fix', 'canary']) {
      const build = remoteBuild({ text, version: '1.0.1' })
      expect((await publishChanged(target, [build])).changed).toBe(false)
    }
  })

  test('a canary stays stopped, also after a rollback of the site', async () => {
    const target = await newSite(shellBuild(), remoteBuild())
    await startCanary(target, await remoteBuild({ text: 'bad' }), 5)
    await changeSettings(target, { shareHost: 'example.com' })
    await changeCanary(target, 'mf-auth', 'nobody')
    await rollBackSite(target, { to: 2 })
    const bad = remoteBuild({ text: 'bad', version: '1.0.1' })
    expect((await publishChanged(target, [bad])).changed).toBe(false)
  })

  test('what went back with the whole site is published again', async () => {
    const target = await newSite(shellBuild(), remoteBuild())
    const next = [remoteBuild({ text: 'next' }), missionsBuild()]
    await publishTo(target, await Promise.all(next))
    await rollBackSite(target, {})
    await publishChanged(target, [shellBuild(), ...next])
    expect(await packages(target)).toEqual(['mf-auth', 'mf-missions'])
  })

  test('a title of a route is a change', async () => {
    const target = await newSite(shellBuild(), remoteBuild())
    const routes = { '/login': { ...LOGIN, title: 'Vào' } }
    await publishChanged(target, [remoteBuild({ routes })])
    expect(await text(target, 'login/index.html')).toContain('<title>Vào')
  })
})

test('publishing what is live already changes nothing', async () => {
  const target = await newSite()
  const build = await remoteBuild()
  await publishTo(target, [shellBuild(), build])
  await startCanary(target, await remoteBuild({ text: 'canary' }), 5)
  const before = await contents(target)
  expect((await publishTo(target, build)).changed).toBe(false)
  expect(await contents(target)).toEqual(before)
})

const LOGIN = { title: 'Đăng nhập', expose: './LoginPage' }

describe('a build that must not go live is refused, and nothing changes', () => {
  const routes = (path: string): RemoteFixture => ({ routes: { [path]: LOGIN } })
  const publicFile = (path: string): RemoteFixture => ({ publicFiles: { [path]: 'x.html' } })
  const shared = (versions: Record<string, string>): RemoteFixture => ({ shared: versions })
  const stray = { prerendered: { './LoginPage': '<!--$--><p id="_R_1_">…</p><!--/$-->' } }
  const many = (n: number, path: string) => Array.from({ length: n }, (_, at) => `${path}${at}`)
  const manyRoutes = Object.fromEntries(many(100, '/x').map((path) => [path, LOGIN]))
  const manyFiles = Object.fromEntries(many(1001, 'x').map((path) => [path, 'x']))
  const compressed = { immutable: { 'art.1.svg.br': 'evil' } }
  const refusals: [string, RemoteFixture, RegExp][] = [
    [
      'a contract minor that the shell does not know',
      { contract: '1.1' },
      /contract 1\.1.*offers 1\.0/,
    ],
    ['another contract major', { contract: '2.0' }, /contract 2\.0.*A major breaks/],
    ['an expose that a route needs', { exposes: ['./CheckPage'] }, /\/login shows \.\/LoginPage/],
    [
      'another major of React',
      shared({ react: '^18.2.0' }),
      /needs react \^18\.2\.0.*shares 19\.2\.9/,
    ],
    ['a library that is not shared', shared({ react: '^19.0.0', vue: '^3.0.0' }), /takes vue/],
    ['a React of its own', shared({}), /does not take react from the shell/],
    ['a public file in place of a page', publicFile('/login/index.html'), /belongs to the site/],
    [
      'a public file in place of a page, in capitals',
      publicFile('/login/INDEX.HTML'),
      /belongs to the site/,
    ],
    ['a public file in place of a version', publicFile('/shell/x.html'), /belongs to the site/],
    [
      "another remote's manifest",
      publicFile('/mf-missions/mf-manifest.json'),
      /belongs to the site/,
    ],
    [
      'a public script that a page could register as its worker',
      publicFile('/sw.js'),
      /a service worker/,
    ],
    ['a public file outside the site', publicFile('/../x.html'), /no path of a file/],
    ['a public file below another', publicFile('/sample.html/x.html'), /no path of a file/],
    [
      'a public file in place of a compressed page',
      publicFile('/login/index.html.br'),
      /belongs to the site/,
    ],
    ['a public file among shared files', publicFile('/art/immutable/x.svg'), /belongs to the site/],
    [
      'a compressed file, sent in place of another',
      compressed,
      /has the name of another file's compressed/,
    ],
    ['a page that would not hydrate', stray, /\.\/LoginPage would not hydrate: an id of useId\(\)/],
    ['a name that the server needs', { name: 'compositions' }, /name compositions belongs/],
    [
      'a version that leads elsewhere',
      { version: '1.0.0/../../.deploy/canaries/x' },
      /not valid: version: /,
    ],
    ['a file with two names', { immutable: { 'x/./art.1.svg': 'x' } }, /not valid: files/],
    [
      'a file with an accent in its name',
      { immutable: { 'ảnh.png': 'x' } },
      /files\.ảnh\.png: a file's name has letters from a to z/,
    ],
    ['a name that every object has', { name: 'constructor' }, /build\.json is not valid: name: /],
    ...['default', '*', "a 'allow-duplicates'", 'a; script-src'].map(
      (policy): [string, RemoteFixture, RegExp] => [
        `the Trusted Types policy ${policy}`,
        { trustedTypes: [policy] },
        /not valid: trustedTypes\.0: a policy has letters/,
      ],
    ),
    ['the name of a route', { name: 'home' }, /name home belongs to a route of mf-missions/],
    ['a route of another remote', routes('/home'), /the route \/home belongs to mf-missions/],
    [
      'a route below a page of another remote',
      routes('/home/x'),
      /\/home\/x belongs to mf-missions, which/,
    ],
    [
      'a public file below a page of another remote',
      publicFile('/home/x.html'),
      /below a route of mf-missions/,
    ],
    ['a route of the shell', routes('/'), /the route \/ belongs to shell/],
    ['a route of the server', routes('/api/x'), /the route \/api\/x belongs to the server/],
    ['a route of previews', routes('/preview/x'), /the route \/preview\/x belongs to the server/],
    ['a route among versions', routes('/shell'), /lies among the versions of shell/],
    ['a route called like shared files', routes('/immutable'), /\/immutable belongs to the server/],
    [
      'a title of 3 MB',
      { routes: { '/x': { ...LOGIN, title: 'x'.repeat(3_000_000) } } },
      /bytes, the limit is/,
    ],
    [
      'a title of 600 letters',
      { routes: { '/x': { ...LOGIN, title: 'x'.repeat(600) } } },
      /<=500 char/,
    ],
    ['a hundred routes', { routes: manyRoutes }, /at most 50 entries/],
    [
      'a release of 80 kB',
      { exposes: many(100, `./${'x'.repeat(180)}`) },
      /of the composition, the limit is 65536/,
    ],
    ['a thousand and one files', { immutable: manyFiles }, /at most 1000 entries/],
    ['a route among shared files', routes('/vip/immutable'), /cannot be a folder/],
    ['a route that is no folder', routes('/Login.html'), /cannot be a folder/],
  ]
  const damages: [string, (folder: string) => Promise<void>, RegExp][] = [
    [
      'a changed file',
      (folder) => appendFile(join(folder, 'LoginPage.js'), '!'),
      /LoginPage\.js is not the file/,
    ],
    [
      'a missing file',
      (folder) => rm(join(folder, 'entry.js')),
      /entry\.js is listed in build\.json and missing/,
    ],
    ['no build at all', (folder) => rm(join(folder, 'build.json')), /there is no build\.json/],
    [
      'a build.json of another shape',
      (folder) => writeFile(join(folder, 'build.json'), '{"kind":"remote","name":"mf-auth"}'),
      /build\.json is not valid: version: [^{}]*; contract: [^{}]*$/m,
    ],
  ]

  // None of the tests changes it.
  let target: TestSite
  beforeAll(async () => {
    target = await newSite(shellBuild(), missionsBuild())
  })

  async function isRejected(build: string, message: RegExp) {
    const before = await contents(target)
    await expect(publishTo(target, build)).rejects.toMatchObject({
      name: 'Rejected',
      message: expect.stringMatching(message),
    })
    expect(await contents(target)).toEqual(before)
  }
  test.each(refusals)('%s', async (_name, options, message) =>
    isRejected(await remoteBuild(options), message),
  )
  test.each(damages)('%s', async (_name, damage, message) => {
    const build = await remoteBuild()
    await damage(build)
    await isRejected(build, message)
  })

  test('a remote where there is no shell yet', async () => {
    const target = await newSite()
    await expect(publishTo(target, remoteBuild())).rejects.toThrow(/Publish the shell first/)
    expect(await target.list('')).toEqual([])
  })
})

test('a new contract major goes live with shell and remotes only', async () => {
  const target = await newSite(shellBuild(), remoteBuild())
  const shell = await shellBuild({ contract: '2.0' })
  const problems = [{ rule: 'contract', about: 'mf-auth' }]
  await expect(publishTo(target, shell)).rejects.toMatchObject({ problems })
  await publishTo(target, [shell, remoteBuild({ contract: '2.0' })])
  expect((await recordOf(target)).shell.contract).toBe('2.0')
})

test('public files appear and go with the release', async () => {
  const target = await newSite()
  const sample = (text: string) => remoteBuild({ text, publicFiles: { '/sample.html': 's.html' } })
  await publishTo(target, [shellBuild(), sample('chữ '.repeat(1000))])
  expect(await target.read('sample.html.br')).not.toBeNull()
  await publishTo(target, sample('two'))
  expect(await text(target, 'sample.html')).toBe('<p>two</p>')
  // A file too small to compress must lose its old variant.
  expect(await target.read('sample.html.br')).toBeNull()
  await publishTo(target, remoteBuild({ text: 'three' }))
  expect(await text(target, 'sample.html')).toBeNull()
  expect(await text(target, 'index.html')).not.toBeNull()
})

test('an overtaken deploy writes the newest pages', async () => {
  const folder = await temporaryFolder()
  const quick = siteIn(folder)
  await publishTo(quick, shellBuild())
  const slow = siteIn(folder)
  let goOn = () => {}
  const overtakenNow = new Promise<void>((resolve) => {
    goOn = resolve
  })
  slow.write = async (path, bytes) => {
    if (path === 'index.html') await overtakenNow
    await FileTarget.prototype.write.call(slow, path, bytes)
  }
  const overtaken = publishTo(slow, remoteBuild())
  while ((await recordOf(quick)).number !== 2) await sleep(5)
  await publishTo(quick, missionsBuild())
  expect(await text(quick, 'index.html')).toContain('"number":3')
  goOn()
  await overtaken
  expect(await text(quick, 'index.html')).toContain('"number":3')
})
