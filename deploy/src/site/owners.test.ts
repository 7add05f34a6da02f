import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  missionsBuild,
  newSite,
  recordOf,
  remoteBuild,
  shellBuild,
  temporaryFolder,
} from '../../test/fixture-builds.ts'
import type { FileTarget } from '../target/file-target.ts'
import { jsonBytes } from '../target/target.ts'
import { configure } from '../verbs/configure.ts'
import { revokeKey, setOwner } from '../verbs/owners.ts'
import { prune } from '../verbs/prune.ts'
import { publish } from '../verbs/publish.ts'
import { rollback } from '../verbs/rollback.ts'
import { switchRemote } from '../verbs/switch.ts'
import { repair, verify } from '../verbs/verify.ts'
import { openHistory } from './history.ts'
import { newKey, signingKey } from './keys.ts'
import { recordPath, type SiteRecord } from './record.ts'
import { writeNewestPages } from './write-pages.ts'

/*
 * The attacks of The Update Framework
 * (https://theupdateframework.github.io/specification/latest/#goals-to-protect-against-specific-attacks), by somebody
 * who can write to the site's bucket. Some also have a team's key.
 */

const pems: Record<string, string> = {}
const keys: Record<string, string> = {}
const keyOf = (who: string) => keys[who] ?? ''
/** Whoever deploys from now on. */
function be(who: string) {
  process.env.DEPLOY_KEY = pems[who] ?? ''
}
/** A machine that has never seen the site. */
async function onFreshMachine() {
  process.env.XDG_STATE_HOME = await temporaryFolder()
}

/** Records: 1 the builds, 2 to 4 the owners, 5 and 6 mf-auth "two" and "three", 7 mf-missions "two". */
let template: FileTarget
let target: FileTarget

beforeAll(async () => {
  const folder = await temporaryFolder()
  for (const who of ['site', 'auth', 'missions', 'thief']) {
    keys[who] = await newKey(join(folder, who))
    pems[who] = await readFile(join(folder, who), 'utf8')
  }
  await onFreshMachine()
  template = await newSite(await shellBuild(), await remoteBuild(), await missionsBuild())
  be('site')
  await setOwner(template, 'site', [keyOf('site')])
  await setOwner(template, 'mf-auth', [keyOf('auth')])
  await setOwner(template, 'mf-missions', [keyOf('missions')])
  be('auth')
  await publish(template, [await remoteBuild({ text: 'two' })])
  await publish(template, [await remoteBuild({ text: 'three' })])
  be('missions')
  await publish(template, [await missionsBuild({ text: 'two' })])
})
beforeEach(async () => {
  target = await newSite()
  await cp(template.root, target.root, { recursive: true })
  await onFreshMachine()
  be('auth')
})
afterEach(() => {
  delete process.env.DEPLOY_ROOT
})
afterAll(() => {
  delete process.env.DEPLOY_KEY
  delete process.env.XDG_STATE_HOME
})

async function stored(number: number): Promise<SiteRecord> {
  const bytes = await target.read(recordPath(number))
  return JSON.parse(String(bytes))
}
const put = (record: SiteRecord) => target.write(recordPath(record.number), jsonBytes(record))
/** The next record as an attacker writes it, linked as it should be. Signed by nobody: with the signature of the one before. */
async function forge(change: (before: SiteRecord) => Partial<SiteRecord>, who?: string): Promise<void> {
  const { newest, links } = await openHistory(target)
  if (!newest) throw new Error('an empty site')
  const { number } = newest
  const next = {
    ...newest,
    number: number + 1,
    links: await links([number, ...Object.values(newest.before)]),
  }
  const { signature, ...record } = { ...next, ...change(newest) }
  const mine = who && { key: keyOf(who), value: signingKey(pems[who] ?? '').sign(jsonBytes(record)) }
  await put({ ...record, signature: mine || signature })
  await writeNewestPages(target)
}
/** Deletes the newest records, and writes the pages of what is left. */
async function putBack(to: number): Promise<void> {
  for (let { number } = await recordOf(target); number > to; number--) await target.remove(recordPath(number))
  await target.remove('composition.json')
  await writeNewestPages(target)
}
const found = async (atLeast?: number) =>
  (await verify(target, atLeast)).problems.map(({ about, found }) => `${about}: ${found}`).join('\n')
