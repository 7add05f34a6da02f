import type { Page } from '@playwright/test'
import { FAULTS, ok } from '../src/faults.ts'
import { COMPOSITION } from '../src/faulty-proxy.ts'
import { landingLink, sendLogin, shellIsUp, takenOver } from '../src/members.ts'
import type { FaultySite } from '../src/site.ts'
import { failedCard, history, login } from '../src/subjects.ts'
import { expect, test } from '../src/test.ts'

/**
 * Prefetching, loading on demand, retries, and recovery after the network was
 * lost.
 */

// A chunk on demand: the address dialog of mf-auth.
// shell/src/loader/load-file.test.ts has every order of answers.
for (const [ending, fault] of [
  ['js', '404'],
  ['css', 'changed byte'],
  ['js', 'truncated'],
  ['css', 'reset'],
] as const)
  test(`a chunk’s ${ending} is retried after ${fault}`, async ({ page, site }) => {
    const data = { required_address: true, sign: 'of-the-test', username: 'demo02' }
    site.proxy.break('POST /api/client/login', ok(data))
    const file = `/mf-auth/[^/]+/AddressDialog\\.[0-9a-f]+\\.${ending}`
    site.proxy.break(new RegExp(file), FAULTS[fault])
    await site.open(page, '/login')
    await sendLogin(page, 'demo02', '0042')
    await expect(page.getByText('Chưa mở được biểu mẫu địa chỉ').first()).toBeVisible()
    await expect.poll(site.blamed).toEqual(['mf-auth chunk'])

    site.proxy.restore(new RegExp(file))
    site.proxy.break(new RegExp(`${file}$`), FAULTS[fault])
    await page.getByRole('main').getByRole('button', { name: 'Đăng nhập' }).click()
    await expect(page.getByRole('dialog').getByLabel(/Họ/)).toBeVisible()
    expect(site.pagesLoaded()).toBe(1)
  })

/** Stops the page's clock, since a page fetches the next one ahead after 4 s. */
async function stopClock(page: Page): Promise<void> {
  const now = Date.now()
  await page.clock.install({ time: now })
  await page.clock.pauseAt(now + 1000)
}

/**
 * Lets almost the time pass after which a page fetches the next one: first the
 * composition, without which it cannot.
 */
async function passTime(page: Page, site: FaultySite): Promise<void> {
  await page.clock.runFor(1000)
  await expect
    .poll(() => site.proxy.requests.filter(({ path }) => COMPOSITION.test(path)).length)
    .toBeGreaterThan(0)
  await page.clock.runFor(2900)
  // Arrives after what was requested before.
  await page.evaluate(() => fetch('/composition.json'))
}

test('a first page requests files of one remote, and no style sheet', async ({ page, site }) => {
  await stopClock(page)
  await site.open(page, login.path)
  await takenOver(page)
  await passTime(page, site)
  expect(['mf-missions', 'mf-history', 'mf-megalive'].flatMap(site.filesOf)).toEqual([])
  expect(site.filesOf(login.remote).filter((path) => /\.css/.test(path))).toEqual([])
})

test('?debug opens a panel of what runs, and no other page loads it', async ({ page, site }) => {
  const panelFiles = () => site.filesOf('shell').filter((path) => path.includes('/notice.'))
  await site.open(page, login.path)
  await takenOver(page)
  await page.waitForLoadState('networkidle')
  expect(panelFiles()).toEqual([])
  await site.open(page, `${login.path}?debug`)
  await expect(
    page.getByText(/"path": "\/login",\s+"expose": "[^"]+",\s+"state": "ready/),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'Copy as JSON' })).toBeVisible()
  expect(panelFiles()).toHaveLength(1)
})

