import type { Release } from '@anniversary/shared/contract/composition'
import type { Page } from '@playwright/test'
import { answer } from '../src/faults.ts'
import type { FaultySite } from '../src/site.ts'
import {
  crashText,
  expectTheRestLives,
  failedCard,
  history,
  inTurn,
  login,
  type Subject,
  TEXTS,
} from '../src/subjects.ts'
import { expect, nightlyUnless, test } from '../src/test.ts'

/**
 * Published code that fails. Its files are as built, so the integrity check
 * passes.
 */

interface Way {
  readonly sees: typeof failedCard
  readonly phase: string
  /**
   * Wrong entries of the composition for the published build. Unset: a broken
   * build of this name is used.
   */
  readonly claims?: Partial<Release>
  readonly throws?: RegExp
}

const WAYS: Readonly<Record<string, Way>> = {
  ThrowsWhileImporting: { sees: failedCard, phase: 'expose' },
  ThrowsInRender: { sees: crashText, phase: 'render', throws: /broken in render/ },
  ThrowsInEffect: { sees: crashText, phase: 'render', throws: /broken in an effect/ },
  // React stops a page that renders without end (its errors 301 and 185).
  UpdatesInRender: { sees: crashText, phase: 'render', throws: /error #301/ },
  UpdatesInLayoutEffect: { sees: crashText, phase: 'render', throws: /error #185/ },
  NeverResolves: { sees: failedCard, phase: 'deadline' },
  NeverRenders: { sees: failedCard, phase: 'deadline' },
  NoComponent: { sees: failedCard, phase: 'contract' },
  LacksTheExpose: { sees: failedCard, phase: 'expose' },
  'wrong contract': { sees: failedCard, phase: 'contract', claims: { contract: '2.0' } },
  'newer contract': { sees: failedCard, phase: 'contract', claims: { contract: '1.99' } },
  'no container': { sees: failedCard, phase: 'entry', claims: { container: 'absent' } },
}

test.beforeEach(({ page }) => page.clock.install())

/**
 * Advances the clock in the loader's steps: second attempt, third attempt or
 * previous release, deadline.
 */
async function passTime(page: Page, until: 'previous' | 'deadline'): Promise<void> {
  for (const ms of until === 'previous' ? [4000, 4000] : [4000, 4000, 2000])
    await page.clock.fastForward(ms)
}

async function compose(site: FaultySite, subject: Subject, name: string, previous?: Release) {
  const claims = WAYS[name]?.claims
  const broken = claims ? undefined : await site.broken(name, subject)
  const current = broken ?? { ...site.current(subject), ...claims }
  site.compose(subject, { current, ...(previous && { previous }) })
  return broken
}

for (const [w, [name, { sees, phase, throws }]] of Object.entries(WAYS).entries())
  for (const other of ['no other release', 'the release before it'] as const) {
    const subject = inTurn(w)
    const hasOther = other === 'the release before it'
    test(
      `${subject.remote} recovers from ${name} (${other})`,
      nightlyUnless((w % 2 === 1) === hasOther),
      async ({ page, site, expectedErrors }) => {
        if (throws) expectedErrors.push(throws)
        const broken = await compose(
          site,
          subject,
          name,
          hasOther ? await site.previous(subject) : undefined,
        )
        // Other loads must have ended, or they would be reported as late too. The
        // composition is loaded after the page's code.
        const last = name === 'NeverRenders' ? '/composition/' : '/LoginPage.'
        const loaded =
          phase === 'deadline' &&
          page.waitForEvent('requestfinished', (request) => request.url().includes(last))
        await site.open(page, subject.path)
        if (phase === 'deadline') {
          await loaded
          expect(site.filesOf(subject.remote)).toContain(broken?.entry)
          await passTime(page, hasOther && name === 'NeverResolves' ? 'previous' : 'deadline')
        }
        // The loader cannot undo a render: the member sees the failure, and the
        // retry loads the previous release.
        if (!hasOther || phase === 'render' || name === 'NeverRenders') {
          await expect(sees(page)).toBeVisible()
          await expectTheRestLives(page)
          await sees(page).getByRole('button', { name: TEXTS.retry }).click()
        }
        if (hasOther) await subject.works(page)
        else if (phase !== 'deadline') await expect(sees(page)).toBeVisible()
        expect(site.pagesLoaded()).toBe(1)
        await expect.poll(site.blamed).toEqual([`${subject.remote} ${phase}`])
        if (!hasOther) await expect.poll(() => site.nexts().at(-1)).toBe('none')
        if (!hasOther && phase === 'render') {
          await sees(page).getByRole('button', { name: 'Tải lại trang' }).click()
          await expect.poll(site.pagesLoaded).toBe(2)
        }
      },
    )
  }

for (const [way, heading, blamed] of [
  ['ThrowsWhenLeft', 'Hỏng khi rời đi', ['mf-auth render']],
  ['UpdatesInEffect', /^Lặp \d{3,} lần$/, []],
] as const)
  test(`${way}: a page shows, and can be left for one that works`, async ({
    page,
    site,
    expectedErrors,
  }) => {
    expectedErrors.push(/broken when left/)
    await compose(site, login, way)
    await site.open(page, login.from.path)
    await login.from.works(page)
    await login.from.go(page)
    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
    await expectTheRestLives(page)
    await page.goBack()
    await login.from.works(page)
    expect(site.pagesLoaded()).toBe(1)
    await expect.poll(site.blamed).toEqual(blamed)
  })

test('what the policy blocks is reported with its remote', async ({
  page,
  site,
  expectedErrors,
}) => {
  expectedErrors.push(/Content Security Policy/)
  await compose(site, login, 'BreaksPolicy')
  await site.open(page, login.path)
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

test('an open page of a remote that is switched off says so', async ({ page, site }) => {
  await site.open(page, history.path)
  await history.works(page)
  const remotes = { [history.remote]: { status: 'off' } }
  site.proxy.break(/^\/composition\.json/, answer({ number: 1_000_000, remotes }))
  await page.evaluate(() => dispatchEvent(new Event('focus')))
  await expect(page.getByRole('alert').filter({ hasText: 'Tạm ngưng phục vụ' })).toBeVisible()
  await expectTheRestLives(page)
})
