import { lutimes, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Release, RemoteBuild } from '@anniversary/shared/contract/composition'
import { letRest, publishTo, remoteBuild, shellBuild, siteIn } from '../../test/fixture-builds.ts'
import { auth, goBack, newest, page, target, versions } from '../../test/site-of-three.ts'
import { readBuild, versionOfBuild } from '../builds/read-build.ts'
import { composedReleaseOf } from '../site/compose.ts'
import type { SiteRecord } from '../site/record.ts'
import { uploadVersions } from '../site/version-folders.ts'
import { jsonBytes } from '../target/target.ts'
import { changeCanary, startCanary } from './canary.ts'
import { changeSettings, removeRemote, switchRemote } from './configure.ts'
import { rollBackSite } from './rollback.ts'
import { repairSite, verifySite } from './verify.ts'

const WIN = { title: 'Win', expose: './LoginPage' }

const expectWhole = async () => expect((await verifySite(target)).problems).toEqual([])

describe('canary', () => {
  test('a rollback ends a canary first', async () => {
    const before = await auth()
    await startCanary(target, await remoteBuild({ text: 'canary' }), 5)
    await goBack()
    expect(await auth()).toEqual(before)
  })

  test.each([
    ['of another contract', () => remoteBuild({ contract: '1.1' }), /contract 1\.1/],
    ['that is a shell', () => shellBuild({ text: 'x' }), /only a remote/],
    ['that is live already', () => remoteBuild({ text: 'three' }), /live for everyone/],
  ])('a canary %s is refused', async (_what, build, why) => {
    await expect(startCanary(target, await build(), 5)).rejects.toThrow(why)
    await expect(changeCanary(target, 'mf-auth', 'everyone')).rejects.toThrow(/no canary/)
  })

  test('a change is refused when another canary was started meanwhile', async () => {
    await startCanary(target, await remoteBuild({ text: 'canary' }), 5)
    const another = await remoteBuild({ text: 'another' })
    const slow = siteIn(target.root)
    slow.create = async (path, bytes) => {
      await startCanary(target, another, 5)
      return await target.create(path, bytes)
    }
    const change = changeCanary(slow, 'mf-auth', 'everyone')
    await expect(change).rejects.toThrow(/changed since composition 4.*canary.*for 5 %/)
  })

  test('a shell that could not run it is refused', async () => {
    await publishTo(target, shellBuild({ contract: '1.1' }))
    await startCanary(target, await remoteBuild({ contract: '1.1' }), 5)
    await expect(publishTo(target, shellBuild({ contract: '1.0', text: 'x' }))).rejects.toThrow(
      /contract 1\.1/,
    )
  })
})

test('a remote that is off stays off after a publish and a rollback', async () => {
  await switchRemote(target, 'mf-auth', 'off')
  await publishTo(target, remoteBuild({ text: 'four' }))
  expect(await auth()).toMatchObject({ status: 'off', previous: { version: versions[1] } })
  await goBack()
  expect(await auth()).toMatchObject({ status: 'off', current: { version: versions[1] } })
})

test('what a canary and its promotion wrote is what their records say', async () => {
  await startCanary(target, await remoteBuild({ text: 'canary' }), 5)
  await changeCanary(target, 'mf-auth', 50)
  await changeCanary(target, 'mf-auth', 'everyone')
  await goBack()
  await switchRemote(target, 'mf-auth', 'off')
  await expectWhole()
})

