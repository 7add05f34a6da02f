import type { Browser, BrowserContext, Page } from '@playwright/test'
import { enter, expect, test } from '../src/member-test.ts'
import { build, checkOut, deploy } from '../src/variant.ts'

/** A team publishes its remote while members are on the site. */

const heading = (page: Page) => page.getByRole('heading', { level: 1 })

/** A page that is opened now, by the same member. */
async function freshPage(browser: Browser, member: BrowserContext): Promise<Page> {
  const context = await browser.newContext({ storageState: await member.storageState(), locale: 'vi-VN' })
  return await context.newPage()
}

test('a new version reaches fresh pages at once, leaves open pages alone, and goes back', async ({
  page,
  browser,
  context,
  stack,
}) => {
  test.setTimeout(180_000)
  await enter(context, stack.url, 'demo03')
  await page.goto(`${stack.url}/home`)

  const next = await checkOut({
    'mf-history/src/texts.ts': [["title: 'Lịch sử nhận vé'", "title: 'Lịch sử nhận vé, bản mới'"]],
  })
  const dist = await build(next, 'mf-history')
  const published = await deploy(stack.siteDir, 'publish', dist, '--no-smoke', '--json')
  expect(published.code, published.output).toBe(0)

  // The open page keeps the composition it booted with.
  await page.getByRole('button', { name: /Lịch sử/ }).click()
  await expect(heading(page)).toHaveText('Lịch sử nhận vé')
  await expect(page.getByRole('table').first()).toBeVisible()

  const fresh = await freshPage(browser, context)
  await fresh.goto(`${stack.url}/histories`)
  await expect(heading(fresh)).toHaveText('Lịch sử nhận vé, bản mới')
  await expect(fresh.getByRole('table').first()).toBeVisible()

  // When it gets the focus again, the open page sees the new composition and offers to reload.
  const offer = page.getByText('Đã có phiên bản mới của trang.')
  await expect(offer).toHaveCount(0)
  await page.evaluate(() => window.dispatchEvent(new Event('focus')))
  await expect(offer).toBeVisible()
  await page.getByRole('button', { name: 'Tải lại' }).click()
  await expect(heading(page)).toHaveText('Lịch sử nhận vé, bản mới')

  const back = await deploy(stack.siteDir, 'rollback', 'mf-history', '--json')
  expect(back.code, back.output).toBe(0)
  const again = await freshPage(browser, context)
  await again.goto(`${stack.url}/histories`)
  await expect(heading(again)).toHaveText('Lịch sử nhận vé')
  // The page that booted with the new version keeps it.
  await fresh.getByRole('button', { name: 'Quay về' }).click()
  await fresh.getByRole('button', { name: /Lịch sử/ }).click()
  await expect(heading(fresh)).toHaveText('Lịch sử nhận vé, bản mới')

  console.log(
    `publish ${published.milliseconds} ms, rollback ${back.milliseconds} ms from the command to its end`,
  )
  expect(JSON.parse(published.output)).toMatchObject({ ok: true, changed: true })
})

// In `npm test` the smoke test's own tests break pages in a real browser.
test('a candidate that breaks its page is refused by the smoke test', { tag: '@nightly' }, async ({
  stack,
}) => {
  test.setTimeout(180_000)
  const broken = await checkOut({
    'mf-history/src/HistoryPage.tsx': [['return (', "if (host) throw new Error('vỡ khi vẽ')\n  return ("]],
  })
  const dist = await build(broken, 'mf-history')
  const { code, output } = await deploy(stack.siteDir, 'publish', dist)
  expect(code).toBe(1)
  expect(output).toMatch(/mf-history \(smoke\)\s+found .*\/histories reports: .*vỡ khi vẽ/)
})

test('switched off, a remote says so and everything else works', async ({ page, context, stack }) => {
  await deploy(stack.siteDir, 'disable', 'mf-history')
  await enter(context, stack.url, 'demo03')
  await page.goto(`${stack.url}/home`)
  await page.getByRole('button', { name: /Lịch sử/ }).click()
  await expect(page.getByRole('table')).toHaveCount(0)
  await expect(page.getByRole('main')).toContainText(/tạm/i)
  await page.goto(`${stack.url}/home`)
  await expect(page.getByRole('listitem').first()).toBeVisible()
  await deploy(stack.siteDir, 'enable', 'mf-history')
  await page.goto(`${stack.url}/histories`)
  await expect(page.getByRole('table').first()).toBeVisible()
})
