import type { Page } from '@playwright/test'
import { answer } from '../src/faults.ts'
import { sendLogin } from '../src/test.ts'
import { expect, LEAVE_TRACE, shellIsUp, test } from './security-test.ts'

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

test('missions, with every field hostile, then a refusal whose message is', async ({
  page,
  site,
  traces,
}) => {
  const list = [
    mission(0, 'A'),
    mission(1, 'B'),
    mission(2, 'C'),
    mission(2, 'D'),
    mission(3, 'NAP_STREAK'),
    mission(2, 'CHIASE'),
  ]
  site.proxy.break('GET /api/client/info', answer(ok(list)))
  site.proxy.break('POST /api/client/take-code', answer(ok(STRINGS)))
  await site.open(page, '/home')
  await expect(page.getByText(STRINGS[0] ?? '', { exact: false }).first()).toBeVisible()
  await page
    .getByRole('button', { name: /Đã nhận/ })
    .first()
    .click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectText(page, traces.violations())
  await page.keyboard.press('Escape')
  await page
    .getByRole('button', { name: /^Nhận vé/ })
    .first()
    .click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectText(page, traces.violations())
  await page.keyboard.press('Escape')
  site.proxy.break('POST /api/client/take-code', answer({ status_code: 4220, message: EVIL, data: null }))
  await page
    .getByRole('button', { name: /^Nhận vé/ })
    .first()
    .click()
  await expect(page.getByRole('dialog', { name: 'Chưa nhận được vé' })).toContainText(STRINGS[0] ?? '')
  await expectText(page, traces.violations())
  await traces.expectNone()
})

test('histories, with every field hostile', { tag: '@nightly' }, async ({ page, site, traces }) => {
  site.proxy.break(
    'GET /api/client/history',
    answer(
      ok({
        code_details: [{ event_code_detail: EVIL, code: STRINGS, claimed_at: EVIL, name: EVIL }],
        giftcode_trade: [{ giftcode: EVIL, traded_at: EVIL }],
      }),
    ),
  )
  await site.open(page, '/histories')
  await expect(page.getByRole('table')).toHaveCount(2)
  await expectText(page, traces.violations())
  await traces.expectNone()
})

test('a login whose answer is hostile', async ({ page, site, traces, context }) => {
  await context.clearCookies()
  const data = { required_address: true, sign: EVIL, username: EVIL }
  site.proxy.break('POST /api/client/login', answer(ok(data)))
  await site.open(page, '/login')
  await sendLogin(page, EVIL.slice(0, 60), '1234')
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  for (const field of await dialog.getByRole('textbox').all()) await field.fill(EVIL)
  site.proxy.break('POST /api/client/update-info', answer({ status_code: 400, message: EVIL, data: false }))
  await dialog.getByRole('button', { name: /Xác nhận/ }).click()
  await expect(dialog).toContainText('Cập nhật thông tin thất bại')
  await expectText(page, traces.violations())
  await traces.expectNone()
})

test('every input takes hostile text for text, and so does the answer of a check', {
  tag: '@nightly',
}, async ({ page, site, traces }) => {
  site.proxy.break(
    'POST /api/client/check',
    answer(ok({ by: 'code', valid: true, stage: EVIL, mission: EVIL, claimed_at: EVIL, owner: EVIL })),
  )
  site.proxy.break('GET /api/client/info', answer(ok([mission(2, 'CHIASE'), mission(3, 'NAP_STREAK')])))
  await site.open(page, '/check')
  await page.getByRole('radio', { name: /mã/i }).check()
  await page.getByRole('textbox').fill(EVIL.replace('\u0000', ''))
  await page.getByRole('button', { name: 'KIỂM TRA NGAY' }).click()
  await expect(page.getByRole('status').getByRole('heading')).toContainText(STRINGS[0] ?? '')
  await expect(page.getByRole('definition').first()).toContainText(STRINGS[0] ?? '')
  await expectText(page, traces.violations())
  await site.open(page, '/home')
  await page
    .getByRole('button', { name: /^Nhận vé/ })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  for (const field of await dialog.getByRole('textbox').all()) await field.fill(EVIL)
  await dialog.getByRole('button', { name: /Gửi/ }).click()
  await expect(dialog).toContainText('Có Link chia sẻ chưa hợp lệ')
  await expectText(page, traces.violations())
  await traces.expectNone()
})

test('hostile text in the query, the hash and the path of the address', { tag: '@nightly' }, async ({
  page,
  site,
  traces,
}) => {
  const text = encodeURIComponent(EVIL)
  // A path with a NUL is rejected and one with a dot is a file: neither reaches a page.
  const inPath = encodeURIComponent('<img src=x onerror="pwned=1">')
  for (const path of [`/login?next=${text}&msg=${text}`, `/login#${text}`, `/${inPath}`]) {
    await site.open(page, path)
    await shellIsUp(page)
    await expectText(page, traces.violations())
    await traces.expectNone()
  }
})
