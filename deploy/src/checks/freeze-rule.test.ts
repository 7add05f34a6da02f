import {
  contextOf,
  newSite,
  publishTo,
  recordOf,
  remoteBuild,
  shellBuild,
  type TestSite,
} from '../../test/fixture-builds.ts'
import { run } from '../../test/run.ts'
import { readAllRecords } from '../site/record.ts'
import { startCanary } from '../verbs/canary.ts'
import { freezeSite, switchRemote } from '../verbs/configure.ts'
import { rollBackSite } from '../verbs/rollback.ts'

let target: TestSite
beforeEach(async () => {
  target = await newSite(shellBuild(), remoteBuild())
  await publishTo(target, remoteBuild({ text: 'two' }))
})
const here = (...args: string[]) => run(...args, '--site', target.root)
const freezeNow = (except: string[] = []) => freezeSite(target, { from: target.now(), except })
const anotherBuild = () => remoteBuild({ text: `${Math.random()}` })

test('a frozen site takes back and switches off, and nothing else', async () => {
  await startCanary(target, await remoteBuild({ text: 'canary' }), 5)
  expect((await here('freeze', '--now')).out).toMatch(/frozen from .+ until somebody lifts it\n/)
  const { number } = await recordOf(target)
  const build = await remoteBuild({ text: 'three' })
  for (const args of [
    ['publish', build, '--no-smoke'],
    ['canary', 'set', 'mf-auth', '--percent', '50'],
    ['promote', 'mf-auth'],
    ['config', 'shareHost=example.com'],
  ])
    expect(await here(...args)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/\(freeze\)\n.*frozen from.*\n.*deploy freeze --off/),
    })
  expect((await recordOf(target)).number).toBe(number)
  for (const args of [
    ['preview', build, '--no-smoke'],
    ['canary', 'stop', 'mf-auth'],
    ['rollback', 'mf-auth'],
    ['disable', 'mf-auth'],
  ])
    expect((await here(...args)).code).toBe(0)
  expect((await here('status')).out).toContain('frozen from')
  expect((await here('freeze', '--off')).out).toMatch(/✓ not frozen/)
  expect((await here('publish', build, '--no-smoke')).code).toBe(0)
})

test('of twenty publishes and one freeze at once none lands after the freeze', async () => {
  const builds = await Promise.all(Array.from({ length: 20 }, anotherBuild))
  const publishing = builds.map((build) => publishTo(target, build))
  const { record } = await freezeNow()
  const ends = await Promise.allSettled(publishing)
  const numbers = ends.map((end) => (end.status === 'fulfilled' ? end.value.record.number : 0))
  expect(Math.max(...numbers)).toBeLessThan(record.number)
  expect(numbers).toContain(0)
  expect((await readAllRecords(target)).at(-1)?.change.verb).toBe('freeze')
})

test('a publish whose upload ends within a freeze is refused', async () => {
  const from = new Date(Date.now() + 60_000)
  const { record } = await freezeSite(target, { from, except: [] })
  const create = target.create.bind(target)
  target.create = async (path, bytes) => {
    if (path.endsWith('build.json')) target.now = () => from
    return await create(path, bytes)
  }
  await expect(publishTo(target, anotherBuild())).rejects.toThrow(/frozen from/)
  expect((await recordOf(target)).number).toBe(record.number)
})

test("a publish is refused where a bucket's clock goes back within the second", async () => {
  target.now = () => new Date('2030-01-01T00:00:00.009Z')
  await freezeSite(target, { from: 'now', except: [] })
  target.now = () => new Date('2030-01-01T00:00:00.003Z')
  await expect(publishTo(target, anotherBuild())).rejects.toThrow(/frozen from/)
})

