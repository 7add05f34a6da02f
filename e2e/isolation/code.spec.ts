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
  readonly sees: typeof failedCard
  readonly phase: string
  /** What the composition says wrong of the published build; without it, a build of this name misbehaves. */
  readonly claims?: Partial<Release>
  readonly throws?: RegExp
}

const WAYS: Readonly<Record<string, Way>> = {
  ThrowsWhileImporting: { sees: failedCard, phase: 'expose' },
  ThrowsInRender: { sees: crashText, phase: 'render', throws: /broken in render/ },
  ThrowsInEffect: { sees: crashText, phase: 'render', throws: /broken in an effect/ },
  NeverResolves: { sees: failedCard, phase: 'deadline' },
  NeverRenders: { sees: failedCard, phase: 'deadline' },
  NoComponent: { sees: failedCard, phase: 'contract' },
  LacksTheExpose: { sees: failedCard, phase: 'expose' },
  'wrong contract': { sees: failedCard, phase: 'contract', claims: { contract: '2.0' } },
  'newer contract': { sees: failedCard, phase: 'contract', claims: { contract: '1.99' } },
  'no container': { sees: failedCard, phase: 'entry', claims: { container: 'absent' } },
}

test.describe.configure({ mode: 'parallel' })
test.beforeEach(({ page }) => page.clock.install())

/**
 * Passes the loader's time in its steps: second attempt, third attempt or previous release, deadline. What else is loading
 * then would be late as well, and reported.
 */
async function passTime(page: Page, until: 'previous' | 'deadline'): Promise<void> {
  await page.waitForLoadState('networkidle')
  for (const ms of until === 'previous' ? [4000, 4000] : [4000, 4000, 2000]) await page.clock.fastForward(ms)
}

/** Resolves with the broken build's release. */
async function compose(site: FaultySite, subject: Subject, name: string, previous?: Release) {
  const claims = WAYS[name]?.claims
  const broken = claims ? undefined : await site.broken(name, subject)
  site.compose(subject, (remote) => ({
    ...remote,
    current: broken ?? { ...remote.current, ...claims },
    ...(previous && { previous }),
  }))
  return broken
}

// The loader treats all remotes alike: each way meets one of them, in turn.
for (const [w, [name, { sees, phase, throws }]] of Object.entries(WAYS).entries()) {
  const subject = SUBJECTS[w % SUBJECTS.length] as Subject // the index is in its range

  test(
    `${subject.remote} ${name}, no other release`,
    nightlyUnless(w % 2 === 0),
    async ({ page, site, expectedErrors }) => {
      if (throws) expectedErrors.push(throws)
      await compose(site, subject, name)
      await site.open(page, subject.from.path)
      await subject.from.works(page)
      if (phase === 'deadline') await page.waitForLoadState('networkidle')
      await subject.from.go(page)
      if (phase === 'deadline') await passTime(page, 'deadline')
      await expect(sees(page)).toBeVisible()
      await expectTheRestLives(page, subject)
      if (phase !== 'deadline') {
        // Nothing else is left to try: the message comes again.
        await sees(page).getByRole('button', { name: TEXTS.retry }).click()
        await expect(sees(page)).toBeVisible()
      }
      await page.goBack()
      await subject.from.works(page)
      expect(site.pagesLoaded()).toBe(1)
      await expect.poll(site.blamed).toEqual([`${subject.remote} ${phase}`])
      await expect.poll(() => site.nexts().at(-1)).toBe('none')
    },
  )

  test(
    `${subject.remote} ${name}, the release before it`,
    nightlyUnless(w % 2 === 1),
    async ({ page, site, expectedErrors }) => {
      if (throws) expectedErrors.push(throws)
      const broken = await compose(site, subject, name, await site.previous(subject))
      await site.open(page, subject.path)
      if (phase === 'deadline') {
        await expect.poll(() => site.filesOf(subject.remote)).toContain(broken?.entry)
        await passTime(page, name === 'NeverResolves' ? 'previous' : 'deadline')
      }
      // The loader cannot undo a render: the member sees the failure, and the retry loads the previous release.
      if (phase === 'render' || name === 'NeverRenders') {
        await expect(sees(page)).toBeVisible()
        await sees(page).getByRole('button', { name: TEXTS.retry }).click()
      }
      await expect(page.getByRole('main')).toBeVisible()
      await subject.works(page)
      expect(site.pagesLoaded()).toBe(1)
      await expect.poll(site.blamed).toEqual([`${subject.remote} ${phase}`])
    },
  )
}

test('a page that throws when it is left', async ({ page, site, expectedErrors }) => {
  const subject = subjectOf('mf-auth')
  expectedErrors.push(/broken when left/)
  await compose(site, subject, 'ThrowsWhenLeft')
  await site.open(page, subject.from.path)
  await subject.from.works(page)
  await subject.from.go(page)
  await expect(page.getByRole('heading', { name: 'Hỏng khi rời đi' })).toBeVisible()
  await page.goBack()
  await subject.from.works(page)
  expect(site.pagesLoaded()).toBe(1)
  await expect.poll(site.blamed).toEqual([`${subject.remote} render`])
})

test('what the page’s policy blocks is reported with the remote that tried it', async ({
  page,
  site,
  expectedErrors,
}) => {
  expectedErrors.push(/Content Security Policy/)
  const subject = subjectOf('mf-auth')
  await compose(site, subject, 'BreaksPolicy')
  await site.open(page, subject.path)
  await expect(page.getByRole('heading', { name: 'Trang tò mò' })).toBeVisible()
  const messages = () => site.reports().map((report) => report['exception.message'])
  await expect
    .poll(() => messages().sort())
    .toEqual([
      'connect-src blocked http://elsewhere.example/collect',
      'img-src blocked http://elsewhere.example/pixel.gif',
    ])
  expect(site.blamed()).toEqual(['mf-auth csp'])
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
