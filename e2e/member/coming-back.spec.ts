import { BROWSER_ARGS, requireBrowser } from '@anniversary/tools/test/browser'
import { type Browser, type BrowserContext, chromium } from '@playwright/test'
import { card, enter, expect, test, toast } from '../src/member-test.ts'
import { build, checkOut, deploy } from '../src/variant.ts'

/** Members who come back: what a visit after a deploy downloads, and pages from the back-forward cache. */

const INFO = 'GET /api/client/info'

interface Visit {
  /** Packages whose files came over the network, and bytes of these files with their headers. */
  readonly packages: readonly string[]
  readonly bytes: number
  /** The same of the page itself. */
  readonly pageBytes: number
}

/** Opens the missions and then the history, as a page of its own. */
async function visit(context: BrowserContext, url: string): Promise<Visit> {
  const page = await context.newPage()
  await page.goto(`${url}/home`)
  await page.getByRole('button', { name: 'Lịch sử' }).click()
  await expect(page.getByRole('table').first()).toBeVisible()
  await page.waitForLoadState('networkidle')
  const entries = await page.evaluate(() =>
    [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
      // These are the entries of these types.
      .map((entry) => entry as PerformanceResourceTiming)
      .map(({ name, entryType, transferSize }) => ({
        path: new URL(name).pathname,
        entryType,
        transferSize,
      })),
  )
  await page.close()
  // A file from the browser's cache has a transfer size of 0.
  const files = entries.filter(({ path, transferSize }) => /^\/(shell|mf-)/.test(path) && transferSize > 0)
  const sum = (all: typeof entries) => all.reduce((bytes, { transferSize }) => bytes + transferSize, 0)
  return {
    packages: [...new Set(files.map(({ path }) => path.split('/')[1] ?? ''))].sort(),
    bytes: sum(files),
    pageBytes: sum(entries.filter(({ entryType }) => entryType === 'navigation')),
  }
}

test('a visit after a deploy downloads what was deployed, and nothing else', async ({ context, stack }) => {
  test.setTimeout(120_000)
  const { siteDir, url } = stack
  const publish = async (folder: string) => {
    const { code, output } = await deploy(siteDir, 'publish', folder, '--no-smoke')
    expect(code, output).toBe(0)
  }
  const changed = await checkOut({
    'mf-history/src/HistoryPage.tsx': [['{texts.title}', '{texts.title} mới']],
    'shell/src/texts.ts': [["'Đang tải…'", "'Đang tải trang…'"]],
  })
  const [history, shell] = [await build(changed, 'mf-history'), await build(changed, 'shell')]
  await enter(context, url, 'demo03')

  const first = await visit(context, url)
  expect(first.packages).toEqual(['mf-history', 'mf-missions', 'shell'])

  const unchanged = await visit(context, url)
  expect(unchanged.packages).toEqual([])
  expect(unchanged.pageBytes, 'a 304').toBeLessThan(500)

  await publish(history)
  const afterRemote = await visit(context, url)
  expect(afterRemote.packages).toEqual(['mf-history'])
  expect(afterRemote.bytes).toBeLessThan(first.bytes / 10)

  await publish(shell)
  const afterShell = await visit(context, url)
  expect(afterShell.packages).toEqual(['shell'])
  expect(afterShell.bytes).toBeLessThan(first.bytes)

  for (const name of ['shell', 'mf-history'])
    expect((await deploy(siteDir, 'rollback', name)).code, `${name} goes back`).toBe(0)
})

test.describe('the page comes back from the back-forward cache', () => {
  let browser: Browser
  test.beforeAll(async () => {
    browser = await chromium.launch({
      executablePath: requireBrowser(() => undefined),
      args: BROWSER_ARGS,
      // Playwright disables the cache by this flag.
      ignoreDefaultArgs: ['--disable-back-forward-cache'],
    })
  })
  test.afterAll(() => browser.close())

  for (const path of ['/', '/megalive', '/login', '/check', '/home', '/histories'])
    test(`${path} is kept`, async ({ stack }) => {
      const context = await browser.newContext()
      await enter(context, stack.url, 'demo01')
      const page = await context.newPage()
      await page.goto(stack.url + path)
      await page.waitForLoadState('networkidle')
      await page.evaluate(() => Object.assign(window, { kept: true }))
      await page.goto(`${stack.url}/megalive-sample.html`)
      await page.evaluate(() => history.back())
      await expect(page).toHaveURL(stack.url + path)
      const restored = () =>
        page.evaluate(() => ({
          kept: Reflect.get(window, 'kept'),
          reasons: performance
            .getEntriesByType('navigation')
            // TypeScript's library lacks it: https://developer.mozilla.org/docs/Web/API/PerformanceNavigationTiming/notRestoredReasons
            .flatMap((entry) => Reflect.get(entry, 'notRestoredReasons')?.reasons ?? []),
        }))
      expect(await restored()).toEqual({ kept: true, reasons: [] })
      await context.close()
    })

  test('the list is asked for anew', async ({ faulty }) => {
    const context = await browser.newContext()
    await enter(context, faulty.url, 'demo01')
    const page = await context.newPage()
    await page.goto(`${faulty.url}/home`)
    await expect(card(page, '300')).toBeVisible()
    await page.goto(`${faulty.url}/megalive-sample.html`)
    const before = faulty.count(INFO)
    await page.evaluate(() => history.back())
    await expect(page).toHaveURL(`${faulty.url}/home`)
    await expect.poll(() => faulty.count(INFO)).toBe(before + 1)
    await context.close()
  })

  test('a member who has logged out meanwhile sees the login', async ({ stack }) => {
    const context = await browser.newContext()
    await enter(context, stack.url, 'demo01')
    const page = await context.newPage()
    await page.goto(`${stack.url}/histories`)
    await expect(page.getByRole('heading', { name: 'Lịch sử nhận vé' })).toBeVisible()
    await page.evaluate(() => Object.assign(window, { kept: true }))
    await page.goto(`${stack.url}/megalive-sample.html`)
    await context.clearCookies()
    await page.evaluate(() => history.back())
    await expect(page).toHaveURL(`${stack.url}/login`)
    expect(await page.evaluate(() => Reflect.get(window, 'kept'))).toBe(true)
    await expect(toast(page, 'Vui lòng đăng nhập lại để tiếp tục!')).toHaveCount(1)
    await context.close()
  })
})