test('a hovered link prefetches the files that its page uses', async ({ page, site }) => {
  /** Names of the files without their hashes, each once. */
  const names = () =>
    new Set(
      site.filesOf(login.remote).map((path) => path.replace(/.*\//, '').replace(/\..*\./, '.')),
    )
  await stopClock(page)
  await site.open(page, '/')
  await shellIsUp(page)
  await passTime(page, site)
  expect(site.filesOf(login.remote)).toEqual([])
  const link = landingLink(page)
  await link.hover()
  await expect.poll(names).toEqual(new Set(['LoginPage.css', 'LoginPage.js', 'entry.js']))
  expect(site.filesOf('mf-megalive')).toEqual([])
  const before = site.filesOf(login.remote)
  await link.click()
  await login.works(page)
  expect(site.filesOf(login.remote).filter((path) => /\.(js|css)/.test(path))).toEqual(before)
})

test('a broken file is replaced in the browser’s cache', async ({ page, site, expectedErrors }) => {
  // The host's scripts without the core script.
  expectedErrors.push(/The core script has not run/)
  const browser = await page.context().newCDPSession(page)
  const parts = ['shell/[^/]+/(core|vendor).+js', 'shell/[^/]+/rules.+js']
  for (const part of [...parts, 'mf-auth/[^/]+/entry.+js', 'mf-auth/[^/]+/LoginPage.+js'])
    await test.step(part, async () => {
      const file = new RegExp(`^/${part}(\\?|$)`)
      const before = site.proxy.requests.length
      await browser.send('Network.clearBrowserCache')
      // The first request gets a broken answer, which the browser may keep for
      // a year.
      site.proxy.break(file, (...exchange) => {
        site.proxy.restore()
        return FAULTS['changed byte'](...exchange)
      })
      const visit = async () => {
        await site.open(page, login.path)
        // Also a script of the host is requested again on the same page.
        await takenOver(page)
        await login.works(page)
        await page.getByRole('button', { name: 'Thể lệ chương trình' }).click()
        await expect(page.getByRole('dialog').getByRole('heading').first()).toBeVisible()
        return site.proxy.requests.slice(before).filter(({ path }) => file.test(path)).length
      }
      const asked = await visit()
      expect(asked).toBeGreaterThan(1)
      expect(await visit(), 'requests after a second visit').toBe(asked)
    })
})

test('a page recovers when the network comes back', async ({ page, context, site }) => {
  // /home fetches this page ahead, on a busy machine before the network is lost.
  site.proxy.break(/^\/mf-history\//, FAULTS.reset)
  await site.open(page, history.from.path)
  await history.from.works(page)
  // The dialogs' chunk is there before a press needs it.
  const dialogs = () =>
    page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .filter((entry) => (entry as PerformanceResourceTiming).responseEnd > 0)
        .map(({ name }) => /dialogs\.\w+\.(\w+)$/.exec(name)?.[1]),
    )
  await expect.poll(dialogs).toEqual(expect.arrayContaining(['css', 'js']))
  await context.setOffline(true)
  await page.getByRole('listitem').filter({ hasText: 'Chia sẻ' }).getByRole('button').click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await history.from.go(page)
  await expect(failedCard(page)).toBeVisible()
  await page.goBack()
  await expect(failedCard(page)).toBeHidden()
  await page.goForward()
  await expect(failedCard(page)).toBeVisible()
  site.proxy.restore()
  await context.setOffline(false)
  await history.works(page)
  expect(site.pagesLoaded()).toBe(1)
})

test('fifty visits leak no nodes and no listeners', { tag: '@nightly' }, async ({ page, site }) => {
  const TIMES = 50
  const { from, works } = history
  const browser = await page.context().newCDPSession(page)
  await browser.send('Performance.enable')
  const alive = async () => {
    for (const _twice of [1, 2]) await browser.send('HeapProfiler.collectGarbage')
    const { metrics } = await browser.send('Performance.getMetrics')
    const of = (name: string) => metrics.find((metric) => metric.name === name)?.value ?? Number.NaN
    return { nodes: of('Nodes'), listeners: of('JSEventListeners') }
  }
  const visit = async (times: number) => {
    for (let time = 0; time < times; time += 1) {
      await from.go(page)
      await works(page)
      await page.goBack()
      await from.works(page)
    }
    return await alive()
  }
  await site.open(page, from.path)
  await from.works(page)
  const warm = await visit(5)
  const { nodes, listeners } = await visit(TIMES)
  // One leaked node or listener a time would make as many.
  expect(nodes - warm.nodes).toBeLessThanOrEqual(TIMES / 2)
  expect(listeners - warm.listeners).toBeLessThanOrEqual(5)
})
