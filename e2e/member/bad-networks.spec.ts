import type { Locator, Page } from '@playwright/test'
import { type FaultyProxy, startFaultyProxy } from '../src/faulty-proxy.ts'
import {
  type Account,
  backOffice,
  test as base,
  card,
  enter,
  expect,
  fillDigits,
  sessionCookies,
  toast,
} from '../src/member-test.ts'
import { type Stack, startStack } from '../src/stack.ts'
import { watchToasts } from '../src/toast-log.ts'

/** What a member does on a bad network or an old phone, and what must come of it. */

const LOGIN = 'POST /api/client/login'
const INFO = 'GET /api/client/info'
const TAKE = 'POST /api/client/take-code'
const HISTORY = 'GET /api/client/history'
const UPDATE = 'POST /api/client/update-info'

/** Tickets are claimed here, so the stack is this file's own; each test claims missions of its own. */
let own: Stack
base.beforeAll(async () => {
  base.setTimeout(200_000)
  own = await startStack()
  const completions = ['NAP_300', 'CUOC_5000', 'NAP_10LAN', 'NAP_15000'].map((mission) => ({
    username: 'demo02',
    event_code_detail: mission,
  }))
  await backOffice(own.url, 'mission/completed', { completions })
})
base.afterAll(() => own.stop())

const test = base.extend<{ net: FaultyProxy }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a destructured first parameter
  net: async ({}, use) => {
    const net = await startFaultyProxy(own.url)
    await use(net)
    await net.close()
  },
})

test.beforeEach(({ expectedErrors }) => void expectedErrors.push(/^Failed to load resource/))

const count = (net: FaultyProxy, call: string) => net.calls.filter((one) => one === call).length
const claimButton = (page: Page, mission: string | RegExp) =>
  card(page, mission).getByRole('button', { name: 'Nhận vé' })
