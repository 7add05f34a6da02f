import missions from '@anniversary/shared/campaign/missions.json' with { type: 'json' }
import terms from '@anniversary/shared/campaign/terms.json' with { type: 'json' }
import type { Locator, Page } from '@playwright/test'
import {
  card,
  claimButton,
  landingLink,
  logIn,
  loginButton,
  openAs,
  routerIsUp,
  sessionCookies,
  shellIsUp,
  takeGuest,
  toast,
} from './src/members.ts'
import { expect, test } from './src/test.ts'

/** The first mission, which demo01 may claim. */
const first = missions[0] ?? { name: '' }

/**
 * Presses Tab until the target has the focus. Every stop must be visible and
 * uncovered (WCAG 2.4.7, 2.4.11), so while a dialog is open, inside it.
 */
async function tabTo(page: Page, target: Locator): Promise<void> {
  const wanted = await target.elementHandle()
  for (let stops = 0; stops < 60; stops += 1) {
    await page.keyboard.press('Tab')
    const { problem, reached } = await page.evaluate((element) => {
      const focused = document.activeElement
      // After the last stop the focus leaves the page.
      if (!focused || focused === document.body) return { problem: null, reached: false }
      const style = getComputedStyle(focused)
      // On the last stop of a date field Chromium outlines its calendar button,
      // not the field.
      const own = focused.matches('input[type=date]:not(:focus-visible)')
      const shown = own || style.outlineStyle !== 'none' || style.boxShadow !== 'none'
      const { x, y, width, height } = focused.getBoundingClientRect()
      const top = document.elementFromPoint(x + width / 2, y + height / 2)
      const clear = top && (focused.contains(top) || top.contains(focused))
      const name = `${focused.localName} "${focused.getAttribute('aria-label') ?? focused.textContent}"`
      const hidden = shown ? `${name} is covered` : `${name} shows no focus`
      return { problem: shown && clear ? null : hidden, reached: focused === element }
    }, wanted)
    expect(problem).toBeNull()
    if (reached) return
  }
  throw new Error(`Tab never reached ${target}`)
}

// spec: journey
test('a member claims a ticket and finds it in the history by keyboard alone', async ({
  page,
  context,
  stack,
  guest,
}) => {
  const { keyboard } = page
  const go = async (target: Locator, key = 'Enter') => {
    await tabTo(page, target)
    await keyboard.press(key)
  }
  const title = page.getByRole('heading', { level: 1 })
  await page.goto(stack.url)
  await shellIsUp(page)
  await routerIsUp(page)
  await go(landingLink(page))
  await expect(title).toBeFocused()

  await tabTo(page, page.getByLabel('Tài khoản', { exact: true }))
  await keyboard.type(guest.account)
  await keyboard.press('Tab')
  await keyboard.type(guest.digits)
  await go(loginButton(page), 'Space')
  await expect(card(page, first.name)).toBeVisible()
  await expect(title).toBeFocused()

  const mission = card(page, first.name).getByRole('button')
  await go(mission)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading')).toBeFocused()
  const [code = ''] =
    /[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/.exec((await dialog.textContent()) ?? '') ?? []
  await go(dialog.getByRole('button', { name: 'Xong' }))
  await expect(mission).toBeFocused()
  await expect(mission).toHaveAccessibleName(/Xem mã/)

  await go(page.getByRole('link', { name: 'Lịch sử' }))
  const table = page.getByRole('region', { name: 'Vé số may mắn' })
  await expect(table.getByRole('row')).toHaveCount(2)
  await expect(table.getByRole('cell', { name: code })).toBeVisible()
  await tabTo(page, table)
  await go(page.getByRole('link', { name: 'Quay về' }))
  await expect(card(page, first.name)).toBeVisible()

  await go(page.getByRole('button', { name: 'Thể lệ' }))
  const rules = page.getByRole('dialog', { name: 'Thể lệ chương trình' })
  await go(rules.getByRole('region', { name: 'Thể lệ chương trình' }), 'End')
  await expect(rules.getByText(terms.at(-1) ?? '')).toBeInViewport()
  await keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Thể lệ' })).toBeFocused()
  await go(page.getByRole('button', { name: 'Quay về' }))
  await expect(page).toHaveURL(`${stack.url}/login`)
  await expect.poll(() => sessionCookies(context)).toEqual([])
  await expect(page.locator(':focus')).toHaveCount(1)
})

// spec: journey-with-address
test('an account without an address gives one and reaches /home', async ({ page, stack }) => {
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

/**
 * /home of demo01 with /histories behind it, without a page load between.
 * Resolves with the token.
 */
async function homeOverHistories(page: Page, url: string): Promise<string> {
  const token = await openAs(page, 'demo01', url, '/histories')
  await shellIsUp(page)
  await routerIsUp(page)
  await page.getByRole('link', { name: 'Quay về' }).click()
  await expect(card(page, first.name)).toBeVisible()
  return token
}
const firstLink = (page: Page) => page.getByRole('textbox', { name: 'Link bài viết 1' })

// spec: rules-and-back
test('going back closes a dialog, and going forward keeps its draft', async ({ page, stack }) => {
  await homeOverHistories(page, stack.url)
  await page.getByRole('button', { name: 'Thể lệ' }).click()
  await expect(page.getByRole('dialog', { name: 'Thể lệ chương trình' })).toBeVisible()
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(page).toHaveURL(`${stack.url}/home`)

  await claimButton(page, /Chia sẻ/).click()
  await firstLink(page).fill('https://facebook.com/posts/1')
  await page.goBack()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.goBack()
  await expect(page).toHaveURL(`${stack.url}/histories`)
  await page.goForward()
  await claimButton(page, /Chia sẻ/).click()
  await expect(firstLink(page)).toHaveValue('https://facebook.com/posts/1')
})

// spec: logout-clears
test('a logout removes the session here and on the server', async ({ page, context, stack }) => {
  const token = await homeOverHistories(page, stack.url)
  await claimButton(page, /Chia sẻ/).click()
  await firstLink(page).fill('https://facebook.com/1')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Quay về' }).click()
  await expect(page).toHaveURL(`${stack.url}/login`)
  await expect.poll(() => sessionCookies(context)).toEqual([])
  const info = () => fetch(`${stack.url}/api/client/info`, { headers: { 'x-sign-key': token } })
  await expect.poll(async () => (await info()).status).toBe(401)
  expect(await page.evaluate(() => Object.keys({ ...sessionStorage, ...localStorage }))).toEqual([])
  await page.goBack()
  await expect(page).toHaveURL(`${stack.url}/login`)
  await expect(toast(page, 'Phiên đăng nhập đã hết hạn.')).toHaveCount(1)
  await expect(page.getByRole('list', { name: 'Danh sách nhiệm vụ' })).toHaveCount(0)
})
