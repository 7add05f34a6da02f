import {
  contextOf,
  copyOf,
  newSite,
  publishTo,
  recordOf,
  remoteBuild,
  shellBuild,
  type TestSite,
} from '../../test/fixture-builds.ts'
import { CHECKS } from '../site/context.ts'
import { changeSettings, freezeSite, switchRemote } from './configure.ts'

let template: TestSite
let target: TestSite
beforeAll(async () => {
  template = await newSite(shellBuild(), remoteBuild())
})
beforeEach(async () => {
  target = await copyOf(template)
})
/** Builds of these tests are not loaded in a browser. */
const as = (...packages: string[]) => contextOf(target, { packages: [...packages, CHECKS] })

describe('rights', () => {
  test('a package is changed by who may change it', async () => {
    const build = remoteBuild({ text: 'two' })
    const foreign = publishTo(as('mf-other', 'shell'), build)
    await expect(foreign).rejects.toThrow(/mf-auth.*ann may change mf-other, shell/)
    await expect(switchRemote(as('mf-other'), 'mf-auth', 'off')).rejects.toThrow(/mf-auth/)
    // Of the server's own environment.
    process.env.DEPLOY_BY = 'the boss'
    const { record } = await publishTo(as('mf-auth'), build)
    expect(record.change).toMatchObject({ by: 'ann', verb: 'publish', packages: ['mf-auth'] })
  })

  test('who may not change a package may not publish the live version either', async () => {
    await expect(publishTo(as('mf-other'), remoteBuild())).rejects.toThrow(/mf-auth/)
    const { changed, record } = await publishTo(as('mf-auth'), remoteBuild())
    expect([changed, record.number]).toEqual([false, 1])
  })

  test('settings are changed by who may change everything', async () => {
    const setting = { shareHost: 'example.com' }
    await expect(changeSettings(as('mf-auth', 'shell'), setting)).rejects.toThrow(
      /the configuration/,
    )
    const { record } = await changeSettings(as('*'), setting)
    expect(record.change.packages).toEqual([])
  })

  test('the first publish of a shell sets the configuration', async () => {
    target = await newSite()
    const { changed } = await publishTo(as('shell'), shellBuild())
    expect(changed).toBe(true)
  })

  test('a file outside of packages is added by who may change everything', async () => {
    const build = (text: string, ...paths: string[]) =>
      remoteBuild({
        name: 'mf-extra',
        text,
        publicFiles: Object.fromEntries(paths.map((path) => [path, 'x.html'])),
      })
    await publishTo(as('mf-extra'), build('one', '/pages/page.html'))
    const added = publishTo(as('mf-extra'), build('two', '/extra.html'))
    await expect(added).rejects.toThrow(/files outside packages/)
    await publishTo(as('*'), build('two', '/extra.html'))
    await publishTo(as('mf-extra'), build('three', '/extra.html'))
    const second = publishTo(as('mf-extra'), build('four', '/extra.html', '/more.html'))
    await expect(second).rejects.toThrow(/files outside packages/)
    await publishTo(as('mf-extra'), build('five'))
  })
})

describe('a freeze', () => {
  test('names the parts that it stops, and pages keep what they show', async () => {
    const { number, createdAt } = await recordOf(target)
    await freezeSite(target, { from: 'now', until: undefined, except: ['mf-auth'] })
    const frozen = await recordOf(target)
    expect(frozen).toMatchObject({ number: 2, shown: { number, createdAt } })
    expect(frozen.change.packages).toEqual([])

    await expect(publishTo(target, shellBuild({ text: 'two' }))).rejects.toThrow(/frozen/)
    await expect(changeSettings(target, { shareHost: 'example.com' })).rejects.toThrow(/frozen/)
    await publishTo(target, remoteBuild({ text: 'two' }))
    expect(await recordOf(target)).not.toHaveProperty('shown')
  })

  test('that follows another is of the same pages', async () => {
    for (const except of [[], ['mf-auth']])
      await freezeSite(target, { from: 'now', until: undefined, except })
    expect(await recordOf(target)).toMatchObject({ number: 3, shown: { number: 1 } })
  })
})
