import {
  contents,
  newSite,
  publishTo,
  recordOf,
  remoteBuild,
  shellBuild,
  type TestSite,
} from '../../test/fixture-builds.ts'
import { run } from '../../test/run.ts'
import { parseTimeOrClock } from '../cli/arguments.ts'
import { readJsonFile } from '../target/target.ts'
import { freezeSite } from './configure.ts'
import { changeNotice } from './notice.ts'
import { rollBackSite } from './rollback.ts'
import { verifySite } from './verify.ts'

const TEXT = 'Buổi quay bắt đầu lúc 20:15'
const EVENING = new Date('2025-09-09T20:00:00+07:00')
/** In an hour. */
const soon = new Date(Date.now() + 3_600_000).toISOString().replace(/\.\d+/, '')
const until = () => new Date(EVENING.getTime() + 3_600_000)

let target: TestSite
beforeEach(async () => {
  target = await newSite(shellBuild(), remoteBuild())
  target.now = () => EVENING
})
const here = (...args: string[]) => run(...args, '--site', target.root)
const pointer = async () => (await readJsonFile(target, 'composition.json')) as object // `deploy` wrote it
const noticeInPage = async () => String(await target.read('login/index.html')).includes(TEXT)

test('a notice reaches pages and pointer within a freeze, and changes nothing else', async () => {
  await freezeSite(target, { from: target.now(), except: [] })
  const before = await contents(target)
  const { record } = await changeNotice(target, { text: TEXT, until })
  expect(record.change).toMatchObject({ verb: 'notice', packages: [] })
  expect(record.change.summary).toBe(`notice until 21:00 09/09/2025: ${TEXT}`)
  expect(await pointer()).toMatchObject({ number: 1, notice: { text: TEXT } })
  expect(await noticeInPage()).toBe(true)
  expect((await verifySite(target)).problems).toEqual([])

  const again = await changeNotice(target, { text: TEXT, until })
  expect(again.changed).toBe(false)
  await changeNotice(target, 'off')
  const after = await contents(target)
  const records = ['compositions/000003.json', 'compositions/000004.json']
  expect(Object.keys(after).filter((path) => after[path] !== before[path])).toEqual(records)
})

test('a notice stays over rollbacks, and the first change after its end removes it', async () => {
  await publishTo(target, remoteBuild({ text: 'two' }))
  await changeNotice(target, { text: TEXT, until })
  await rollBackSite(target, {})
  expect(await noticeInPage()).toBe(true)
  target.now = until
  await publishTo(target, remoteBuild({ text: 'three' }))
  expect(await recordOf(target)).not.toHaveProperty('notice')
  expect(await noticeInPage()).toBe(false)
})

test.each([
  ['an empty text', ' ', soon, /the notice \(site\)\n.*it is empty/],
  ['a line break', 'a\nb', soon, /line break or control character/],
  ['a text that turns direction', 'a\u202eb', soon, /line break or control character/],
  ['141 characters', 'ệ'.repeat(141), soon, /141 characters, and 140 is the most/],
  ['a time that has passed', 'a', '2020-09-09T19:59', /19:59 09\/09\/2020 in Viet Nam has passed/],
  ['a time too far away', 'a', '2099-09-10T20:01', /more than 24 hours away/],
  ['no such time', 'a', '25:00', /Write it like 2025-09-09T19:30/],
])('%s is refused', async (_, text, end, why) => {
  const { number } = await recordOf(target)
  const { code, err } = await here('notice', text, '--until', end)
  expect(code).not.toBe(0)
  expect(err).toMatch(why)
  expect((await recordOf(target)).number).toBe(number)
})

test('the command shows, sets and takes away, and refuses half a wish', async () => {
  expect((await here('notice')).out).toBe('no notice\n')
  expect((await here('notice', TEXT, '--until', soon)).out).toMatch(`: ${TEXT}\n`)
  expect((await here('notice')).out).toMatch(TEXT)
  expect((await here('status')).out).toMatch(TEXT)
  for (const args of [[TEXT], ['--until', soon], ['--off', '--until', soon]])
    expect((await here('notice', ...args)).err).toMatch('Name a text and --until, or --off.')
  expect((await here('notice', '--off')).out).toMatch(/✓ no notice\n/)
})

test('a clock time is one of today in Viet Nam, also after midnight there', async () => {
  target.now = () => new Date('2025-09-09T17:30:00Z')

  await changeNotice(target, { text: TEXT, until: parseTimeOrClock('01:00') })
  expect((await recordOf(target)).notice?.until).toBe('2025-09-09T18:00:00.000Z')
})
