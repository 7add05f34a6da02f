import type { Release } from '@anniversary/shared/contract/composition'
import type { Page } from '@playwright/test'
import { FAULTS } from '../src/faults.ts'
import type { FaultySite } from './faulty-site.ts'
import { expect, test } from './isolation-test.ts'
import { subjectOf, takenOver } from './remotes.ts'

/** Two releases of one remote on one page, and canaries. */

const login = subjectOf('mf-auth')
const account = (page: Page) => page.getByLabel('Tài khoản', { exact: true })

/** Types an account. Before its styles are there the page is hidden, and its fields take no focus: a click waits. */
async function type(page: Page, text: string): Promise<void> {
  await account(page).click()
  await page.keyboard.type(text)
}

/** Class names that a release's styles define. */
async function classesOf(site: FaultySite, { exposes }: Release): Promise<Set<string>> {
  const texts = Object.values(exposes).flatMap(({ css }) =>
    css.map(async ({ url }) => (await fetch(site.proxy.url + url)).text()),
  )
  return new Set((await Promise.all(texts)).join().match(/(?<=\.)mf-[\w-]+/g))
}

const classesOn = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('main [class]')].flatMap((element) => [...element.classList]),
  )

test('after a release has failed half-way, the one before it has its own code and styles', async ({
  page,
  site,
}) => {
  let current: Release | undefined
  const previous = await site.previous(login)
  site.compose(login, (remote) => {
    current = remote.current
    // Its script and styles load, and stay on the page.
    site.proxy.break(site.urls(remote.current, login, 'entry'), FAULTS['changed byte'])
    return { ...remote, previous }
  })
  await site.open(page, '/login')
  await login.works(page)
  if (!current) throw new Error('the page was not asked for')

  const [ofCurrent, ofPrevious, shown] = await Promise.all([
    classesOf(site, current),
    classesOf(site, previous),
    classesOn(page),
  ])
  const styles = await page.evaluate(() => [...document.styleSheets].map(({ href }) => href ?? ''))
  expect(
    styles.filter((href) => href.includes('/mf-auth/')),
    'both are on the page',
  ).toHaveLength(2)
  expect(
    [...ofPrevious].filter((name) => ofCurrent.has(name)),
    'classes of both',
  ).toEqual([])
  const own = shown.filter((name) => name.startsWith('mf-auth'))
  expect(own.length).toBeGreaterThan(5)
  expect(own.filter((name) => ofCurrent.has(name))).toEqual([])

  const globals = await page.evaluate(() =>
    Object.keys(window).filter((key) => /^rspackChunkmf_auth/.test(key)),
  )
  expect(globals, 'each release pushes its chunks into a place of its own').toHaveLength(2)
  expect(previous.container).not.toBe(current.container)
})

test.describe('the painted page is of a release that then fails: the release before it gets', () => {
  /** Opens /login as its current release has painted it. Resolves with what lets that release fail. */
  async function openFailing(page: Page, site: FaultySite): Promise<() => void> {
    const previous = await site.previous(login)
    let fail = () => {}
    const failing = new Promise<void>((resolve) => {
      fail = resolve
    })
    site.compose(login, (remote) => {
      site.proxy.break(site.urls(remote.current, login, 'script'), async (request, response) => {
        await failing
        FAULTS['404'](request, response)
      })
      return { ...remote, previous }
    })
    await site.open(page, '/login')
    await type(page, 'demo01')
    return fail
  }

  test('the typed text, focus and caret', async ({ page, site }) => {
    const fail = await openFailing(page, site)
    await page.keyboard.press('ArrowLeft')
    fail()
    await takenOver(page)
    await page.keyboard.type('X')
    await expect(account(page)).toHaveValue('demo0X1')
  })

  test('the press', async ({ page, site }) => {
    const fail = await openFailing(page, site)
    await page.getByRole('button', { name: 'Đăng nhập', exact: true }).click()
    fail()
    await expect(page.getByText('Vui lòng nhập đủ 4 số cuối').first()).toBeVisible()
  })
})

test.describe('canary', () => {
  const version = (page: Page) =>
    page.evaluate(() =>
      performance
        .getEntriesByName('remote:mf-auth:shown')
        .map((mark) => (mark as PerformanceMark).detail)
        .at(-1),
    )
  async function withCanary(site: FaultySite, percent: number): Promise<Release> {
    const release = await site.previous(login)
    site.compose(login, (remote) => ({ ...remote, canary: { percent, release } }))
    return release
  }

  test('a visitor stays on one side', async ({ page, site }) => {
    const canary = await withCanary(site, 50)
    await site.open(page, '/login')
    await login.works(page)
    for (const share of ['10', '90']) {
      await page.evaluate((value) => localStorage.setItem('canary-share', value), share)
      await page.reload()
      await login.works(page)
      expect((await version(page)) === canary.version, `share ${share}`).toBe(share === '10')
    }
  })

  test('its visitor uses the page of all others until it is there', async ({ page, site }) => {
    const canary = await withCanary(site, 100)
    site.proxy.hold(site.urls(canary, login, 'entry'))
    await site.open(page, '/login')
    await type(page, 'demo01')
    expect(await version(page)).toBeUndefined()
    site.proxy.release()
    await takenOver(page)
    await expect(account(page)).toHaveValue('demo01')
    expect(await version(page)).toBe(canary.version)
  })

  test('one that fails is followed by what everybody else has, and counted by its own version', async ({
    page,
    site,
  }) => {
    const canary = await withCanary(site, 100)
    site.proxy.break(site.urls(canary, login, 'entry'), FAULTS['404'])
    await site.open(page, '/login')
    await login.works(page)
    expect(await version(page)).not.toBe(canary.version)
    expect(site.reports().map((report) => report['remote.version'])).toEqual([canary.version, canary.version])
    await expect.poll(site.nexts).toEqual(['retry', 'other-version'])
  })
})
