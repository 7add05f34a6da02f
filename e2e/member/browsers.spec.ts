import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { BROWSER_ARGS, launchWhole, requireBrowser } from '../src/browser.ts'
import { enter, landingLink, sendLogin, takenOver } from '../src/members.ts'
import { expect, test } from '../src/test.ts'

/** Browsers with other settings: no scripts, no cookies and storage, with the back-forward cache. */

test('without scripts the page says that it needs them', async ({ browser, stack }) => {
  const page = await browser.newPage({ javaScriptEnabled: false })
  await page.goto(`${stack.url}/login`)
  // Playwright finds no text inside <noscript>.
  const message = page.locator('noscript p')
  await expect(message).toHaveText(/bật JavaScript/)
  await expect(message).toBeInViewport()
  await page.close()
})

test('without cookies and storage public screens work, and the login says what to change', {
  tag: '@nightly',
}, async ({ stack }) => {
  const profile = await mkdtemp(join(tmpdir(), 'no-cookies-'))
  await mkdir(join(profile, 'Default'))
  const BLOCK = 2
  const settings = { profile: { default_content_setting_values: { cookies: BLOCK } } }
  await writeFile(join(profile, 'Default/Preferences'), JSON.stringify(settings))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: requireBrowser(true),
    args: BROWSER_ARGS,
  })
  try {
    const page = await context.newPage()
    const crashes: string[] = []
    page.on('pageerror', (error) => crashes.push(String(error)))
    await page.goto(stack.url)
    await expect(page.evaluate(() => typeof sessionStorage)).rejects.toThrow(/SecurityError|Access is denied/)

    await landingLink(page).click()
    await sendLogin(page, 'demo01', '1234')
    await expect(page.getByText(/đang chặn cookie.*cho phép cookie/).first()).toBeVisible()
    await expect(page).toHaveURL(`${stack.url}/login`)
    for (const path of ['/home', '/check', '/megalive']) {
      await page.goto(stack.url + path)
      await takenOver(page)
    }
    expect(crashes).toEqual([])
  } finally {
    await context.close()
    await rm(profile, { recursive: true, force: true })
  }
})

test('the back-forward cache keeps every page', { tag: '@nightly' }, async ({ stack }) => {
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
      // Later than the answer, which going back would cut off.
      await page.evaluate(() => void setTimeout(() => history.back()))
      await expect(page).toHaveURL(stack.url + path)
      const restored = await page.evaluate(() => ({
        kept: Reflect.get(window, 'kept'),
        reasons: performance
          .getEntriesByType('navigation')
          // TypeScript's library lacks it: https://developer.mozilla.org/docs/Web/API/PerformanceNavigationTiming/notRestoredReasons
          .flatMap((entry) => Reflect.get(entry, 'notRestoredReasons')?.reasons ?? []),
      }))
      expect(restored, path).toEqual({ kept: true, reasons: [] })
    }
  } finally {
    await browser.close()
  }
})
