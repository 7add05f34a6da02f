import type { Release } from '@anniversary/shared/contract/composition'
import type { Page } from '@playwright/test'
import { answer } from '../src/faults.ts'
import type { FaultySite } from '../src/site.ts'
import {
  crashText,
  expectTheRestLives,
  failedCard,
  SUBJECTS,
  type Subject,
  subjectOf,
  TEXTS,
} from '../src/subjects.ts'
import { expect, nightlyUnless, test } from '../src/test.ts'

/** Published code that misbehaves. Its files are as built, so the integrity check passes. */

interface Way {
  /** Its build (broken/rspack.config.js), where the composition does not say something wrong of the published one. */
  readonly name: string
  readonly claims?: Partial<Release>
  readonly sees: 'card' | 'crash'
  readonly phase: string
  readonly throws?: RegExp
}

const WAYS: readonly Way[] = [
  { name: 'ThrowsWhileImporting', sees: 'card', phase: 'expose' },
  { name: 'ThrowsInRender', sees: 'crash', phase: 'render', throws: /broken in render/ },
  { name: 'ThrowsInEffect', sees: 'crash', phase: 'render', throws: /broken in an effect/ },
  { name: 'NeverResolves', sees: 'card', phase: 'deadline' },
  { name: 'NeverRenders', sees: 'card', phase: 'deadline' },
  { name: 'NoComponent', sees: 'card', phase: 'contract' },
  { name: 'LacksTheExpose', sees: 'card', phase: 'expose' },
  { name: 'wrong contract', claims: { contract: '2.0' }, sees: 'card', phase: 'contract' },
  { name: 'newer contract', claims: { contract: '1.99' }, sees: 'card', phase: 'contract' },
  { name: 'no container', claims: { container: 'absent' }, sees: 'card', phase: 'entry' },
]
test.describe.configure({ mode: 'parallel' })
test.beforeEach(({ page }) => page.clock.install())

/**
 * Passes the loader's time in its steps: second attempt, third attempt or previous release, deadline. What else is loading
 * then would be late as well, and reported.
 */
async function passTime(page: Page, until: 'previous' | 'deadline'): Promise<void> {
  for (const ms of until === 'previous' ? [4000, 4000] : [4000, 4000, 2000]) await page.clock.fastForward(ms)
}

// The loader treats all remotes alike: each way meets one of them, in turn.
for (const [w, way] of WAYS.entries()) {
  const subject = SUBJECTS[w % SUBJECTS.length] as Subject // the index is in its range
  const seen = way.sees === 'card' ? failedCard : crashText
  /** Resolves with the broken build's release. */
  async function compose(site: FaultySite, previous?: Release) {
    const broken = way.claims ? undefined : await site.broken(way.name, subject)
    site.compose(subject, (remote) => ({
      ...remote,
      current: broken ?? { ...remote.current, ...way.claims },
      ...(previous && { previous }),
    }))
    return broken
  }

  test(
    `${subject.remote} ${way.name}, no other release`,
    nightlyUnless(w % 2 === 0),
    async ({ page, site, expectedErrors }) => {
      if (way.throws) expectedErrors.push(way.throws)
      await compose(site)
      await site.open(page, subject.from.path)
      await subject.from.works(page)
      if (way.phase === 'deadline') await page.waitForLoadState('networkidle')
      await subject.from.go(page)
      if (way.phase === 'deadline') await passTime(page, 'deadline')
      await expect(seen(page)).toBeVisible()
      await expectTheRestLives(page, subject)
      if (way.phase !== 'deadline') {
        // Nothing else is left to try: the message comes again.
        await seen(page).getByRole('button', { name: TEXTS.retry }).click()
        await expect(seen(page)).toBeVisible()
      }
      await page.goBack()
      await subject.from.works(page)
      expect(site.pagesLoaded()).toBe(1)
      await expect.poll(site.blamed).toEqual([`${subject.remote} ${way.phase}`])
      await expect.poll(() => site.nexts().at(-1)).toBe('none')
    },
  )

  test(
    `${subject.remote} ${way.name}, the release before it`,
    nightlyUnless(w % 2 === 1),
    async ({ page, site, expectedErrors }) => {
      if (way.throws) expectedErrors.push(way.throws)
      const broken = await compose(site, await site.previous(subject))
      await site.open(page, subject.path)
      if (way.phase === 'deadline') {
        await expect.poll(() => site.filesOf(subject.remote)).toContain(broken?.entry)
        await page.waitForLoadState('networkidle')
        await passTime(page, way.name === 'NeverResolves' ? 'previous' : 'deadline')
      }
      // The loader cannot undo a render: the member sees the failure, and the retry loads the previous release.
      if (way.sees === 'crash' || way.name === 'NeverRenders') {
        await expect(seen(page)).toBeVisible()
        await seen(page).getByRole('button', { name: TEXTS.retry }).click()
      }
      await expect(page.getByRole('main')).toBeVisible()
      await subject.works(page)
      expect(site.pagesLoaded()).toBe(1)
      await expect.poll(site.blamed).toEqual([`${subject.remote} ${way.phase}`])
    },
  )
}

test('a page that throws when it is left', async ({ page, site, expectedErrors }) => {
  const subject = subjectOf('mf-auth')
  expectedErrors.push(/broken when left/)
  const broken = await site.broken('ThrowsWhenLeft', subject)
  site.compose(subject, (remote) => ({ ...remote, current: broken }))
  await site.open(page, subject.from.path)
  await subject.from.works(page)
  await subject.from.go(page)
  await expect(page.getByRole('heading', { name: 'Hỏng khi rời đi' })).toBeVisible()
  await page.goBack()
  await subject.from.works(page)
  expect(site.pagesLoaded()).toBe(1)
  await expect.poll(site.blamed).toEqual([`${subject.remote} render`])
})

test('a remote that is switched off while its page is open', async ({ page, site }) => {
  const subject = subjectOf('mf-history')
  await site.open(page, subject.path)
  await subject.works(page)
  const remotes = { [subject.remote]: { status: 'off' } }
  site.proxy.break(/^\/composition\.json/, answer({ number: 1_000_000, remotes }))
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await expect(page.getByRole('alert').filter({ hasText: TEXTS.off })).toBeVisible()
  await expectTheRestLives(page, subject)
})
