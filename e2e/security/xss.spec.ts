import type { Page } from '@playwright/test'
import { answer } from '../src/faults.ts'
import { sendLogin, shellIsUp } from '../src/members.ts'
import { expect, LEAVE_TRACE, test } from '../src/test.ts'

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

const ok = (data: unknown) => ({ status_code: 200, data })
const mission = (claimed: number, id: string) => ({
  event_code_detail: id,
  name: `${EVIL} ${id}`,
  code: `${STRINGS[0]},${STRINGS[1]}`,
  claimed,
  tickets: 1,
})

/** No text became an element or an attribute, and the CSP blocked nothing. */
async function expectText(page: Page, violations: readonly string[]): Promise<void> {
  const found = await page.evaluate(() => ({
    elements: document.querySelectorAll('img[src="x"], iframe[srcdoc], b[onmouseover], main svg[onload]')
      .length,
    handlers: [...document.querySelectorAll('*')].filter((element) =>
      [...element.attributes].some(({ name }) => name.startsWith('on')),
    ).length,
    addresses: [...document.querySelectorAll('[href], [src], [action], [formaction]')].filter((element) =>
      ['href', 'src', 'action', 'formaction'].some((name) =>
        /^\s*(javascript|data:text)/i.test(element.getAttribute(name) ?? ''),
      ),
    ).length,
  }))
  expect(found).toEqual({ elements: 0, handlers: 0, addresses: 0 })
  expect(violations).toEqual([])
}

/** Presses the first button of this name. */
const press = (page: Page, name: RegExp) => page.getByRole('button', { name }).first().click()

// A fixture starts with the first hook that names it: the watch, before the page loads.
test.beforeEach(({ traces }) => expect(traces.violations).toEqual([]))
test.afterEach(async ({ page, traces }) => {
  await expectText(page, traces.violations)
  await traces.expectNone()
})

test('missions, with every field hostile, then a refusal whose message is', async ({
  page,
  site,
  traces,
}) => {
  const claims = [0, 1, 2, 2].map((claimed, index) => mission(claimed, `M${index}`))
  const list = [...claims, mission(3, 'NAP_STREAK'), mission(2, 'CHIASE')]
  site.proxy.break('GET /api/client/info', answer(ok(list)))
  site.proxy.break('POST /api/client/take-code', answer(ok(STRINGS)))
  await site.open(page, '/home')
  await expect(page.getByText(STRINGS[0] ?? '', { exact: false }).first()).toBeVisible()
  for (const name of [/Đã nhận/, /^Nhận vé/]) {
    await press(page, name)
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectText(page, traces.violations)
    await page.keyboard.press('Escape')
  }
  site.proxy.break('POST /api/client/take-code', answer({ status_code: 4220, message: EVIL, data: null }))
  await press(page, /^Nhận vé/)
  await expect(page.getByRole('dialog', { name: 'Chưa nhận được vé' })).toContainText(STRINGS[0] ?? '')
})

test('a login whose answer is hostile', async ({ page, site, context }) => {
  await context.clearCookies()
  const data = { required_address: true, sign: EVIL, username: EVIL }
  site.proxy.break('POST /api/client/login', answer(ok(data)))
  await site.open(page, '/login')
  await sendLogin(page, EVIL.slice(0, 60), '1234')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  for (const field of await dialog.getByRole('textbox').all()) await field.fill(EVIL)
  site.proxy.break('POST /api/client/update-info', answer({ status_code: 400, message: EVIL, data: false }))
  await press(page, /Xác nhận/)
  await expect(dialog).toContainText('Cập nhật thông tin thất bại')
})

test('the input and the answer of a check are hostile', { tag: '@nightly' }, async ({ page, site }) => {
  const data = { by: 'code', valid: true, stage: EVIL, mission: EVIL, claimed_at: EVIL, owner: EVIL }
  site.proxy.break('POST /api/client/check', answer(ok(data)))
  await site.open(page, '/check')
  await page.getByRole('radio', { name: /mã/i }).check()
  await page.getByRole('textbox').fill(EVIL.replace('\u0000', ''))
  await press(page, /KIỂM TRA NGAY/)
  await expect(page.getByRole('status').getByRole('heading')).toContainText(STRINGS[0] ?? '')
  await expect(page.getByRole('definition').first()).toContainText(STRINGS[0] ?? '')
})

test('every field of the histories is hostile', { tag: '@nightly' }, async ({ page, site }) => {
  const code_details = [{ event_code_detail: EVIL, code: STRINGS, claimed_at: EVIL, name: EVIL }]
  const giftcode_trade = [{ giftcode: EVIL, traded_at: EVIL }]
  site.proxy.break('GET /api/client/history', answer(ok({ code_details, giftcode_trade })))
  await site.open(page, '/histories')
  await expect(page.getByRole('table')).toHaveCount(2)
})

test('the links of a share are hostile', { tag: '@nightly' }, async ({ page, site }) => {
  site.proxy.break('GET /api/client/info', answer(ok([mission(2, 'CHIASE')])))
  await site.open(page, '/home')
  await press(page, /^Nhận vé/)
  const dialog = page.getByRole('dialog')
  for (const field of await dialog.getByRole('textbox').all()) await field.fill(EVIL)
  await press(page, /Gửi/)
  await expect(dialog).toContainText('Có Link chia sẻ chưa hợp lệ')
})

// A path with a NUL is rejected and one with a dot is a file: neither reaches a page.
test('the address is hostile: path, query and hash', { tag: '@nightly' }, async ({ page, site }) => {
  const inText = encodeURIComponent(EVIL)
  await site.open(page, `/${encodeURIComponent('<img src=x onerror="pwned=1">')}?msg=${inText}#${inText}`)
  await shellIsUp(page)
})