describe('remove', () => {
  test('a removed remote can come back', async () => {
    const build = await remoteBuild({ name: 'mf-extra', publicFiles: { '/extra.html': 'x.html' } })
    await publishTo(target, build)
    await switchRemote(target, 'mf-extra', 'off')
    expect(await target.read('extra.html')).not.toBeNull()
    await removeRemote(target, 'mf-extra')
    expect(Object.keys((await newest()).remotes)).toEqual(['mf-auth'])
    expect(await target.read('extra.html')).toBeNull()
    await expectWhole()
    await publishTo(target, build)
    expect((await newest()).remotes).toHaveProperty('mf-extra')
  })

  test('the next change removes the files that a killed removal left', async () => {
    await publishTo(
      target,
      remoteBuild({ name: 'mf-extra', publicFiles: { '/extra.html': 'x.html' } }),
    )
    const killed = siteIn(target.root)
    killed.remove = async () => Promise.reject(new Error('killed'))
    await expect(removeRemote(killed, 'mf-extra')).rejects.toThrow(/killed/)
    await publishTo(target, remoteBuild({ text: 'four' }))
    expect(await target.read('extra.html')).toBeNull()
    await expectWhole()
  })

  test('a removed remote comes back with its rollback targets', async () => {
    await switchRemote(target, 'mf-auth', 'off')
    await removeRemote(target, 'mf-auth')
    await rollBackSite(target, {})
    await goBack()
    expect((await auth()).current.version).toBe(versions[1])
  })

  test('a remote with pages must be off before it is removed', async () => {
    await expect(removeRemote(target, 'mf-nothing')).rejects.toThrow(
      /mf-nothing.*no such remote.*mf-auth/,
    )
    await expect(removeRemote(target, 'mf-auth')).rejects.toThrow(/shows \/login.*disable/)
    await switchRemote(target, 'mf-auth', 'off')
    const { warnings } = await removeRemote(target, 'mf-auth')
    expect(warnings).toEqual(['/login is no longer a page of the site'])
    expect(await page()).toBe('')
  })
})

test('settings are checked, and reach the pages', async () => {
  process.env.DEPLOY_API = ''
  await changeSettings(target, {
    shareHost: 'example.com',
    eventUrl: 'https://event.example/',
  })
  expect(await page()).toContain('"shareHost":"example.com"')
  const { warnings } = await changeSettings(target, { apiBase: 'https://api.example' })
  expect(warnings).toEqual([expect.stringMatching(/headers have changed/)])
  await changeSettings(target, { eventUrl: null })
  expect((await newest()).config.eventUrl).toBeUndefined()
  await expect(changeSettings(target, { eventUrl: 'no url', colour: 'red' })).rejects.toThrow(
    /eventUrl[\s\S]*colour/,
  )
  for (const megaliveUrl of ['http://register.example/', 'https://me:secret@register.example/'])
    await expect(changeSettings(target, { megaliveUrl })).rejects.toThrow(/megaliveUrl.*https/)
  await changeSettings(target, { megaliveUrl: 'http://localhost:3000' })
})

