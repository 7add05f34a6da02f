import type { Release } from '@anniversary/shared/contract/composition'
import type { Page } from '@playwright/test'
import { FAULTS } from '../src/faults.ts'
import { takenOver } from '../src/members.ts'
import { type FaultySite, filesPattern } from '../src/site.ts'
import { login } from '../src/subjects.ts'
import { expect, test } from '../src/test.ts'

/** Two releases of one remote on one page, and canaries. */

const account = (page: Page) => page.getByLabel('Tài khoản', { exact: true })

/** Types an account. Before its styles are there the page is hidden, and its fields take no focus: a click waits. */
async function type(page: Page, text: string): Promise<void> {
  await account(page).click()
  await page.keyboard.type(text)
}

test('a failed release leaves code and styles of the next alone', async ({ page, site }) => {
  const previous = await site.previous(login)
  site.compose(login, { previous })
  // Its script and styles load, and stay on the page.
  site.proxy.break(filesPattern(site.current(login), login, 'entry'), FAULTS['changed byte'])
  await site.open(page, '/login')
  await login.works(page)

  const { styles, shown, globals } = await page.evaluate(() => ({
    // The page's own style element has a rule for each file.
    styles: [...document.styleSheets]
      .flatMap(({ href, cssRules }) => {
        const rules = [...cssRules].map(({ cssText }) => cssText)
        return href ? rules.join() : rules
      })
      .map((text): readonly string[] => text.match(/(?<=\.)mf-auth[\w-]+/g) ?? [])
      .filter(({ length }) => length > 0),
    shown: [...document.querySelectorAll('main [class*=mf-auth]')].flatMap(({ classList }) => [...classList]),
    globals: Object.keys(window).filter((key) => key.startsWith('rspackChunkmf_auth')),
  }))
  expect(styles, 'both are on the page').toHaveLength(2)
  const [failed = [], own = []] = styles
  expect(own.filter((name) => failed.includes(name))).toEqual([])
  expect(shown.filter((name) => own.includes(name)).length).toBeGreaterThan(5)
  expect(shown.filter((name) => failed.includes(name))).toEqual([])
  expect(globals, 'each release pushes its chunks into a place of its own').toHaveLength(2)
})

test.describe('canary', () => {
  const version = (page: Page) =>
    page.evaluate(() =>
      performance
        .getEntriesByName('remote:mf-auth:shown')
        .map((mark) => (mark as PerformanceMark).detail)
        .at(-1),
    )
  async function withCanary(site: FaultySite): Promise<Release> {
    const release = await site.previous(login)
    site.compose(login, { canary: { percent: 100, release } })
    return release
  }

  test('its visitor uses the page of all others until it is there', async ({ page, site }) => {
    const canary = await withCanary(site)
    site.proxy.hold(filesPattern(canary, login, 'entry'))
    await site.open(page, '/login')
    await type(page, 'demo01')
    expect(await version(page)).toBeUndefined()
    site.proxy.release()
    await takenOver(page)
    await expect(account(page)).toHaveValue('demo01')
    expect(await version(page)).toBe(canary.version)
  })

  test('one that fails is followed by the current release, and reported', async ({ page, site }) => {
    const canary = await withCanary(site)
    site.proxy.break(filesPattern(canary, login, 'entry'), FAULTS['404'])
    await site.open(page, '/login?private=1')
    await login.works(page)
    expect(await version(page)).not.toBe(canary.version)
    await expect.poll(site.nexts).toEqual(['retry', 'other-version'])
    const report = {
      'event.name': 'remote.failure',
      'remote.name': 'mf-auth',
      'remote.version': canary.version,
      'remote.phase': 'entry',
      'composition.number': expect.any(Number),
      'exception.message': expect.stringMatching(/^HTTP 404: \/mf-auth\/[^ ?]+\/entry\.[^ ]+\.js/),
      'url.path': '/login',
    }
    expect(site.reports()).toEqual([
      { ...report, 'remote.next': 'retry' },
      { ...report, 'remote.next': 'other-version' },
    ])
  })
})