const textOf = async (place: Locator) => (await place.textContent()) ?? ''
const CODE = /[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/g

/** The member's codes of one mission, as the server's history lists them. */
async function codesOf(account: Account, page: Page, mission: string): Promise<string[]> {
  const token = (await page.context().cookies()).find(({ name }) => name === 'anniversary-token')?.value ?? ''
  const answer = await fetch(`${own.url}/api/client/history`, { headers: { 'x-sign-key': token } })
  expect(answer.status, account).toBe(200)
  const { data } = (await answer.json()) as {
    data: { code_details: { event_code_detail: string; code: string[] }[] } // contract/wire.ts, historyData
  }
  return data.code_details.flatMap((entry) => (entry.event_code_detail === mission ? entry.code : []))
}

/** /home with /histories behind it, both visited without a page load. */
async function homeOverHistories(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/histories`)
  await page.getByRole('button', { name: 'Quay về' }).click()
  await expect(card(page, '300')).toBeVisible()
}

test.describe('double taps', () => {
  // spec: login-sent-once
  test('a login tapped five times is sent once', async ({ page, net }) => {
    net.break(LOGIN, { do: 'hold' })
    await page.goto(`${net.url}/login`)
    await page.getByLabel('Tài khoản', { exact: true }).fill('demo01')
    await fillDigits(page, '1234')
    const button = page.getByRole('button', { name: 'Đăng nhập', exact: true })
    await button.click({ clickCount: 5 })
    await page.keyboard.press('Enter')
    await expect.poll(() => count(net, LOGIN)).toBe(1)
    net.mend()
    net.release()
    await expect(page).toHaveURL(`${net.url}/home`)
    expect(count(net, LOGIN)).toBe(1)
  })

  test('a claim tapped five times, and another card meanwhile: one call, one ticket', async ({
    page,
    context,
    net,
  }) => {
    await enter(context, own.url, 'demo01')
    net.break(TAKE, { do: 'hold' })
    await page.goto(`${net.url}/home`)
    await claimButton(page, '300').click({ clickCount: 5 })
    await claimButton(page, 'cược 5.000').click()
    await expect.poll(() => count(net, TAKE)).toBe(1)
    // By force: Playwright would wait until the button takes presses again.
    await claimButton(page, '300').click({ force: true })
    net.release()
    const dialog = page.getByRole('dialog')
    await expect(dialog).toBeVisible()
    const codes = (await textOf(dialog)).match(CODE)
    await page.keyboard.press('Escape')
    await page.waitForTimeout(1200)
    expect(count(net, TAKE)).toBe(1)
    expect(await codesOf('demo01', page, 'NAP_300')).toEqual(codes)
    expect(await codesOf('demo01', page, 'CUOC_5000')).toEqual([])
  })

  test('an address confirmed five times is sent once', async ({ page, net }) => {
    net.break(UPDATE, { do: 'hold' })
    await page.goto(`${net.url}/login`)
    await page.getByLabel('Tài khoản', { exact: true }).fill('demo02')
    await fillDigits(page, '0042')
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Họ và tên').fill('Nguyễn Thị Ánh')
    await dialog.getByLabel('Số điện thoại').fill('0912345678')
    await dialog.getByLabel('Địa chỉ').fill('12 Đường Hoa, Huế')
    await dialog.getByRole('button', { name: 'Xác nhận' }).click({ clickCount: 5 })
    await expect.poll(() => count(net, UPDATE)).toBe(1)
    net.release()
    await expect(page).toHaveURL(`${net.url}/home`)
    expect(count(net, UPDATE)).toBe(1)
  })
})

test.describe('the back button inside flows', () => {
  test('with the share dialog open: the page before, usable; forward again, the draft is kept', async ({
    page,
    context,
    net,
  }) => {
    await enter(context, own.url, 'demo01')
    await homeOverHistories(page, net.url)
    await claimButton(page, /Chia sẻ/).click()
    await page.getByLabel('Liên kết chia sẻ 1').fill('https://facebook.com/posts/1')
    await page.goBack()
    await expect(page).toHaveURL(`${net.url}/histories`)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.goForward()
    await claimButton(page, /Chia sẻ/).click()
    await expect(page.getByLabel('Liên kết chia sẻ 1')).toHaveValue('https://facebook.com/posts/1')
  })

  // spec: rules-and-back
  test('with the rules open: the popup goes with the page under it', async ({ page, context, net }) => {
    await enter(context, own.url, 'demo01')
    await homeOverHistories(page, net.url)
    await page.getByRole('button', { name: 'Thể lệ' }).click()
    await expect(page.getByRole('dialog', { name: 'Thể lệ chương trình' })).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL(`${net.url}/histories`)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.getByRole('button', { name: 'Quay về' }).click()
    await expect(page).toHaveURL(`${net.url}/home`)
  })

  // spec: claim-left-in-time
  test('within the second before a claim is sent: it is never sent', async ({ page, context, net }) => {
    await enter(context, own.url, 'demo01')
    await homeOverHistories(page, net.url)
    await claimButton(page, 'cược 5.000').click()
    await page.goBack()
    await expect(page).toHaveURL(`${net.url}/histories`)
    await page.waitForTimeout(1500)
    expect(count(net, TAKE)).toBe(0)
    await page.goForward()
    await expect(claimButton(page, 'cược 5.000')).toBeEnabled()
  })

  test('after a claim was sent: its answer disturbs nobody, and the list has the ticket', async ({
    page,
    context,
    net,
  }) => {
    const log = await watchToasts(page)
    await enter(context, own.url, 'demo02')
    net.break(TAKE, { do: 'hold' })
    await homeOverHistories(page, net.url)
    await claimButton(page, '10 lần').click()
    await expect.poll(() => count(net, TAKE)).toBe(1)
    await page.goBack()
    await expect(page).toHaveURL(`${net.url}/histories`)
    net.release()
    await expect.poll(() => codesOf('demo02', page, 'NAP_10LAN')).toHaveLength(1)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.goForward()
    await card(page, '10 lần')
      .getByRole('button', { name: /Xem mã/ })
      .click()
    await expect(page.getByRole('dialog')).toContainText(CODE)
    expect(log.toasts).toEqual([])
  })

  test('with the address dialog open: no session was made', async ({ page, context, net }) => {
    await page.goto(`${net.url}/`)
    await page.getByRole('link', { name: 'Đăng nhập nhận vé' }).click()
    await page.getByLabel('Tài khoản', { exact: true }).fill('demo02')
    // A stack on which demo02 still has to give an address would need a start of its own: the answer says so instead.
    net.break(LOGIN, {
      do: 'answer',
      body: { status_code: 200, data: { required_address: 1, sign: 's'.repeat(43), username: 'demo02' } },
    })
    await fillDigits(page, '0042')
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog')).toBeVisible()
    await page.goBack()
    await expect(page).toHaveURL(`${net.url}/`)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    expect(await sessionCookies(context)).toEqual([])
    await page.goForward()
    await expect(page.getByLabel('Tài khoản', { exact: true })).toHaveValue('')
  })

  test('after logging out: nothing of the member is shown again', async ({ page, context, net }) => {
    await enter(context, own.url, 'demo01')
    await homeOverHistories(page, net.url)
    await page.getByRole('button', { name: 'Quay về' }).click()
    await expect(page).toHaveURL(`${net.url}/login`)
    expect(await sessionCookies(context)).toEqual([])
    await page.goBack()
    await expect(page).toHaveURL(`${net.url}/login`)
    await expect(page.getByRole('list', { name: 'Danh sách nhiệm vụ' })).toHaveCount(0)
    await expect(toast(page, 'Phiên đăng nhập đã hết hạn.')).toHaveCount(1)
  })
})

test.describe('two tabs', () => {
  test('a logout in one ends the other', async ({ page, context, net }) => {
    await enter(context, own.url, 'demo01')
    await page.goto(`${net.url}/home`)
    const other = await context.newPage()
    await other.goto(`${net.url}/histories`)
    await expect(other.getByRole('heading', { name: 'Lịch sử nhận vé' })).toBeVisible()
    const log = await watchToasts(other)
    await page.getByRole('button', { name: 'Quay về' }).click()
    await expect(other).toHaveURL(`${net.url}/login`)
    await expect(toast(other, 'Vui lòng đăng nhập lại để tiếp tục!')).toHaveCount(1)
    expect(log.moves, 'without a page load').toEqual([])
  })

  test('another member’s login in one takes over the other', async ({ page, context, net }) => {
    await enter(context, own.url, 'demo01')
    await page.goto(`${net.url}/home`)
    await expect(claimButton(page, 'cược 5.000')).toBeVisible()
    const other = await context.newPage()
    await other.goto(`${net.url}/login`)
    await other.getByLabel('Tài khoản', { exact: true }).fill('demo03')
    await fillDigits(other, '9999')
    await other.keyboard.press('Enter')
    await expect(other).toHaveURL(`${net.url}/home`)
    await expect(page.getByRole('button', { name: /Xem mã/ })).toHaveCount(6)
    await expect(claimButton(page, 'cược 5.000')).toHaveCount(0)
  })

  test('the same mission claimed in both: the same code', async ({ page, context, net }) => {
    await enter(context, own.url, 'demo01')
    const other = await context.newPage()
    const codes: (readonly string[] | null)[] = []
    for (const tab of [page, other]) {
      await tab.goto(`${net.url}/home`)
      await expect(claimButton(tab, '10 lần')).toBeVisible()
    }
    for (const tab of [page, other]) {
      await tab.bringToFront()
      await claimButton(tab, '10 lần').click()
      await expect(tab.getByRole('dialog')).toContainText(CODE)
      codes.push((await textOf(tab.getByRole('dialog'))).match(CODE))
    }
    expect(codes[0]).toHaveLength(1)
    expect(codes[1]).toEqual(codes[0])
    expect(await codesOf('demo01', page, 'NAP_10LAN')).toEqual(codes[0])
  })
})

test.describe('network lost between claim and answer', () => {
  test('the list is loaded anew and tells the truth: the ticket is there', async ({ page, context, net }) => {
    await enter(context, own.url, 'demo01')
    await page.goto(`${net.url}/home`)
    net.break(TAKE, { do: 'lose' })
    await claimButton(page, 'cược 5.000').click()
    await expect(toast(page, 'Có lỗi xảy ra khi nhận phần thưởng. Vui lòng thử lại!')).toBeVisible()
    await expect(page.getByText(/5\.000.*vé đã được ghi nhận/)).toBeVisible()
    expect(count(net, INFO)).toBe(2)
    await card(page, 'cược 5.000')
      .getByRole('button', { name: /Xem mã/ })
      .click()
    const shown = (await textOf(page.getByRole('dialog'))).match(CODE)
    expect(shown).toEqual(await codesOf('demo01', page, 'CUOC_5000'))
  })

  test('lost with the list too: pressed again, the claim gives the same code', async ({
    page,
    context,
    net,
  }) => {
    await enter(context, own.url, 'demo02')
    await page.goto(`${net.url}/home`)
    await expect(claimButton(page, 'cược 5.000')).toBeVisible()
    net.break(TAKE, { do: 'lose' })
    net.break(INFO, { do: 'cut' })
    await claimButton(page, 'cược 5.000').click()
    await expect(page.getByText('Danh sách có thể chưa mới nhất.', { exact: false })).toBeVisible()
    const [granted] = await codesOf('demo02', page, 'CUOC_5000')
    expect(granted).toBeDefined()
    net.mend()
    await claimButton(page, 'cược 5.000').click()
    await expect(page.getByRole('dialog')).toContainText(granted ?? '')
    expect(await codesOf('demo02', page, 'CUOC_5000')).toEqual([granted])
  })

  test('without a network at all: the banner stays until there is one, then the list loads by itself', async ({
    page,
    context,
    net,
  }) => {
    await enter(context, own.url, 'demo02')
    await page.goto(`${net.url}/home`)
    await expect(claimButton(page, '15.000')).toBeVisible()
    await context.setOffline(true)
    const banner = page.getByRole('status').filter({ hasText: 'Không có kết nối mạng.' })
    await expect(banner).toBeVisible()
    await claimButton(page, '15.000').click()
    await expect(toast(page, 'Không thể kết nối đến máy chủ.')).toBeVisible()
    await expect(page.getByText('Danh sách có thể chưa mới nhất.', { exact: false })).toBeVisible()
    await banner.getByRole('button', { name: 'Thử lại' }).click()
    await expect(toast(page, 'Vẫn chưa có kết nối mạng.')).toBeVisible()
    const asked = count(net, INFO)
    await context.setOffline(false)
    await expect(banner).toBeHidden()
    await expect(toast(page, 'Đã có mạng trở lại.')).toHaveCount(1)
    await expect(page.getByText(/15\.000.*danh sách chưa ghi nhận vé/)).toBeVisible()
    expect(count(net, INFO)).toBe(asked + 1)
    expect(await codesOf('demo02', page, 'NAP_15000'), 'never sent by itself').toEqual([])
  })
})

// spec: no-timeout
test('answers that take twenty seconds: no time-out, the overlay stays, the page stays usable', async ({
  context,
  browser,
  net,
}) => {
  test.setTimeout(90_000)
  const visitor = await (await browser.newContext()).newPage()
  await enter(context, own.url, 'demo01')
  const [home, claiming, histories] = [
    await context.newPage(),
    await context.newPage(),
    await context.newPage(),
  ]
  await claiming.goto(`${net.url}/home`)
  await expect(card(claiming, /Chia sẻ/)).toBeVisible()
  for (const call of [LOGIN, INFO, TAKE, HISTORY]) net.break(call, { do: 'hold' })

  await visitor.goto(`${net.url}/login`)
  await visitor.getByLabel('Tài khoản', { exact: true }).fill('demo03')
  await fillDigits(visitor, '9999')
  await visitor.keyboard.press('Enter')
  await home.goto(`${net.url}/home`)
  await histories.goto(`${net.url}/histories`)
  await claimButton(claiming, /Chia sẻ/).click()
  const links = await claiming.getByRole('dialog').getByRole('textbox').all()
  for (const [index, link] of links.entries()) await link.fill(`https://facebook.com/kyniem/posts/${index}`)
  await claiming.getByRole('button', { name: 'Gửi liên kết' }).click()
  await expect.poll(() => [LOGIN, INFO, TAKE, HISTORY].every((call) => count(net, call) > 0)).toBe(true)
  await visitor.waitForTimeout(20_000)

  const overlay = claiming.getByRole('status').filter({ hasText: 'ĐANG XỬ LÝ YÊU CẦU ...' })
  await expect(overlay).toBeVisible()
  await expect(visitor.getByRole('button', { name: 'Đăng nhập', exact: true })).toHaveAttribute(
    'aria-busy',
    'true',
  )
  await expect(home.getByText('Đang tải danh sách nhiệm vụ…')).toBeAttached()
  for (const page of [visitor, home, histories, claiming])
    await expect(page.getByRole('region', { name: 'Thông báo' }).getByRole('listitem')).toHaveCount(0)
  await home.getByRole('button', { name: 'Thể lệ' }).click()
  await expect(home.getByRole('dialog', { name: 'Thể lệ chương trình' })).toBeVisible()
  await home.keyboard.press('Escape')
  await histories.getByRole('button', { name: 'Quay về' }).click()
  await expect(histories).toHaveURL(`${net.url}/home`)

  net.mend()
  net.release()
  await expect(visitor).toHaveURL(`${net.url}/home`)
  await expect(card(home, '300')).toBeVisible()
  await expect(claiming.getByRole('dialog')).toContainText(CODE)
  await expect(overlay).toBeHidden()
  await visitor.context().close()
})
