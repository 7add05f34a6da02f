import type { Page } from '@playwright/test'
import { lose } from '../src/faults.ts'
import {
  card,
  claimButton,
  enter,
  expect,
  openAs,
  sendLogin,
  sessionCookies,
  test,
  toast,
} from '../src/member-test.ts'

/** Members on bad networks: double taps, the back button, two tabs, lost answers. */

const LOGIN = 'POST /api/client/login'
const INFO = 'GET /api/client/info'
const TAKE = 'POST /api/client/take-code'
const HISTORY = 'GET /api/client/history'

const CODE = /[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/g
const codesIn = async (page: Page) => (await page.getByRole('dialog').textContent())?.match(CODE)

test.beforeEach(async ({ page, expectedErrors }) => {
  expectedErrors.push(/^Failed to load resource/)
  await page.clock.install()
})

/** Presses a card's button and passes the second before the claim is sent. */
async function claim(page: Page, mission: string): Promise<void> {
  await claimButton(page, mission).click()
  await page.clock.fastForward(1000)
}

/** A guest's codes of one mission, as the server's history lists them. */
async function codesOf(token: string, url: string, mission: string): Promise<string[]> {
  const answer = await fetch(`${url}/api/client/history`, { headers: { 'x-sign-key': token } })
  expect(answer.status).toBe(200)
  const { data } = (await answer.json()) as {
    data: { code_details: { event_code_detail: string; code: string[] }[] } // contract/wire.ts, historyData
  }
  return data.code_details.flatMap((entry) => (entry.event_code_detail === mission ? entry.code : []))
}

/** /home of demo01 with /histories behind it, without a page load between. Resolves with the token. */
async function homeOverHistories(page: Page, url: string): Promise<string> {
  const token = await openAs(page, 'demo01', url, '/histories')
  await page.getByRole('button', { name: 'Quay về' }).click()
  await expect(card(page, '300')).toBeVisible()
  return token
}

test.describe('the back button', () => {
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
    await page.getByLabel('Liên kết chia sẻ 1').fill('https://facebook.com/posts/1')
    await page.goBack()
    await expect(page).toHaveURL(`${faulty.url}/histories`)
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.goForward()
    await claimButton(page, /Chia sẻ/).click()
    await expect(page.getByLabel('Liên kết chia sẻ 1')).toHaveValue('https://facebook.com/posts/1')
  })

  // spec: logout-clears
  test('after logging out: every saved value is gone, here and on the server; nothing of the member is shown again', async ({
    page,
    context,
    faulty,
  }) => {
    const token = await homeOverHistories(page, faulty.url)
    await claimButton(page, /Chia sẻ/).click()
    await page.getByLabel('Liên kết chia sẻ 1').fill('https://facebook.com/1')
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
})

test('two tabs: a login in one takes over the other, a logout in one ends the other', async ({
  page,
  context,
  faulty,
}) => {
  await openAs(page, 'demo01', faulty.url)
  await expect(claimButton(page, 'cược 5.000')).toBeVisible()
  const other = await context.newPage()
  await other.goto(`${faulty.url}/login`)
  await sendLogin(other, 'demo03', '9999')
  await expect(other).toHaveURL(`${faulty.url}/home`)
  await expect(page.getByRole('button', { name: /Xem mã/ })).toHaveCount(6)
  await expect(claimButton(page, 'cược 5.000')).toHaveCount(0)

  await other.evaluate(() => Object.assign(window, { kept: true }))
  await page.getByRole('button', { name: 'Quay về' }).click()
  await expect(other).toHaveURL(`${faulty.url}/login`)
  await expect(toast(other, 'Phiên đăng nhập đã hết hạn.')).toHaveCount(1)
  expect(await other.evaluate(() => Reflect.get(window, 'kept')), 'without a page load').toBe(true)
})

test('the answer to a claim is lost: the list is loaded anew, and has the ticket', async ({
  page,
  faulty,
  guest,
}) => {
  const token = await openAs(page, guest, faulty.url)
  faulty.break(TAKE, lose)
  await claim(page, 'cược 5.000')
  await expect(toast(page, 'Có lỗi xảy ra khi nhận phần thưởng. Vui lòng thử lại!')).toBeVisible()
  await expect(page.getByText(/5\.000.*vé đã được ghi nhận/)).toBeVisible()
  expect(faulty.count(INFO)).toBe(2)
  await card(page, 'cược 5.000')
    .getByRole('button', { name: /Xem mã/ })
    .click()
  await expect(page.getByRole('dialog')).toBeVisible()
  expect(await codesIn(page)).toEqual(await codesOf(token, faulty.url, 'CUOC_5000'))
})

// spec: twenty-seconds
test('answers that take twenty seconds: no time-out, the overlay stays, the page stays usable', {
  tag: '@nightly',
}, async ({ context, browser, faulty, guest }) => {
  test.setTimeout(90_000)
  const visitor = await (await browser.newContext()).newPage()
  await enter(context, faulty.url, guest)
  const [home, claiming, histories] = [
    await context.newPage(),
    await context.newPage(),
    await context.newPage(),
  ]
  await claiming.goto(`${faulty.url}/home`)
  await expect(card(claiming, /Chia sẻ/)).toBeVisible()
  for (const call of [LOGIN, INFO, TAKE, HISTORY]) faulty.hold(call)

  await visitor.goto(`${faulty.url}/login`)
  await sendLogin(visitor, 'demo03', '9999')
  await home.goto(`${faulty.url}/home`)
  await histories.goto(`${faulty.url}/histories`)
  await claimButton(claiming, /Chia sẻ/).click()
  const links = await claiming.getByRole('dialog').getByRole('textbox').all()
  for (const [index, link] of links.entries()) await link.fill(`https://facebook.com/kyniem/posts/${index}`)
  await claiming.getByRole('button', { name: 'Gửi liên kết' }).click()
  await expect.poll(() => [LOGIN, INFO, TAKE, HISTORY].every((call) => faulty.count(call) > 0)).toBe(true)
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
  await expect(histories).toHaveURL(`${faulty.url}/home`)

  faulty.mend()
  faulty.release()
  await expect(visitor).toHaveURL(`${faulty.url}/home`)
  await expect(card(home, '300')).toBeVisible()
  await expect(claiming.getByRole('dialog')).toContainText(CODE)
  await expect(overlay).toBeHidden()
  await visitor.context().close()
})
