import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { BROWSER_ARGS, requireBrowser } from '../src/browser.ts'
import { sendLogin } from '../src/members.ts'
import { expect, test } from '../src/test.ts'

/** Browsers with other settings: no cookies, no storage, no scripts. */

// A profile with settings is the whole browser's.
test('where the browser keeps neither cookies nor storage every public screen works, and the login says what to change', {
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
    const storage = await page.evaluate(() => {
      try {
        return typeof sessionStorage
      } catch (error) {
        return (error as Error).name
      }
    })
    expect(storage, 'this browser blocks storage').toBe('SecurityError')

    await page.getByRole('link', { name: 'Đăng nhập nhận vé' }).click()
    await sendLogin(page, 'demo01', '1234')
    await expect(page.getByRole('alert')).toHaveText(/đang chặn cookie.*cho phép cookie/)
    await expect(page).toHaveURL(`${stack.url}/login`)

    for (const path of ['/home', '/check', '/megalive']) {
      await page.goto(stack.url + path)
      await expect(page.locator('#root:not([data-prerendered])')).toBeAttached()
    }
    expect(crashes).toEqual([])
  } finally {
    await context.close()
    await rm(profile, { recursive: true, force: true })
  }
})

test('without scripts the page says that it needs them', async ({ browser, stack }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  await page.goto(`${stack.url}/login`)
  // Playwright finds no text inside <noscript>.
  const message = page.locator('noscript p')
  await expect(message).toHaveText(/bật JavaScript/)
  await expect(message).toBeInViewport()
  await context.close()
})
