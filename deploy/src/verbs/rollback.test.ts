import {
  contextOf,
  newSite,
  publishTo,
  remoteBuild,
  shellBuild,
  siteIn,
} from '../../test/fixture-builds.ts'
import { run } from '../../test/run.ts'
import { auth, goBack, newest, page, target, versions } from '../../test/site-of-three.ts'
import { pathOfRecord } from '../site/record.ts'
import { changeCanary, startCanary } from './canary.ts'
import { changeSettings, freezeSite } from './configure.ts'
import { rollBackSite } from './rollback.ts'

describe('rollback of a remote', () => {
  test('a rollback goes to the last good version, again further back', async () => {
    await goBack()
    expect(await page()).toContain(`href="/mf-auth/${versions[1]}/entry.js"`)
    expect((await auth()).previous?.version).toBe(versions[0])
    await goBack()
    expect((await auth()).current.version).toBe(versions[0])
    await expect(goBack()).rejects.toThrow(/no earlier version/)
    await publishTo(target, remoteBuild({ text: 'four' }))
    expect((await auth()).previous?.version).toBe(versions[0])
  })

  test('a rollback by number takes the version of that composition', async () => {
    await goBack({ to: 1 })
    expect((await auth()).current.version).toBe(versions[0])
    await expect(goBack({ to: 99 })).rejects.toThrow(
      /composition 99.*does not exist.*deploy history/s,
    )
  })

  test('two rollbacks at once are one step', async () => {
    const both = [goBack(), goBack()]
    const ends = await Promise.allSettled(both)
    expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect((await auth()).current.version).toBe(versions[1])
    await expect(goBack({ from: 3 })).rejects.toThrow(/changed since.* 3/)
    await expect(rollBackSite(target, { from: 3 })).rejects.toThrow(/changed since.* 3/)
    await goBack({ from: 4 })
    expect((await auth()).current.version).toBe(versions[0])
  })

  test('a rollback to an incompatible version is rejected', async () => {
    await publishTo(target, [shellBuild({ contract: '2.0' }), remoteBuild({ contract: '2.0' })])
    const before = await newest()
    await expect(goBack({ to: 1 })).rejects.toThrow(/contract 1\.0.*offers 2\.0/)
    expect(await newest()).toEqual(before)
  })
})

test('each rollback of the site goes one step further back', async () => {
  await changeSettings(target, { shareHost: 'example.com' })
  await rollBackSite(target, {})
  expect((await newest()).config.shareHost).toBe('facebook.com')
  expect((await auth()).current.version).toBe(versions[2])
  await rollBackSite(target, {})
  expect((await auth()).current.version).toBe(versions[1])
  await rollBackSite(target, { to: 1 })
  expect((await auth()).current.version).toBe(versions[0])
  await expect(rollBackSite(target, {})).rejects.toThrow(/the site.*no earlier version/s)
  const empty = rollBackSite(await newSite(), {})
  await expect(empty).rejects.toThrow(/this site.*nothing was ever published here.*--site/s)
})

describe('a rollback that was killed before its pages were written', () => {
  async function kill(of: { readonly name?: string | undefined }): Promise<void> {
    const killed = siteIn(target.root)
    killed.write = async () => Promise.reject(new Error('killed'))
    await expect(rollBackSite(killed, of)).rejects.toThrow(/killed/)
  }
  const expected = [{ name: 'mf-auth' }, { name: 'mf-auth', from: 4 }, {}]
  test.each(expected)('is shown by status and finished by a rollback of %j', async (again) => {
    const of = { name: again.name }
    await kill(of)
    const status = () => run('status', '--site', target.root)
    expect((await status()).out).toContain('pages still show composition 3, not 4')
    expect(await page()).toContain(versions[2])
    const { summary, record } = await rollBackSite(target, again)
    expect({ summary, number: record.number }).toMatchObject({
      summary: expect.stringContaining('composition 4 finished'),
      number: 4,
    })
    expect(await page()).toContain(versions[1])
    expect((await status()).out).not.toContain('pages still show')
    await rollBackSite(target, of)
    expect((await auth()).current.version).toBe(versions[0])
  })

  test.each([{ name: 'mf-auth' }, {}])('of %j is finished by who may change it', async (of) => {
    await kill(of)
    const foreign = rollBackSite(contextOf(target, { packages: ['mf-other'] }), of)
    await expect(foreign).rejects.toThrow(/mf-auth.*ann may change mf-other/)
    const publisher = contextOf(target, { packages: ['mf-auth'], may: 'publish' })
    await expect(rollBackSite(publisher, of)).rejects.toThrow(/token of ann is for publish only/)
    const finished = await rollBackSite(contextOf(target, { packages: ['mf-auth'] }), of)
    expect(finished).toMatchObject({ changed: true, warnings: [], smoke: [] })
    expect((await newest()).number).toBe(4)
  })

  test('is not finished by one of something else', async () => {
    await kill({ name: 'mf-auth' })
    await expect(rollBackSite(target, {})).resolves.toMatchObject({
      summary: 'the whole site as of 3',
    })
    await changeSettings(target, { shareHost: 'example.com' })
    const { summary } = await rollBackSite(target, { name: 'mf-auth' })
    expect(summary).toBe(`mf-auth ${versions[2]} → ${versions[1]}`)
  })

  test('is not finished by one to a number', async () => {
    await kill({ name: 'mf-auth' })
    const { summary } = await rollBackSite(target, { name: 'mf-auth', to: 3 })
    expect(summary).toBe(`mf-auth ${versions[1]} → ${versions[2]}`)
  })
})

