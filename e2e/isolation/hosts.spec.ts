import { WHOLE } from './cells.ts'
import { FAULTS } from './faults.ts'
import { type Front, startFront } from './front.ts'
import { expect, expectTheRestLives, failedCard, inMatrix, TEXTS, test } from './lab.ts'
import { SUBJECTS } from './remotes.ts'

/** Whole hosts and networks that go and come back. */

test.describe.configure({ mode: 'parallel' })

SUBJECTS.forEach((subject, index) => {
  const only = (cell: number) => WHOLE || index === cell

  if (only(0))
    test(`${subject.remote}: its host is down at boot and comes back while the card shows`, async ({
      page,
      lab,
      stack,
    }) => {
      inMatrix('host down at boot', subject)
      const host = await startFront(stack.url)
      await host.close()
      lab.compose(subject, (remote) => ({ ...remote, current: lab.on(host.url, remote.current) }))
      await lab.open(page, subject.path)
      await expect(failedCard(page)).toBeVisible()
      await expectTheRestLives(page, subject)
      const again = await startFront(stack.url, Number(new URL(host.url).port))
      try {
        await failedCard(page).getByRole('button', { name: TEXTS.retry }).click()
        await subject.works(page)
      } finally {
        await again.close()
      }
      expect(lab.pagesLoaded()).toBe(1)
      // All of its files fail at once, and the first that is known to is named.
      await expect.poll(() => lab.told().length).toBeGreaterThan(0)
      for (const told of lab.told())
        expect([`${subject.remote} entry`, `${subject.remote} chunk`]).toContain(told)
    })

  if (only(1))
    test(`${subject.remote}: its host goes down after it has loaded`, async ({ page, lab, stack }) => {
      inMatrix('host down later', subject)
      const host = await startFront(stack.url)
      lab.compose(subject, (remote) => ({ ...remote, current: lab.on(host.url, remote.current) }))
      await lab.open(page, subject.from.path)
      await subject.from.works(page)
      await subject.from.go(page)
      await subject.works(page)
      await host.close()
      await page.goBack()
      await subject.from.works(page)
      await page.goForward()
      await subject.works(page)
      expect(lab.told()).toEqual([])
    })

  if (only(2))
    test(`${subject.remote}: the network goes and comes back`, async ({ page, context, lab }) => {
      inMatrix('offline, then online', subject)
      await lab.open(page, subject.from.path)
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
      // Nobody presses anything.
      await subject.works(page)
      expect(lab.pagesLoaded()).toBe(1)
    })

  if (only(3))
    for (const kind of ['entry', 'script', 'style'] as const)
      test(`${subject.remote}: the release before it is broken too (${kind})`, async ({ page, lab }) => {
        inMatrix('both releases broken', subject)
        const previous = lab.previous(subject)
        lab.compose(subject, (remote) => {
          for (const release of [remote.current, previous])
            lab.front.break(
              lab.urls(release, subject, kind),
              FAULTS[kind === 'entry' ? '404' : 'changed byte'],
            )
          return { ...remote, previous }
        })
        await lab.open(page, subject.path)
        await expect(failedCard(page)).toBeVisible()
        await expectTheRestLives(page, subject)
        await expect.poll(lab.nexts).toEqual(['retry', 'other-version', 'none'])
        lab.front.mend()
        await failedCard(page).getByRole('button', { name: TEXTS.retry }).click()
        await subject.works(page)
        expect(lab.pagesLoaded()).toBe(1)
      })
})

test('everything of a remote hangs, again and again, and every other page works', async ({ page, lab }) => {
  test.skip(!WHOLE, 'takes half a minute')
  test.setTimeout(120_000)
  const history = SUBJECTS.find(({ remote }) => remote === 'mf-history')
  if (!history) throw new Error('no mf-history')
  inMatrix('all files hang', history)
  test.setTimeout(120_000)
  const hang = (front: Front) => front.break(/^\/mf-history\//, FAULTS.hangs)
  hang(lab.front)
  await lab.open(page, history.path)
  for (const _time of [1, 2]) {
    await expect(failedCard(page)).toBeVisible()
    await expectTheRestLives(page, history)
    await failedCard(page).getByRole('button', { name: TEXTS.retry }).click()
  }
  await expect(failedCard(page)).toBeVisible()
  lab.front.mend()
  await failedCard(page).getByRole('button', { name: TEXTS.retry }).click()
  await history.works(page)
  await page.getByRole('button', { name: 'Quay về' }).click()
  await history.from.works(page)
})