const publishAuth = async () => await publish(target, [await remoteBuild({ text: 'next' })])
/** What a nightly check finds, and what stops the next publish. */
async function seen(reason: RegExp) {
  expect(await found()).toMatch(reason)
  await expect(publishAuth()).rejects.toThrow(reason)
}
/** A remote as it is in another record. */
async function remoteAt(number: number, name: string) {
  const remote = (await stored(number)).remotes[name]
  if (!remote) throw new Error(`no ${name}`)
  return remote
}

describe('owners', () => {
  test('change what is theirs, by every verb', async () => {
    await publishAuth()
    await rollback(target, { name: 'mf-auth' })
    await switchRemote(target, 'mf-auth', 'off')
    expect((await recordOf(target)).signature?.key).toBe(keyOf('auth'))
    expect(await found()).toBe('')
  })

  test.each([
    ['no key', ''],
    ["another team's key", 'missions'],
    ['a key that nobody knows', 'thief'],
  ])('with %s nothing is changed', async (_name, who) => {
    be(who)
    for (const work of [
      publishAuth,
      () => rollback(target, { name: 'mf-auth' }),
      () => switchRemote(target, 'mf-auth', 'off'),
    ])
      await expect(work()).rejects.toThrow(/owners: /)
    expect((await recordOf(target)).number).toBe(7)
  })

  test('of a package change neither settings nor owners nor other records; the key of the site does', async () => {
    const works = [
      () => configure(target, { site: 'SUMMER' }),
      () => setOwner(target, 'mf-missions', [keyOf('auth')]),
      () => prune(target, { keep: 1 }),
    ]
    for (const work of works) await expect(work()).rejects.toThrow(/does not own/)
    be('site')
    for (const work of works) await work()
    await publishAuth()
    expect(await found()).toBe('')
  })

  test('always include the site, and no key that is none', async () => {
    be('site')
    await expect(setOwner(target, 'site', [])).rejects.toThrow(/no key/)
    await expect(setOwner(target, 'mf-auth', ['x'])).rejects.toThrow(/no public key/)
    await expect(revokeKey(target, keyOf('thief'))).rejects.toThrow(/nobody has this key/)
    const open = await newSite(await shellBuild())
    await expect(setOwner(open, 'mf-auth', [keyOf('auth')])).rejects.toThrow(/site KEY/)
    await expect(setOwner(open, 'site', [keyOf('auth')])).rejects.toThrow(/owns nothing/)
  })

  test('stay as they are when the whole site goes back', async () => {
    be('site')
    await revokeKey(target, keyOf('auth'))
    await rollback(target, { to: 7 })
    expect((await recordOf(target)).owners).not.toHaveProperty('mf-auth')
    expect(await found()).toBe('')
  })

  test('prune what they like: the rest is checked, and leads back', async () => {
    be('site')
    await prune(target, { keep: 1, days: 0 })
    expect(await found()).toBe('')
    be('auth')
    await rollback(target, { name: 'mf-auth' })
    expect((await recordOf(target)).remotes['mf-auth']?.current).toEqual(
      (await stored(5)).remotes['mf-auth']?.current,
    )
    expect(await found()).not.toMatch(/compositions/)
  })
})

