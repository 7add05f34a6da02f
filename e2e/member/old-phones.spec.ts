import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { BROWSER_ARGS, requireBrowser } from '../src/find-browser.ts'
import { card, enter, expect, sendLogin, test, toast } from '../src/member-test.ts'

/** Browsers with other settings: no cookies, no storage, no scripts; the back-forward cache. */

const executablePath = requireBrowser(() => undefined)
const INFO = 'GET /api/client/info'

test.describe('the browser keeps neither cookies nor storage', () => {
  test('every public screen works, the login says what to change, nothing crashes', async ({ stack }) => {
    const profile = await mkdtemp(join(tmpdir(), 'no-cookies-'))
    await mkdir(join(profile, 'Default'))
    const BLOCK = 2
    const settings = { profile: { default_content_setting_values: { cookies: BLOCK } } }
    await writeFile(join(profile, 'Default/Preferences'), JSON.stringify(settings))
    const context = await chromium.launchPersistentContext(profile, { executablePath, args: BROWSER_ARGS })
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
      await page.getByRole('button', { name: 'Thể lệ chương trình' }).click()
      await expect(page.getByRole('dialog', { name: 'Thể lệ chương trình' })).toBeVisible()
      await page.keyboard.press('Escape')

      await page.goto(`${stack.url}/home`)
      await expect(page).toHaveURL(`${stack.url}/login`)
      await page.goto(`${stack.url}/check`)
      await page.getByLabel('Nội dung kiểm tra').fill('demo03')
      await page.getByRole('button', { name: 'KIỂM TRA NGAY' }).click()
      await expect(page.getByText('Giai đoạn 1')).toBeVisible()
      await page.goto(`${stack.url}/megalive`)
      await expect(page.getByRole('link', { name: 'Quay về' })).toBeVisible()
      expect(crashes).toEqual([])
    } finally {
      await context.close()
      await rm(profile, { recursive: true, force: true })
    }
  })
})

test.describe('the page comes back from the back-forward cache', () => {
  let browser: Browser
  test.beforeAll(async () => {
    // Playwright disables the cache by this flag.
    const ignoreDefaultArgs = ['--disable-back-forward-cache']
    browser = await chromium.launch({ executablePath, args: BROWSER_ARGS, ignoreDefaultArgs })
  })
  test.afterAll(() => browser.close())

  test('the list is asked for anew', async ({ faulty }) => {
    const context = await browser.newContext()
    await enter(context, faulty.url, 'demo01')
    const page = await context.newPage()
    await page.goto(`${faulty.url}/home`)
    await expect(card(page, '300')).toBeVisible()
    await page.evaluate(() => {
      Object.assign(window, { kept: true })
      addEventListener('pageshow', ({ persisted }) => Object.assign(window, { persisted }))
    })
    await page.goto(`${faulty.url}/megalive-sample.html`)
    const before = faulty.count(INFO)
    await page.evaluate(() => history.back())
    await expect(page).toHaveURL(`${faulty.url}/home`)
    await expect
      .poll(() => page.evaluate(() => [Reflect.get(window, 'kept'), Reflect.get(window, 'persisted')]))
      .toEqual([true, true])
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
