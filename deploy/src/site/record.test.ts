import {
  copyOf,
  letRest,
  newSite,
  publishTo,
  recordOf,
  remoteBuild,
  shellBuild,
  type TestSite,
} from '../../test/fixture-builds.ts'
import { run } from '../../test/run.ts'
import { jsonBytes } from '../target/target.ts'
import { switchRemote } from '../verbs/configure.ts'
import { rollBackSite } from '../verbs/rollback.ts'
import { verifySite } from '../verbs/verify.ts'
import { recordsBefore } from './history.ts'
import { asStoredRecord, newestRecord, POINTER_PATH, pathOfRecord } from './record.ts'

let template: TestSite
let target: TestSite
beforeAll(async () => {
  template = await newSite(shellBuild(), remoteBuild())
  for (const text of ['two', 'three', 'four']) await publishTo(template, remoteBuild({ text }))
})
beforeEach(async () => {
  target = await copyOf(template)
})
const here = (...args: string[]) => run(...args, '--site', target.root)
const versionAt = async (number: number) =>
  JSON.parse(String(await target.read(pathOfRecord(number)))).remotes['mf-auth'].current.version

describe.each([
  ['empty', () => Buffer.alloc(0)],
  ['torn', (bytes: Buffer) => bytes.subarray(0, 700)],
])('a newest record that is %s', (_what, tear) => {
  beforeEach(async () => {
    const path = pathOfRecord(4)
    await target.write(path, tear((await target.read(path)) ?? Buffer.alloc(0)))
  })
  const verbs = [
    ['status'],
    ['history'],
    ['rollback', 'mf-auth'],
    ['rollback'],
    ['disable', 'mf-auth'],
    ['config', 'shareHost=example.com'],
    ['freeze', '--now'],
  ]

  test.each(verbs.map((args) => [args]))('does not stop %j', async (args) => {
    expect(await here(...args)).toMatchObject({ code: 0, err: '' })
  })

  test('is reported, ignored and repaired', async () => {
    const four = await remoteBuild({ text: 'four' })
    expect((await here('status')).out).toMatch(/000004\.json is empty or torn.*verify --repair/)
    expect((await verifySite(target)).problems).toContainEqual(
      expect.objectContaining({
        about: pathOfRecord(4),
        todo: expect.stringContaining('--repair'),
      }),
    )
    const { record, warnings } = await publishTo(target, four)
    expect(record.number).toBe(5)
    expect(warnings).toEqual([expect.stringContaining('empty or torn')])
    expect((await here('verify', '--repair')).code).toBe(0)
    expect((await verifySite(target)).problems).toEqual([])
    expect(await versionAt(4)).toBe(await versionAt(3))
    await rollBackSite(target, { name: 'mf-auth' })
    expect(await versionAt(6)).toBe(await versionAt(3))
  })
})

test('a torn first record is repaired by the next one', async () => {
  await target.write(pathOfRecord(1), Buffer.alloc(0))
  await letRest(target)
  expect((await here('verify', '--repair')).code).toBe(0)
  expect((await verifySite(target)).problems).toEqual([])
  expect(await versionAt(1)).toBe(await versionAt(2))
  await rollBackSite(target, { to: 1 })
  expect(await versionAt(5)).toBe(await versionAt(2))
})

test('pages show the record that takes the number of a lost one', async () => {
  const config = async () => String(await target.read('config.json'))
  const before = await config()
  expect((await here('config', 'shareHost=example.com')).code).toBe(0)
  const { number } = await recordOf(target)
  await target.remove(pathOfRecord(number))
  expect((await here('disable', 'mf-auth')).code).toBe(0)
  expect((await recordOf(target)).number).toBe(number)
  expect(String(await target.read('login/index.html'))).toContain('"status":"off"')
  expect(await config()).toBe(before)
  expect((await verifySite(target)).problems).toEqual([])
})

test('a torn pointer stops no verb and is repaired', async () => {
  for (const repairing of [
    () => here('verify', '--repair'),
    () => here('disable', 'mf-auth'),
    () => here('rollback'),
  ]) {
    await target.write(POINTER_PATH, Buffer.alloc(0))
    expect((await here('status')).out).toMatch(/pages still show composition none/)
    expect((await repairing()).code).toBe(0)
    expect((await verifySite(target)).problems).toEqual([])
  }
})

test('a record of another release is not passed over', async () => {
  await target.write(pathOfRecord(5), jsonBytes({ number: 5, shape: 'new' }))
  const change = switchRemote(target, 'mf-auth', 'off')
  await expect(change).rejects.toThrow(/000005\.json is damaged, or of another release/)
})

test('a record that says another number is refused', async () => {
  await target.write(pathOfRecord(5), (await target.read(pathOfRecord(4))) ?? Buffer.alloc(0))
  await expect(newestRecord(target)).rejects.toThrow(/000005\.json is damaged.*says that it is 4/)
})

test('what is wrong with a record is said of each field', async () => {
  const record = { ...(await newestRecord(target)), number: 5, createdAt: 1, config: 'x' }
  await target.write(pathOfRecord(5), jsonBytes(record))
  await expect(newestRecord(target)).rejects.toThrow(/createdAt.*; .*config/)
})

test('other files among the records are passed over', async () => {
  for (const name of ['notes.json', '5.json', '000005.json.bak'])
    await target.write(`compositions/${name}`, Buffer.from('x'))
  expect(await newestRecord(target)).toMatchObject({ number: 4 })
})

test("records of earlier releases keep a site's rollback and a freeze", async () => {
  const record = await newestRecord(target)
  if (!record) throw new Error('no record')
  const change = { ...record.change, verb: 'rollback', restored: 2 }
  const freeze = { from: '2025-09-09T12:30:00Z', except: ['mf-auth'], by: 'ann' }
  const shown = { number: 3, createdAt: record.createdAt }
  const stored = asStoredRecord({ ...record, change, freeze, shown })
  expect(stored).toMatchObject({ change: { verb: 'rollback site' }, freeze, shown })
  expect(stored.change).not.toHaveProperty('restored')
})

test('a long history is read from its end, some records at once', async () => {
  const record = await newestRecord(target)
  for (let number = 5; number <= 200; number++)
    if (number !== 150) await target.write(pathOfRecord(number), jsonBytes({ ...record, number }))
  let reading = 0
  let most = 0
  const { read } = target
  target.read = async (path) => {
    most = Math.max(most, ++reading)
    return await read.call(target, path).finally(() => reading--)
  }
  const numbers: number[] = []
  for await (const { number } of recordsBefore(target, 201)) {
    if (number === 200) expect(most).toBe(2)
    numbers.push(number)
  }
  const all = Array.from({ length: 200 }, (_, index) => 200 - index)
  expect(numbers).toEqual(all.filter((number) => number !== 150))
  expect(most).toBe(64)
})
