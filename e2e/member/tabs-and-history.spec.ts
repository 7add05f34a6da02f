import type { Page } from '@playwright/test'
import { card, claimButton, openAs, sessionCookies, toast } from '../src/members.ts'
import { expect, test } from '../src/test.ts'

/** The back button. */

test.beforeEach(async ({ page, expectedErrors }) => {
  expectedErrors.push(/^Failed to load resource/)
  await page.clock.install()
})

/** /home of demo01 with /histories behind it, without a page load between. Resolves with the token. */
async function homeOverHistories(page: Page, url: string): Promise<string> {
  const token = await openAs(page, 'demo01', url, '/histories')
  await page.getByRole('link', { name: 'Quay về' }).click()
  await expect(card(page, '300')).toBeVisible()
  return token
}

// spec: rules-and-back
test('with a dialog open: it goes with its page; forward again, the draft is kept', async ({
  page,
  faulty,
}) => {
  await homeOverHistories(page, faulty.url)
  await page.getByRole('button', { name: 'Thể lệ' }).click()
  await expect(page.getByRole('dialog', { name: 'Thể lệ chương trình' })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(`${faulty.url}/histories`)
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.goForward()
  await claimButton(page, /Chia sẻ/).click()
  await page.getByRole('textbox', { name: 'Liên kết chia sẻ 1' }).fill('https://facebook.com/posts/1')
  await page.goBack()
  await expect(page).toHaveURL(`${faulty.url}/histories`)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.goForward()
  await claimButton(page, /Chia sẻ/).click()
  await expect(page.getByRole('textbox', { name: 'Liên kết chia sẻ 1' })).toHaveValue(
    'https://facebook.com/posts/1',
  )
})

// spec: logout-clears
test('after logging out: every saved value is gone, here and on the server; nothing of the member is shown again', async ({
  page,
  context,
  faulty,
}) => {
  const token = await homeOverHistories(page, faulty.url)
  await claimButton(page, /Chia sẻ/).click()
  await page.getByRole('textbox', { name: 'Liên kết chia sẻ 1' }).fill('https://facebook.com/1')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Quay về' }).click()
  await expect(page).toHaveURL(`${faulty.url}/login`)
  expect(await sessionCookies(context)).toEqual([])
  const info = () => fetch(`${faulty.url}/api/client/info`, { headers: { 'x-sign-key': token } })
  await expect.poll(async () => (await info()).status).toBe(401)
  expect(await page.evaluate(() => Object.keys({ ...sessionStorage, ...localStorage }))).toEqual([])
  await page.goBack()
  await expect(page).toHaveURL(`${faulty.url}/login`)
  await expect(page.getByRole('list', { name: 'Danh sách nhiệm vụ' })).toHaveCount(0)
  await expect(toast(page, 'Phiên đăng nhập đã hết hạn.')).toHaveCount(1)
})
