import { newSite, recordOf, remoteBuild, shellBuild } from '../../test/fixture-builds.ts'
import { run } from '../../test/run.ts'
import { direct } from '../site/context.ts'
import type { FileTarget } from '../target/file-target.ts'
import { startCanary } from './canary.ts'
import { publish } from './publish.ts'

let target: FileTarget
beforeEach(async () => {
  target = await newSite(await shellBuild(), await remoteBuild())
  await publish(direct(target), [await remoteBuild({ text: 'two' })])
})
const here = (...args: string[]) => run(...args, '--site', target.root)

test('a frozen site takes back and switches off, and nothing else', async () => {
  await startCanary(direct(target), await remoteBuild({ text: 'canary' }), 5)
  expect((await here('freeze', '--now')).out).toMatch(/^frozen from \S+ until somebody ends it by/)
  const { number } = await recordOf(target)
  const build = await remoteBuild({ text: 'three' })
  for (const args of [
    ['publish', build, '--no-smoke'],
    ['canary', 'set', 'mf-auth', '--percent', '50'],
    ['promote', 'mf-auth'],
    ['config', 'shareHost=example.com'],
    ['enable', 'mf-auth'],
  ])
    expect(await here(...args)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/\(freeze\)\n.*frozen from/),
    })
  expect((await recordOf(target)).number).toBe(number)
  for (const args of [
    ['canary', 'stop', 'mf-auth'],
    ['rollback', 'mf-auth'],
    ['disable', 'mf-auth'],
  ])
    expect((await here(...args)).code).toBe(0)
  expect((await here('status')).out).toContain('frozen from')
  expect((await here('freeze', '--off')).out).toBe('not frozen\n')
  expect((await here('enable', 'mf-auth')).code).toBe(0)
})

test('a freeze begins and ends by the time of Viet Nam', async () => {
  const frozen = async (from: string, to: string) => {
    expect((await here('freeze', '--from', from, '--to', to)).code).toBe(0)
    return (
      (await here('disable', 'mf-auth')).code === 0 && (await here('enable', 'mf-auth')).code === 1
    )
  }
  const at = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(0, 16)
  // Seven hours ahead of UTC.
  expect(await frozen(at(6), at(8))).toBe(true)
  expect(await frozen(at(8), at(9))).toBe(false)
  expect(await frozen(at(5), at(6))).toBe(false)
  expect((await here('freeze')).out).toBe('not frozen\n')
})

test.each([
  [['--from', 'tonight'], /tonight is no time: write 2025-09-09T19:30/],
  [['--to', '2025-09-09'], /--from and --to/],
  [['--now', '--off'], /--from and --to/],
])('freeze %j is rejected', async (options, why) => {
  expect(await here('freeze', ...options)).toMatchObject({
    code: 2,
    err: expect.stringMatching(why),
  })
})
