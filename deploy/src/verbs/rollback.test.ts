import {
  callerWith,
  copyOf,
  newSite,
  publishTo,
  recordOf,
  remoteBuild,
  shellBuild,
  siteIn,
  type TestSite,
} from '../../test/fixture-builds.ts'
import { currentSiteRecord, type SiteRecord } from '../site/record.ts'
import { startCanary } from './canary.ts'
import { changeSettings } from './configure.ts'
import { rollBackSite } from './rollback.ts'

/** Composition 1 has a shell and mf-auth "one", 2 mf-auth "two". */
let template: TestSite
let target: TestSite
const versions: string[] = []

function authIn({ remotes }: SiteRecord) {
  const remote = remotes['mf-auth']
  if (!remote) throw new Error('no mf-auth')
  return remote
}
const versionNow = async () => authIn(await recordOf(target)).current.version

beforeAll(async () => {
  template = await newSite(shellBuild(), remoteBuild())
  await publishTo(template, remoteBuild({ text: 'two' }))
  for (const number of [1, 2]) {
    const { [number]: record } = await recordsOf(template)
    if (record) versions.push(authIn(record).current.version)
  }
})
beforeEach(async () => {
  target = await copyOf(template)
})

async function recordsOf(site: TestSite): Promise<Record<number, SiteRecord>> {
  const paths = await site.list('compositions')
  const texts = await Promise.all(paths.map((path) => site.read(path)))
  const records = texts.map((text): SiteRecord => JSON.parse(String(text)))
  return Object.fromEntries(records.map((record) => [record.number, record]))
}

test('a rollback says what it did, of a package and of the site', async () => {
  const { summary, record } = await rollBackSite(target, { name: 'mf-auth' })
  expect(summary).toBe(`mf-auth ${versions[1]} → ${versions[0]}`)
  expect(record.change).toMatchObject({ verb: 'rollback', packages: ['mf-auth'] })

  const whole = await rollBackSite(target, {})
  expect(whole.summary).toBe('the whole site as of 2')
  expect(whole.record.change).toMatchObject({ verb: 'rollback site', packages: ['mf-auth'] })
})

test('a shell goes back alone', async () => {
  const { shell } = await recordOf(target)
  await publishTo(target, shellBuild({ text: 'other' }))
  await publishTo(target, remoteBuild({ text: 'three' }))
  const { remotes } = await recordOf(target)
  const { summary, record } = await rollBackSite(target, { name: 'shell' })
  expect(summary).toMatch(/^shell 1\.0\.0-\w+ → 1\.0\.0-\w+$/)
  expect(record.shell).toEqual(shell)
  expect(record.remotes).toEqual(remotes)
})

test('a rollback by number ends a canary too, and brings none back', async () => {
  await startCanary(target, await remoteBuild({ text: 'canary' }), 5)
  await rollBackSite(target, { name: 'mf-auth', to: 1 })
  expect(authIn(await recordOf(target))).not.toHaveProperty('canary')
  expect(await versionNow()).toBe(versions[0])

  await rollBackSite(target, { name: 'mf-auth', to: 3 })
  expect(authIn(await recordOf(target))).not.toHaveProperty('canary')
  expect(await versionNow()).toBe(versions[1])
})

test('versions that the shell cannot run are passed over', async () => {
  await publishTo(target, [shellBuild({ contract: '2.0' }), remoteBuild({ contract: '2.0' })])
  await publishTo(target, remoteBuild({ contract: '2.0', text: 'three' }))
  await rollBackSite(target, { name: 'mf-auth' })
  const back = rollBackSite(target, { name: 'mf-auth' })
  await expect(back).rejects.toThrow(/mf-auth.*no earlier version.*deploy disable/s)

  await rollBackSite(target, { to: 2 })
  expect((await recordOf(target)).shell.contract).toBe('1.0')
})

test('what does not exist cannot go back', async () => {
  const unknown = rollBackSite(target, { name: 'mf-nothing' })
  await expect(unknown).rejects.toThrow(/mf-nothing.*no such remote/)
  const missing = rollBackSite(target, { to: 99 })
  await expect(missing).rejects.toThrow(/composition 99.*does not exist.*deploy history/s)
  await rollBackSite(target, {})
  await expect(rollBackSite(target, {})).rejects.toThrow(/the site.*no earlier version/s)
  const empty = rollBackSite(await newSite(), {})
  await expect(empty).rejects.toThrow(/this site.*nothing was ever published here.*--site/s)
})

describe('a killed rollback', () => {
  async function kill(of: { name?: string }): Promise<void> {
    const killed = siteIn(target.root)
    killed.write = async () => Promise.reject(new Error('killed'))
    await expect(rollBackSite(killed, of)).rejects.toThrow(/killed/)
  }
  const as = (...packages: string[]) => ({
    target,
    caller: callerWith({ packages }),
    isDryRun: false,
  })

  test.each([{ name: 'mf-auth' }, {}])('of %j is finished by who may change it', async (of) => {
    await kill(of)
    const foreign = rollBackSite(as('mf-other'), of)
    await expect(foreign).rejects.toThrow(/mf-auth.*ann may change mf-other/)
    const finished = await rollBackSite(as('mf-auth'), of)
    expect(finished).toMatchObject({ changed: true, warnings: [], smoke: [] })
    expect((await currentSiteRecord(target)).number).toBe(3)
  })

  test('is not finished by one of something else', async () => {
    await kill({ name: 'mf-auth' })
    await expect(rollBackSite(target, {})).resolves.toMatchObject({
      summary: 'the whole site as of 2',
    })
    await changeSettings(target, { shareHost: 'example.com' })
    const { summary } = await rollBackSite(target, { name: 'mf-auth' })
    expect(summary).toBe(`mf-auth ${versions[1]} → ${versions[0]}`)
  })

  test('is not finished by one to a number', async () => {
    await kill({ name: 'mf-auth' })
    const { summary } = await rollBackSite(target, { name: 'mf-auth', to: 2 })
    expect(summary).toBe(`mf-auth ${versions[0]} → ${versions[1]}`)
  })
})
