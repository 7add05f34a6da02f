import { logIn } from './src/members.ts'
import { expect, test } from './src/test.ts'

/** Remotes that a page has asked for a file of. */
const remotesIn = (urls: readonly string[]): string[] => [
  ...new Set(urls.flatMap((url) => /\/(mf-[a-z]+)\//.exec(new URL(url).pathname)?.[1] ?? [])),
]

// spec: journey
test('a member claims a ticket, and finds it in the history', async ({ page, stack, guest }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))

  await page.goto(`${stack.url}/login`)
  await expect(page.getByRole('button', { name: 'Đăng nhập', exact: true })).toBeVisible()
  expect(remotesIn(asked), '/login loads its own remote only').toEqual(['mf-auth'])

  await logIn(page, stack.url, guest.account, guest.digits)
  await expect(page).toHaveURL(`${stack.url}/home`)

  const card = page.getByRole('listitem').filter({ hasText: '300' }).first()
  await card.getByRole('button', { name: /Nhận vé/ }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  const code = /[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/.exec((await dialog.textContent()) ?? '')?.[0]
  expect(code).toBeDefined()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(card.getByRole('button', { name: /Nhận vé/ })).toBeHidden()

  await page.getByRole('link', { name: /Lịch sử/ }).click()
  await expect(page).toHaveURL(`${stack.url}/histories`)
  await expect(page.getByRole('cell', { name: code ?? '' })).toBeVisible()
})

// spec: journey-with-address
test('an account without an address gives one and is in', async ({ page, stack, newcomer }) => {
  await logIn(page, stack.url, newcomer.account, newcomer.digits)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel(/Họ/).fill('Nguyễn Thị Ánh')
  await dialog.getByLabel(/điện thoại/).fill('0912345678')
  await dialog.getByLabel(/Địa chỉ/).fill('12 Đường Hoa, Huế')
  await dialog.getByRole('button', { name: /Xác nhận/ }).click()
  await expect(page).toHaveURL(`${stack.url}/home`)
  await expect(page.getByRole('listitem')).toHaveCount(6)
})