describe('verify', () => {
  const damages: [what: string, bytes: string | null, path: string, found: RegExp][] = [
    ['a script that was changed', 'x', 'VERSION/LoginPage.js', /LoginPage\.js: it differs/],
    ['a style that is missing', null, 'VERSION/LoginPage.css', /LoginPage\.css: it is missing/],
    ['a compressed variant that was changed', 'x', 'VERSION/entry.js.br', /entry\.js\.br/],
    ['a build.json that was changed', '{}', 'VERSION/build.json', /build\.json is not valid/],
    ['a build.json that is missing', null, 'VERSION/build.json', /build\.json is missing/],
    ['a page that was changed', '<p>', 'login/index.html', /login\/index\.html/],
    [
      'a pointer that lags behind',
      '{"number": 1}',
      'composition.json',
      /^composition\.json: it differs/,
    ],
    ['a page that nobody published', '<p>', 'win/index.html', /win\/index\.html: no publish has/],
    ['a script among those of a version', 'x', 'VERSION/evil.js', /evil\.js: no publish/],
    [
      'a shared file that no build names',
      'x',
      'mf-auth/immutable/evil.1.js',
      /evil\.1\.js: no publish/,
    ],
    ['a variant of a build.json', 'x', 'VERSION/build.json.br', /build\.json\.br: no publish/],
    ['an old composition that was changed', '{}', 'WHOLE', /composition\/1-\w+\.json: it differs/],
    [
      'an old record that cannot be read',
      '{}',
      'compositions/000001.json',
      /000001\.json: it is no record/,
    ],
    [
      'a page of no preview',
      '<p>',
      `preview/${'0'.repeat(32)}/index.html`,
      /preview\/0+\/index\.html/,
    ],
  ]
  test.each(damages)('finds %s', async (_name, bytes, path, message) => {
    const [whole = ''] = await target.list('composition')
    const damaged = path.replace('VERSION', `mf-auth/${versions[2]}`).replace('WHOLE', whole)
    await (bytes === null ? target.remove(damaged) : target.write(damaged, Buffer.from(bytes)))
    await letRest(target)
    const { problems } = await verifySite(target)
    expect(problems.map(({ about, found }) => `${about}: ${found}`).join('\n')).toMatch(message)
  })

  const forged: [
    what: string,
    Partial<Release>,
    shell: Partial<SiteRecord['shell']>,
    about: string,
  ][] = [
    ['code that no build names', { entry: '/mf-auth/immutable/evil.js' }, {}, 'mf-auth'],
    ['another package’s page', { routes: { '/home': WIN } }, {}, 'mf-auth'],
    ['a shell that offers another contract', {}, { contract: '1.9' }, 'shell'],
  ]
  test.each(forged)('finds a forged record with %s', async (_what, release, shell, about) => {
    const record = await newest()
    const remotes = {
      'mf-auth': { status: 'on', current: { ...(await auth()).current, ...release } },
    }
    const next = { ...record, remotes, shell: { ...record.shell, ...shell }, number: 4 }
    await target.write('compositions/000004.json', jsonBytes(next))
    await repairSite(target)
    const found = expect.stringContaining('names other files')
    expect((await verifySite(target)).problems).toContainEqual(
      expect.objectContaining({ rule: 'integrity', about, found }),
    )
  })

  test('verify and the next publish name two packages with one page', async () => {
    const winners = await remoteBuild({ name: 'mf-winners', routes: { '/win': WIN } })
    await publishTo(target, winners)
    // What another tool has written: build and record fit each other.
    const thief = await readBuild(await remoteBuild({ name: 'mf-thief', routes: {} }))
    const build = { ...thief.build, kind: 'remote', routes: { '/win': WIN } } as RemoteBuild
    const stolen = { ...thief, build, version: versionOfBuild(build) }
    await uploadVersions(target, [stolen])
    const record = await newest()
    const remotes = {
      ...record.remotes,
      'mf-thief': { status: 'on', current: composedReleaseOf(stolen) },
    }
    await target.write('compositions/000005.json', jsonBytes({ ...record, number: 5, remotes }))
    await repairSite(target)
    const { problems } = await verifySite(target)
    expect(problems).toContainEqual(
      expect.objectContaining({ rule: 'routes', about: 'mf-winners' }),
    )
    const other = publishTo(target, remoteBuild({ text: 'four' }))
    await expect(other).rejects.toThrow(/the route \/win belongs to mf-thief/)
  })

  test.each([1, 2, 3, 4, 5])('would remove no file of a publish at its list %d', async (at) => {
    const extra = await remoteBuild({ name: 'mf-winners', routes: { '/win': WIN } })
    const list = target.list.bind(target)
    let lists = 0
    target.list = async (folder) => {
      lists += 1
      if (lists === at) await publishTo(siteIn(target.root), extra)
      return await list(folder)
    }
    const { problems } = await verifySite(target)
    expect(problems.filter(({ todo }) => todo.includes('emove'))).toEqual([])
    expect((await newest()).number).toBe(4)
  })

  test('finds a link', async () => {
    await symlink('/etc/hostname', join(target.root, 'link.txt'))
    await lutimes(join(target.root, 'link.txt'), 0, 0)
    expect((await verifySite(target)).problems).toMatchObject([{ about: 'link.txt' }])
  })

  test('repair writes the pages again, and leaves unknown files', async () => {
    await target.write('robots.txt', Buffer.from('User-agent: *'))
    await letRest(target)
    await repairSite(target)
    expect((await verifySite(target)).problems).toMatchObject([{ about: 'robots.txt' }])
    await target.remove('robots.txt')
    await target.remove('login/index.html')
    await target.write('index.html.br', Buffer.from('broken'))
    await repairSite(target)
    await expectWhole()
  })
})

test('the next deploy shows what a killed one recorded', async () => {
  const record = await newest()
  const next = { ...record, number: 4, config: { ...record.config, shareHost: 'example.com' } }
  await target.write('compositions/000004.json', Buffer.from(JSON.stringify(next)))
  await goBack()
  expect((await newest()).number).toBe(5)
  expect(await page()).toContain('"shareHost":"example.com"')
})