test('a shell goes back alone', async () => {
  const { shell } = await newest()
  await publishTo(target, shellBuild({ text: 'other' }))
  await publishTo(target, remoteBuild({ text: 'four' }))
  const { remotes } = await newest()
  const { summary, record } = await rollBackSite(target, { name: 'shell' })
  expect(summary).toMatch(/^shell 1\.0\.0-\w+ → 1\.0\.0-\w+$/)
  expect(record.shell).toEqual(shell)
  expect(record.remotes).toEqual(remotes)
})

test('a rollback by number ends a canary too, and brings none back', async () => {
  await startCanary(target, await remoteBuild({ text: 'canary' }), 5)
  await goBack({ to: 1 })
  expect(await auth()).not.toHaveProperty('canary')
  expect((await auth()).current.version).toBe(versions[0])

  await goBack({ to: 4 })
  expect(await auth()).not.toHaveProperty('canary')
  expect((await auth()).current.version).toBe(versions[2])
})

describe('a canary that was stopped', () => {
  beforeEach(async () => {
    await startCanary(target, await remoteBuild({ text: 'canary' }), 5)
    await changeSettings(target, { shareHost: 'one.example' })
    await changeSettings(target, { shareHost: 'two.example' })
  })
  const rejected = /canary again that .+ has stopped: mf-auth canary \S+ stopped.*Name the package/s
  const stops: [how: string, () => Promise<unknown>][] = [
    ['canary stop', () => changeCanary(target, 'mf-auth', 'nobody')],
    ['rollback', () => goBack()],
  ]

  test.each(stops)('by `%s` is not started again by a rollback of the site', async (_how, stop) => {
    await stop()
    await freezeSite(target, { from: 'now', except: [] })
    const team = contextOf(target, { packages: ['mf-auth'] })
    await expect(rollBackSite(team, {})).rejects.toThrow(rejected)
    await freezeSite(target, 'lifted')
    await changeSettings(target, { shareHost: 'three.example' })
    await rollBackSite(target, {})
    expect((await newest()).config.shareHost).toBe('two.example')
    await expect(rollBackSite(target, {})).rejects.toThrow(rejected)
  })

  test('is not started again where the record of its stop is damaged', async () => {
    await changeCanary(target, 'mf-auth', 'nobody')
    await freezeSite(target, { from: 'now', except: [] })
    await target.write(pathOfRecord(7), Buffer.from('{}'))
    await expect(rollBackSite(target, {})).rejects.toThrow(/start a canary again that has ended/)
  })

  test('is left out by a rollback to a number, and by those after it', async () => {
    await changeCanary(target, 'mf-auth', 'nobody')
    const shareHosts: string[] = []
    const summaries: string[] = []
    for (const step of [{ to: 5 }, {}, {}]) {
      summaries.push((await rollBackSite(target, step)).summary)
      expect(await auth()).not.toHaveProperty('canary')
      shareHosts.push((await newest()).config.shareHost)
    }
    expect(summaries).toEqual([
      'the whole site as of 5, without ended canaries',
      'the whole site as of 4, without ended canaries',
      'the whole site as of 2',
    ])
    expect(shareHosts).toEqual(['one.example', 'facebook.com', 'facebook.com'])
    expect((await auth()).current.version).toBe(versions[1])
  })
})

test('a rollback to a number keeps a canary that runs', async () => {
  await startCanary(target, await remoteBuild({ text: 'canary' }), 5)
  await changeCanary(target, 'mf-auth', 50)
  await rollBackSite(target, { to: 4 })
  expect(await auth()).toMatchObject({ canary: { percent: 5 } })
})

test('versions that the shell cannot run are passed over', async () => {
  await publishTo(target, [shellBuild({ contract: '2.0' }), remoteBuild({ contract: '2.0' })])
  await publishTo(target, remoteBuild({ contract: '2.0', text: 'four' }))
  await goBack()
  const back = goBack()
  await expect(back).rejects.toThrow(/mf-auth.*no earlier version.*deploy disable/s)

  await rollBackSite(target, { to: 2 })
  expect((await newest()).shell.contract).toBe('1.0')
})
