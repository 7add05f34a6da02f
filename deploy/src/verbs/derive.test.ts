import {
  contextOf,
  copyOf,
  newSite,
  publishTo,
  remoteBuild,
  shellBuild,
  type TestSite,
} from '../../test/fixture-builds.ts'
import { CHECKS } from '../site/context.ts'
import { rollBackSite } from './rollback.ts'

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
  test("a change names the caller, not the author of the server's environment", async () => {
    process.env.DEPLOY_BY = 'the boss'
    const { record } = await publishTo(as('mf-auth'), remoteBuild({ text: 'two' }))
    expect(record.change).toMatchObject({ by: 'ann', verb: 'publish', packages: ['mf-auth'] })
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
    const { record } = await rollBackSite(as('mf-extra'), { name: 'mf-extra' })
    expect(record.change.summary).toMatch(/^mf-extra .+ → /)
  })
})
