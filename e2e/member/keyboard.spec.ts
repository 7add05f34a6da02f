import type { Locator, Page } from '@playwright/test'
import { card, landingLink, loginButton, sessionCookies } from '../src/members.ts'
import { expect, test } from '../src/test.ts'

/** Visits by keyboard alone. Only a real browser shows and moves the focus. */

/**
 * Presses Tab until the target has the focus. Every stop must be visible and uncovered (WCAG 2.4.7, 2.4.11), so while a
 * dialog is open, inside it.
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
      // On the last stop of a date field Chromium outlines its calendar button, not the field.
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

// spec: keyboard-visit
test('a whole visit: landing, login, claim, history, rules, logout', { tag: '@nightly' }, async ({
  page,
  context,
  stack,
  guest,
}) => {
  test.setTimeout(120_000)
  const { keyboard } = page
  const go = async (target: Locator, key = 'Enter') => {
    await tabTo(page, target)
    await keyboard.press(key)
  }
  await page.goto(stack.url)
  await go(landingLink(page))
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  await tabTo(page, page.getByLabel('Tài khoản', { exact: true }))
  await keyboard.type(guest.account)
  await keyboard.press('Tab')
  await keyboard.type(guest.digits)
  await go(loginButton(page), 'Space')
  await expect(card(page, '300')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

  const deposit = card(page, '300').getByRole('button')
  await go(deposit)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('heading')).toBeFocused()
  await go(dialog.getByRole('button', { name: 'Xác nhận' }))
  await expect(deposit).toBeFocused()
  await expect(deposit).toHaveAccessibleName(/Xem mã/)

  await go(page.getByRole('link', { name: 'Lịch sử' }))
  const table = page.getByRole('region', { name: 'Vé số may mắn' })
  await expect(table.getByRole('row')).toHaveCount(2)
  await tabTo(page, table)
  await go(page.getByRole('link', { name: 'Quay về' }))
  await expect(card(page, '300')).toBeVisible()

  await go(page.getByRole('button', { name: 'Thể lệ' }))
  const rules = page.getByRole('dialog', { name: 'Thể lệ chương trình' })
  await go(rules.getByRole('region', { name: 'Thể lệ chương trình' }), 'End')
  await expect(rules.getByText('Khách hàng trúng thưởng', { exact: false })).toBeInViewport()
  await keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Thể lệ' })).toBeFocused()
  await go(page.getByRole('button', { name: 'Quay về' }))
  await expect(page).toHaveURL(`${stack.url}/login`)
  expect(await sessionCookies(context)).toEqual([])
  await expect(page.locator(':focus')).toHaveCount(1)
})
