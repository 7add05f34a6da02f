import { FAULTS } from '../src/faults.ts'
import { filesPattern } from '../src/site.ts'
import { failedCard, subjectOf } from '../src/subjects.ts'
import { expect, test } from '../src/test.ts'

/** What pages report of failures. */

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

test('what the page’s policy blocks is reported with the remote that tried it', async ({
  page,
  site,
  expectedErrors,
}) => {
  expectedErrors.push(/Content Security Policy/)
  const broken = await site.broken('BreaksPolicy', login)
  site.compose(login, (remote) => ({ ...remote, current: broken }))
  await site.open(page, login.path)
  await expect(page.getByRole('heading', { name: 'Trang tò mò' })).toBeVisible()
  const messages = () =>
    site
      .reports()
      .map((report) => report['exception.message'])
      .sort()
  await expect
    .poll(messages)
    .toEqual([
      'connect-src blocked http://elsewhere.example/collect',
      'img-src blocked http://elsewhere.example/pixel.gif',
    ])
  expect(site.blamed()).toEqual(['mf-auth csp'])
})