describe('arbitrary software', () => {
  test('a record that nobody signed, or a stranger', async () => {
    await forge(({ shell }) => ({ shell: { ...shell, contract: '1.1' } }))
    await seen(/000008.*signature is wrong/)
    await putBack(7)
    await forge(() => ({}), 'thief')
    await seen(/000008.*owns nothing/)
    await putBack(7)
    await put({ ...(await stored(7)), number: 8, signature: undefined })
    await seen(/000008.*not signed/)
  })

  test('a record of the attacker is mended by removing it', async () => {
    await forge(() => ({}), 'thief')
    await expect(repair(target)).rejects.toThrow(/owns nothing/)
    await target.remove(recordPath(8))
    await target.remove('composition.json')
    await repair(target)
    expect(await found()).toBe('')
  })

  test('other code under the name of a signed version', async () => {
    const { version } = (await recordOf(target)).shell
    const path = `shell/${version}/build.json`
    const build = JSON.parse(String(await target.read(path)))
    await target.write(path, jsonBytes({ ...build, entry: { ...build.entry, js: ['client.js'] } }))
    await seen(/not the one that was published/)
  })

  test('other HTML of a signed version', async () => {
    const { version } = (await recordOf(target)).shell
    await target.write(`shell/${version}/skeleton-form.html`, Buffer.from('<b>log in here</b>'))
    expect(await found()).toMatch(/skeleton-form\.html differs from its hash/)
    await expect(publishAuth()).rejects.toThrow(/skeleton-form\.html differs from its hash/)
  })

  test('other pages: publishing writes them anew, and until then only a check of all files sees it', async () => {
    await target.write('login/index.html', Buffer.from('<script src="https://evil.example/x.js"></script>'))
    expect(await found()).toMatch(/login\/index\.html/)
    await publishAuth()
    expect(await found()).toBe('')
  })

  test('a site of their own in place of this one is seen by who knows this one', async () => {
    const { root } = await openHistory(target)
    const own = await newSite(await shellBuild(), await remoteBuild(), await missionsBuild())
    for (const path of await target.list('')) await target.remove(path)
    await cp(own.root, target.root, { recursive: true })
    expect(await found()).toMatch(/first owners are others/)
    await expect(publishAuth()).rejects.toThrow(/first owners are others/)
    await onFreshMachine()
    expect(await found()).toBe('')
    process.env.DEPLOY_ROOT = String(root)
    expect(await found()).toMatch(/first owners are others/)
  })
})

describe('rollback attack', () => {
  test('an old record under a new number', async () => {
    await put({ ...(await stored(5)), number: 8 })
    await seen(/000008.*signature is wrong/)
  })

  test('the newest records are taken away: seen by who has seen them, or knows their number', async () => {
    expect(await found()).toBe('')
    await openHistory(target)
    await putBack(5)
    await seen(/put back: 7 was seen/)
    await onFreshMachine()
    expect(await found()).toBe('')
    expect(await found(7)).toMatch(/newest composition is 5, not 7/)
  })
})

describe('freeze attack', () => {
  test('a publish is undone at once: the machine that did it knows', async () => {
    const { record } = await publishAuth()
    await putBack(7)
    await seen(/put back: 8 was seen/)
    await onFreshMachine()
    expect(await found(record.number)).toMatch(/newest composition is 7, not 8/)
  })

  test('pages stay old while records go on', async () => {
    const old = await target.read('login/index.html')
    await publishAuth()
    await target.write('login/index.html', old ?? Buffer.from(''))
    expect(await found()).toMatch(/login\/index\.html does not show the newest state/)
  })
})

describe('mix and match', () => {
  test('signed releases of different days', async () => {
    const auth = await remoteAt(1, 'mf-auth')
    await forge(({ remotes }) => ({ remotes: { ...remotes, 'mf-auth': auth } }))
    await seen(/signature is wrong/)
  })

  test("a team's key does not choose the release of another team", async () => {
    const auth = await remoteAt(5, 'mf-auth')
    const { builds } = await stored(6)
    await forge(
      ({ remotes }) => ({ remotes: { ...remotes, 'mf-auth': auth }, ...(builds && { builds }) }),
      'missions',
    )
    await seen(/changes mf-auth.* does not own/)
  })

  test('a record without its links is none', async () => {
    await forge(() => ({ links: {} }), 'auth')
    await seen(/000008.*does not name the hash of 7/)
  })

  test('a way back is not led elsewhere', async () => {
    await forge(({ before }) => ({ before: { ...before, 'mf-auth': 1 } }), 'missions')
    await seen(/changes mf-auth.* does not own/)
  })
})

