import { FAULTS } from '../src/faults.ts'
import { startFaultyProxy } from '../src/faulty-proxy.ts'
import { filesPattern, relocated } from '../src/site.ts'
import { expectTheRestLives, failedCard, subjectOf, TEXTS } from '../src/subjects.ts'
import { expect, test } from '../src/test.ts'

/** Whole hosts and networks that fail and come back. */

test.describe.configure({ mode: 'parallel' })

test('a remote’s host is down at boot and comes back while the card shows', async ({ page, site, stack }) => {
  const subject = subjectOf('mf-auth')
  const host = await startFaultyProxy(stack.url)
  await host.close()
  site.compose(subject, (remote) => ({ ...remote, current: relocated(host.url, remote.current) }))
  await site.open(page, subject.path)
  await expect(failedCard(page)).toBeVisible()
  await expectTheRestLives(page, subject)
  const again = await startFaultyProxy(stack.url, { port: Number(new URL(host.url).port) })
  try {
    await failedCard(page).getByRole('button', { name: TEXTS.retry }).click()
    await subject.works(page)
  } finally {
    await again.close()
  }
  expect(site.pagesLoaded()).toBe(1)
  // All its files fail at once; the report names the first.
  await expect.poll(() => site.blamed().length).toBeGreaterThan(0)
  for (const blamed of site.blamed())
    expect([`${subject.remote} entry`, `${subject.remote} chunk`]).toContain(blamed)
})

test('the network goes and comes back', async ({ page, context, site }) => {
  const subject = subjectOf('mf-history')
  await site.open(page, subject.from.path)
  await subject.from.works(page)
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await subject.from.go(page)
  await expect(failedCard(page)).toBeVisible()
  await page.goBack()
  await expect(failedCard(page)).toBeHidden()
  await page.goForward()
  await expect(failedCard(page)).toBeVisible()
  await context.setOffline(false)
  // Without a press.
  await subject.works(page)
  expect(site.pagesLoaded()).toBe(1)
})

test('the release before it is broken too', async ({ page, site }) => {
  const subject = subjectOf('mf-megalive')
  const previous = await site.previous(subject)
  site.compose(subject, (remote) => {
    for (const release of [remote.current, previous])
      site.proxy.break(filesPattern(release, subject, 'script'), FAULTS['changed byte'])
    return { ...remote, previous }
  })
  await site.open(page, subject.path)
  await expect(failedCard(page)).toBeVisible()
  await expectTheRestLives(page, subject)
  await expect.poll(site.nexts).toEqual(['retry', 'other-version', 'none'])
  site.proxy.mend()
  await failedCard(page).getByRole('button', { name: TEXTS.retry }).click()
  await subject.works(page)
  expect(site.pagesLoaded()).toBe(1)
})
