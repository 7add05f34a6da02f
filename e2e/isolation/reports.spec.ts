import { FAULTS } from '../src/faults.ts'
import { expect, failedCard, test } from './isolation-test.ts'
import { nightlyUnless } from './matrix.ts'
import { SUBJECTS, subjectOf } from './remotes.ts'

/** Failure reports: their content, and the API's metrics of them. */

const login = subjectOf('mf-auth')
/** After this time the loader starts a second attempt (shell/src/loader/remote-loader.ts). */
const SECOND_ATTEMPT_MS = 4000

test('a report says what, where and in which composition', async ({ page, site }) => {
  site.compose(login, (remote) => {
    site.proxy.break(site.urls(remote.current, login, 'script'), FAULTS['404'])
    return remote
  })
  await site.open(page, '/login?private=1')
  await expect(failedCard(page)).toBeVisible()
  expect(site.reports()).toHaveLength(2)
  expect(site.reports()[0]).toEqual({
    'event.name': 'remote.failure',
    'remote.name': 'mf-auth',
    'remote.version': expect.stringMatching(/^1\.0\.0-[0-9a-f]{12}$/),
    'remote.phase': 'chunk',
    'remote.next': 'retry',
    'composition.number': expect.any(Number),
    'exception.message': expect.stringMatching(/^HTTP 404: \/mf-auth\/[^ ]+\/LoginPage\.[^ ]+\.js$/),
    'url.path': '/login',
  })
})

test('the report of a hang names the file that does not come', { tag: '@nightly' }, async ({
  page,
  site,
}) => {
  site.compose(login, (remote) => {
    const { source } = site.urls(remote.current, login, 'style')
    site.proxy.break(new RegExp(source.replace('(\\?|$)', '$')), FAULTS.hangs)
    return remote
  })
  await page.clock.install()
  await site.open(page, '/login')
  await expect.poll(() => site.filesOf('mf-auth').some((path) => path.endsWith('.css'))).toBe(true)
  await page.clock.fastForward(SECOND_ATTEMPT_MS)
  await login.works(page)
  expect(site.reports()[0]?.['exception.message']).toMatch(/^no answer within \d+ ms: \/mf-auth\/[^ ]+\.css$/)
})

for (const subject of SUBJECTS)
  test(
    `what the page’s policy blocks is reported with ${subject.remote}, which tried it`,
    nightlyUnless(subject === login),
    async ({ page, site, expectedErrors }) => {
      expectedErrors.push(/Content Security Policy/)
      const broken = await site.broken('BreaksPolicy', subject)
      site.compose(subject, (remote) => ({ ...remote, current: broken }))
      await site.open(page, subject.path)
      await expect(page.getByRole('heading', { name: 'Trang tò mò' })).toBeVisible()
      await expect
        .poll(() =>
          site
            .reports()
            .map((report) => `${report['remote.name']} ${report['exception.message']}`)
            .sort(),
        )
        .toEqual([
          `${subject.remote} connect-src blocked http://elsewhere.example/collect`,
          `${subject.remote} img-src blocked http://elsewhere.example/pixel.gif`,
        ])
      expect(site.blamed()).toEqual([`${subject.remote} csp`])
    },
  )