describe('records', () => {
  test('a changed one is seen, and nobody goes back to it', async () => {
    const five = await stored(5)
    await put({ ...five, change: { ...five.change, by: 'somebody else' } })
    expect(await found()).toMatch(/000005.*signature is wrong/)
    expect(await found()).toMatch(/000005.*not the record that 6 was made from/)
    await expect(rollback(target, { name: 'mf-auth' })).rejects.toThrow(/000005/)
  })

  test('a changed one is seen by whoever has checked the newer ones before, too', async () => {
    await openHistory(target)
    const five = await stored(5)
    await put({ ...five, change: { ...five.change, by: 'somebody else' } })
    await expect(rollback(target, { name: 'mf-auth' })).rejects.toThrow(/000005/)
    await expect(rollback(target, { name: 'mf-auth', to: 5 })).rejects.toThrow(/000005/)
  })

  test.each([3, 4, 6])('a missing one is seen: %d', async (number) => {
    await target.remove(recordPath(number))
    await seen(/is missing/)
  })

  test('without owners, a changed or missing one is seen by verify', async () => {
    const open = await newSite(await shellBuild(), await remoteBuild())
    for (const site of ['a', 'b', 'c', 'd']) await configure(open, { site })
    target = open
    const two = await stored(2)
    await put({ ...two, config: { ...two.config, site: 'x' } })
    expect(await found()).toMatch(/000002.*not the record that 3 was made from/)
    await put(two)
    expect(await found()).toBe('')
    await target.remove(recordPath(3))
    expect(await found()).toMatch(/000003.*is missing/)
  })

  test('old ones, without links, are taken as they are', async () => {
    const open = await newSite(await shellBuild(), await remoteBuild())
    target = open
    const { links: _, builds: __, ...old } = await stored(1)
    await put(old)
    be('site')
    await setOwner(open, 'site', [keyOf('site')])
    await publishAuth()
    expect(await found()).toBe('')
  })
})

describe('a stolen key', () => {
  test('of a team, revoked: neither a new record nor an older table of owners is taken', async () => {
    be('site')
    await revokeKey(target, keyOf('auth'))
    const { owners } = await stored(7)
    await forge(() => ({}), 'auth')
    await seen(/000009.*owns nothing/)
    await putBack(8)
    await forge(() => ({ ...(owners && { owners }) }), 'auth')
    await seen(/000009.*owns nothing/)
    await putBack(8)
    expect(await found()).toBe('')
  })

  test('of a team does not change others where records are missing, not even for a fresh machine', async () => {
    be('site')
    await prune(target, { keep: 1, days: 0 })
    const missions = await remoteAt(8, 'mf-missions')
    await forge(
      ({ remotes, before, number, change }) => ({
        number: number + 2,
        change: { ...change, verb: 'publish' },
        before: { ...before, shell: number },
        remotes: { ...remotes, 'mf-missions': { ...missions, status: 'off' } },
      }),
      'auth',
    )
    await target.write('composition.json', jsonBytes({ number: 10 }))
    await onFreshMachine()
    await seen(/is missing/)
  })

  test('of the site is replaced by another one', async () => {
    be('site')
    await setOwner(target, 'site', [keyOf('thief')])
    await expect(configure(target, { site: 'x' })).rejects.toThrow(/owns nothing/)
    be('thief')
    await configure(target, { site: 'x' })
    await onFreshMachine()
    expect(await found()).toBe('')
  })
})
