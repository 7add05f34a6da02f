import missions from '@anniversary/shared/campaign/missions.json' with { type: 'json' }
import type { Page } from '@playwright/test'
import {
  card,
  claimButton,
  logIn,
  loginButton,
  openAs,
  sessionCookies,
  takeGuest,
  toast,
} from './src/members.ts'
import { expect, test } from './src/test.ts'

/** What this campaign's demo01 may claim. */
const first = missions[0] ?? { name: '' }

const remotesIn = (urls: readonly string[]): string[] => [
  ...new Set(urls.flatMap((url) => /\/(mf-[a-z]+)\//.exec(new URL(url).pathname)?.[1] ?? [])),
]

// spec: journey
test('a member claims a ticket, and finds it in the history', async ({ page, stack, guest }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))

  await page.goto(`${stack.url}/login`)
  await expect(loginButton(page)).toBeVisible()
  expect(remotesIn(asked), '/login loads its own remote only').toEqual(['mf-auth'])

  await logIn(page, stack.url, guest.account, guest.digits)
  await expect(page).toHaveURL(`${stack.url}/home`)

  await claimButton(page, first.name).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(/[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/)
  const [code = ''] = /[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/.exec((await dialog.textContent()) ?? '') ?? []
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(claimButton(page, first.name)).toBeHidden()

  await page.getByRole('link', { name: /Lịch sử/ }).click()
  await expect(page).toHaveURL(`${stack.url}/histories`)
  await expect(page.getByRole('cell', { name: code })).toBeVisible()
})

// spec: journey-with-address
test('an account without an address gives one and is in', async ({ page, stack }) => {
  const newcomer = takeGuest(true)
  await logIn(page, stack.url, newcomer.account, newcomer.digits)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/Họ/).fill('Nguyễn Thị Ánh')
  await dialog.getByLabel(/điện thoại/).fill('0912345678')
  await dialog.getByLabel(/Địa chỉ/).fill('12 Đường Hoa, Huế')
  await dialog.getByRole('button', { name: /Xác nhận/ }).click()
  await expect(page).toHaveURL(`${stack.url}/home`)
  await expect(card(page, /./)).toHaveCount(missions.length)
})

/** /home of demo01 with /histories behind it, without a page load between. Resolves with the token. */
async function homeOverHistories(page: Page, url: string): Promise<string> {
  const token = await openAs(page, 'demo01', url, '/histories')
  await page.getByRole('link', { name: 'Quay về' }).click()
  await expect(card(page, first.name)).toBeVisible()
  return token
}
const firstLink = (page: Page) => page.getByRole('textbox', { name: 'Liên kết chia sẻ 1' })

// spec: rules-and-back
test('back with a dialog open; forward again, the draft is kept', async ({ page, stack }) => {
  await homeOverHistories(page, stack.url)
  await page.getByRole('button', { name: 'Thể lệ' }).click()
  await expect(page.getByRole('dialog', { name: 'Thể lệ chương trình' })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(`${stack.url}/histories`)
  await expect(page.getByRole('dialog')).toHaveCount(0)

  await page.goForward()
  await claimButton(page, /Chia sẻ/).click()
  await firstLink(page).fill('https://facebook.com/posts/1')
  await page.goBack()
  await expect(page).toHaveURL(`${stack.url}/histories`)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.goForward()
  await claimButton(page, /Chia sẻ/).click()
  await expect(firstLink(page)).toHaveValue('https://facebook.com/posts/1')
})

// spec: logout-clears
test('a logout leaves nothing, here and on the server', async ({ page, context, stack }) => {
  const token = await homeOverHistories(page, stack.url)
  await claimButton(page, /Chia sẻ/).click()
  await firstLink(page).fill('https://facebook.com/1')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Quay về' }).click()
  await expect(page).toHaveURL(`${stack.url}/login`)
  expect(await sessionCookies(context)).toEqual([])
  const info = () => fetch(`${stack.url}/api/client/info`, { headers: { 'x-sign-key': token } })
  await expect.poll(async () => (await info()).status).toBe(401)
  expect(await page.evaluate(() => Object.keys({ ...sessionStorage, ...localStorage }))).toEqual([])
  await page.goBack()
  await expect(page).toHaveURL(`${stack.url}/login`)
  await expect(toast(page, 'Phiên đăng nhập đã hết hạn.')).toHaveCount(1)
  await expect(page.getByRole('list', { name: 'Danh sách nhiệm vụ' })).toHaveCount(0)
})
