import { FAULTS } from '../src/faults.ts'
import { filesPattern } from './faulty-site.ts'
import { expect, failedCard, test } from './isolation-test.ts'
import { nightlyUnless } from './matrix.ts'
import { SUBJECTS, subjectOf } from './remotes.ts'

/** Failure reports: their content, and the API's metrics of them. */

const login = subjectOf('mf-auth')

test('a report says what, where and in which composition', async ({ page, site }) => {
  site.compose(login, (remote) => {
    site.proxy.break(filesPattern(remote.current, login, 'script'), FAULTS['404'])
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
