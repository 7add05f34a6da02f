import {
  copyOf,
  newSite,
  publishTo,
  remoteBuild,
  shellBuild,
  type TestSite,
} from '../../test/fixture-builds.ts'
import { run } from '../../test/run.ts'
import { jsonBytes } from '../target/target.ts'
import { switchRemote } from '../verbs/configure.ts'
import { rollBackSite } from '../verbs/rollback.ts'
import { verifySite } from '../verbs/verify.ts'
import { POINTER_PATH, pathOfRecord } from './record.ts'

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
