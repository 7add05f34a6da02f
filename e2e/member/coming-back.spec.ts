import { launchWhole } from '../src/browser.ts'
import { enter, toast } from '../src/members.ts'
import { expect, test } from '../src/test.ts'

/** Members who come back: pages from the back-forward cache. deploy/live.spec.ts has the visit after a deploy. */

test('the back-forward cache keeps every page, and a member who has logged out meanwhile sees the login', {
  tag: '@nightly',
}, async ({ stack }) => {
  // Playwright disables the cache by this flag.
  const browser = await launchWhole({ ignoreDefaultArgs: ['--disable-back-forward-cache'] })
  try {
    const context = await browser.newContext()
    await enter(context, stack.url, 'demo01')
    const page = await context.newPage()
    for (const path of ['/', '/megalive', '/login', '/check', '/home', '/histories']) {
      await page.goto(stack.url + path)
      await page.waitForLoadState('networkidle')
      await page.evaluate(() => Object.assign(window, { kept: true }))
      await page.goto(`${stack.url}/megalive-sample.html`)
      if (path === '/histories') await context.clearCookies()
      await page.evaluate(() => history.back())
      await expect(page).toHaveURL(stack.url + (path === '/histories' ? '/login' : path))
      const restored = await page.evaluate(() => ({
        kept: Reflect.get(window, 'kept'),
        reasons: performance
          .getEntriesByType('navigation')
          // TypeScript's library lacks it: https://developer.mozilla.org/docs/Web/API/PerformanceNavigationTiming/notRestoredReasons
          .flatMap((entry) => Reflect.get(entry, 'notRestoredReasons')?.reasons ?? []),
      }))
      expect(restored, path).toEqual({ kept: true, reasons: [] })
    }
    await expect(toast(page, 'Vui lòng đăng nhập lại để tiếp tục!')).toHaveCount(1)
  } finally {
    await browser.close()
  }
})
