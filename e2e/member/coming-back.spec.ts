import { BROWSER_ARGS, requireBrowser } from '@anniversary/tools/test/browser'
import { type Browser, chromium } from '@playwright/test'
import { card, enter, expect, test, toast } from '../src/member-test.ts'

/** Members who come back: pages from the back-forward cache. deploy/live.spec.ts has the visit after a deploy. */

const INFO = 'GET /api/client/info'

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
