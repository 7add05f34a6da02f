import type { Page } from '@playwright/test'
import { ok, refused } from '../src/faults.ts'
import { sendLogin } from '../src/members.ts'
import { expect, expectNoTrace, LEAVE_TRACE, test } from '../src/test.ts'

/** React writes all texts in the same way; the dialogs have the most fields. */

/** Strings that run when text is used as HTML, URL, style or template. */
const STRINGS = [
  `<img src=x onerror="${LEAVE_TRACE}">`,
  `"><svg onload=${LEAVE_TRACE}>`,
  `</script><script>${LEAVE_TRACE}</script>`,
  `javascript:${LEAVE_TRACE}`,
  `'-(${LEAVE_TRACE})-'`,
  `{{constructor.constructor('${LEAVE_TRACE}')()}}`,
  `\${${LEAVE_TRACE}}`,
  `</style><script>${LEAVE_TRACE}</script>`,
  `<iframe srcdoc="<script>parent.${LEAVE_TRACE}</script>">`,
  `‮<b onmouseover=${LEAVE_TRACE}>\u0000`,
]
/** All of them in one text. */
const EVIL = STRINGS.join(' ')
const [FIRST = ''] = STRINGS

/** Elements and addresses that the strings would become. */
const MADE =
  'img[src="x"], svg[onload], iframe[srcdoc], b[onmouseover], [href^="javascript"], [src^="javascript"]'

/**
 * Expects that no text became an element, an attribute or code. The CSP's
 * blocks are errors of the page.
 */
async function expectText(page: Page): Promise<void> {
  await expect(page.locator(MADE)).toHaveCount(0)
  await expectNoTrace(page)
}

test('answers of the API are shown as text', async ({ page, site, context }) => {
  const press = (name: RegExp) => page.getByRole('button', { name }).first().click()
  const mission = (claimed: number, id: string) => ({
    event_code_detail: id,
    name: `${EVIL} ${id}`,
    code: `${STRINGS[0]},${STRINGS[1]}`,
    claimed,
    tickets: 1,
  })
  const claims = [0, 1, 2, 2].map((claimed, index) => mission(claimed, `M${index}`))
  const list = [...claims, mission(3, 'NAP_STREAK'), mission(2, 'CHIASE')]
  site.proxy.break('GET /api/client/info', ok(list))
  site.proxy.break('POST /api/client/take-code', ok(STRINGS))
  await site.open(page, '/home')
  await expect(page.getByText(FIRST, { exact: false }).first()).toBeVisible()
  for (const name of [/Đã nhận/, /^Nhận vé/]) {
    await press(name)
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectText(page)
    await page.keyboard.press('Escape')
  }
  site.proxy.break('POST /api/client/take-code', refused(4220, EVIL))
  await press(/^Nhận vé/)
  await expect(page.getByRole('dialog', { name: 'Chưa nhận được vé' })).toContainText(FIRST)
  await expectText(page)

  await context.clearCookies()
  site.proxy.break(
    'POST /api/client/login',
    ok({ required_address: true, sign: EVIL, username: EVIL }),
  )
  site.proxy.break('POST /api/client/update-info', refused(400, EVIL))
  await site.open(page, '/login')
  await sendLogin(page, EVIL.slice(0, 60), '1234')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  for (const field of await dialog.getByRole('textbox').all()) await field.fill(EVIL)
  await press(/Xác nhận/)
  await expect(dialog).toContainText('Cập nhật thông tin thất bại')
  await expectText(page)
})
