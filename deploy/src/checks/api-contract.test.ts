import {
  newSite,
  publishTo,
  recordOf,
  remoteBuild,
  serve,
  shellBuild,
  type TestSite,
} from '../../test/fixture-builds.ts'
import { changeSettings } from '../verbs/configure.ts'

const livez = {
  ...{ status: 'ok', version: '1.2.3', commit: 'abc', contract: '1.2' },
  ...{ site: 'ANNIVERSARY', share_host: 'facebook.com' },
}
const serveLivez = (answer: object) =>
  serve((request, response) =>
    response.end(request.url === '/livez' ? JSON.stringify(answer) : '<html>'),
  )

let target: TestSite
beforeEach(async () => {
  delete process.env.DEPLOY_API
  target = await newSite(shellBuild(), remoteBuild())
  await changeSettings(target, { eventUrl: `${await serveLivez(livez)}/event` })
})
const publishing = async (api: string, apiContract?: string) =>
  publishTo(target, remoteBuild({ text: api, api }), {
    smoke: false,
    ...(apiContract && { apiContract }),
  })

test.each(['1.2', '1.0'])(
  'a page that needs API %s is published where the live API serves 1.2',
  async (api) => {
    expect(await publishing(api)).toMatchObject({ changed: true, warnings: [] })
  },
)

test.each(['1.3', '2.0'])(
  'a page that needs API %s is rejected where the live API serves 1.2',
  async (api) => {
    const { number } = await recordOf(target)
    await expect(publishing(api)).rejects.toThrow(
      `mf-auth: api: it needs API contract ${api}, the live API serves 1.2`,
    )
    expect((await recordOf(target)).number).toBe(number)
  },
)

test.each(['http://127.0.0.1:1', ''])(
  'an API away at %j stops no publish, which warns',
  async (address) => {
    process.env.DEPLOY_API = address
    const { changed, warnings } = await publishing('1.3')
    expect({ changed, warnings }).toEqual({
      changed: true,
      warnings: [expect.stringMatching(/not compared/)],
    })
  },
)

test('the contract of an API that the caller starts is compared without a call', async () => {
  process.env.DEPLOY_API = ''
  await expect(publishing('1.3', '1.2')).rejects.toThrow('needs API contract 1.3')
  expect(await publishing('1.2', '1.2')).toMatchObject({ warnings: [] })
})

test.each([
  [{ site: 'SUMMER' }, 'site: api: it is SUMMER here, and ANNIVERSARY at the live API'],
  [
    { shareHost: 'zalo.me' },
    'shareHost: api: it is zalo.me here, and facebook.com at the live API',
  ],
])('a site with %j is rejected where the live API has another', async (settings, problem) => {
  await expect(changeSettings(target, settings)).rejects.toThrow(problem)
  const { site: _, share_host: __, ...older } = livez
  process.env.DEPLOY_API = await serveLivez(older)
  expect(await changeSettings(target, settings)).toMatchObject({ changed: true, warnings: [] })
  delete process.env.DEPLOY_API
  await expect(publishing('1.2')).rejects.toThrow(problem)
})

test('the first publish warns of another site code, which `deploy config` changes', async () => {
  process.env.DEPLOY_API = await serveLivez({ ...livez, site: 'SUMMER' })
  const { warnings } = await publishTo(await newSite(), [shellBuild(), remoteBuild({ api: '1.2' })])
  expect(warnings).toEqual([expect.stringMatching(/^site: it is ANNIVERSARY .*site=SUMMER`$/)])
})