test('an exception may change, also within the freeze', async () => {
  await freezeNow()
  await expect(publishTo(target, anotherBuild())).rejects.toThrow(/--except mf-auth/)
  expect((await here('freeze', '--except', 'mf-auth')).out).toMatch(/lifts it, except mf-auth\n/)
  await publishTo(target, anotherBuild())
  expect(await recordOf(target)).not.toHaveProperty('shown')
  const both = [await shellBuild({ text: 'two' }), await anotherBuild()]
  await expect(publishTo(target, both)).rejects.toThrow(/^shell: freeze/)
  expect((await here('freeze', '--except', 'mf-nothing')).err).toMatch(/no such remote/)
})

test('a remote that was switched off within the freeze is switched on again', async () => {
  const second = await remoteBuild({ name: 'mf-second', routes: {} })
  await publishTo(target, second)
  await switchRemote(target, 'mf-second', 'off')
  await freezeNow()
  await switchRemote(target, 'mf-auth', 'off')
  await switchRemote(target, 'mf-auth', 'on')
  await expect(switchRemote(target, 'mf-second', 'on')).rejects.toThrow(/frozen/)
})

test('what changes nothing succeeds within a freeze', async () => {
  await freezeNow()
  const live = await remoteBuild({ text: 'two', version: '1.0.1' })
  expect(await here('publish', '--changed', live)).toMatchObject({
    code: 0,
    out: '= every build was released before: no change\n',
  })
  expect((await here('enable', 'mf-auth')).code).toBe(0)
})

test('a freeze changes no page, and a rollback does not lift it', async () => {
  const page = async () => String(await target.read('login/index.html'))
  const before = await page()
  const { number, createdAt } = await recordOf(target)
  for (const except of [[], ['mf-auth']]) await freezeNow(except)
  expect(await recordOf(target)).toMatchObject({ shown: { number, createdAt } })
  expect(await page()).toBe(before)
  expect((await here('status')).out).not.toContain('pages still show')
  await rollBackSite(target, {})
  expect(await page()).not.toBe(before)
  const { freeze, remotes } = await recordOf(target)
  expect(freeze).toBeDefined()
  expect(remotes['mf-auth']).not.toHaveProperty('previous')
})

test('only whoever may change everything freezes, and a refusal names them', async () => {
  const theirs = contextOf(target, { packages: ['mf-auth'], whoMay: () => ['ann', 'thu'] })
  await expect(freezeSite(theirs, 'lifted')).rejects.toThrow(/the freeze: access/)
  await freezeNow()
  await expect(publishTo(theirs, anotherBuild())).rejects.toThrow(/ask ann, thu/)
})

test('a freeze begins and ends by the time of Viet Nam', async () => {
  const isFrozen = async (from: string, until: string) => {
    expect((await here('freeze', '--from', from, '--until', until)).code).toBe(0)
    return (await here('config', `shareHost=${Math.random()}.example`)).code === 1
  }
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 16)
  // Seven hours ahead of UTC.
  expect(await isFrozen(at(6), at(8))).toBe(true)
  expect(await isFrozen(at(8), at(9))).toBe(false)
  expect(await isFrozen(at(5), at(6))).toBe(false)
  const evening = ['--from', '2099-09-09T19:30', '--until', '2099-09-09T22:00']
  const shown = 'frozen from 19:30 09/09/2099 until 22:00 09/09/2099'
  for (const args of [evening, [], ['--except', 'mf-auth']]) {
    const { out } = await here('freeze', ...args)
    expect(out).toContain(shown)
    expect(out).not.toContain('replaces')
  }
  const second = await here('freeze', '--from', at(5), '--until', at(6))
  expect(second.out).toContain(`this replaces: ${shown}`)
  expect((await here('freeze')).out).toBe('not frozen\n')
})

test.each([
  [['--from', 'tonight'], /Write it like 2025-09-09T19:30/],
  [['--until', '2025-09-09'], /--from and --until/],
  [['--now', '--off'], /--from and --until/],
])('freeze %j is rejected', async (options, why) => {
  expect(await here('freeze', ...options)).toMatchObject({
    code: 2,
    err: expect.stringMatching(why),
  })
})
