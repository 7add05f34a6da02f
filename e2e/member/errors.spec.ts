import { FAULTS, ok } from '../src/faults.ts'
import {
  card,
  claimButton,
  loginButton,
  openAs,
  sendLogin,
  sessionCookies,
  toasts,
} from '../src/members.ts'
import { backOffice } from '../src/stack.ts'
import { expect, test } from '../src/test.ts'

/**
 * One test for each class of error (specification, section 8): host, remote and
 * server together. Unit tests cover every text and time; the texts here are the
 * specification's.
 */

const UNREACHABLE = 'Không thể kết nối đến máy chủ. Vui lòng thử lại sau!'
const EXPIRED = 'Phiên đăng nhập đã hết hạn. Vui lòng đăng nhập lại để tiếp tục!'
const EXPIRED_HOME = 'Phiên đăng nhập đã hết hạn. Vui lòng xác minh tại tài khoản để tiếp tục!'

const LOGIN = 'POST /api/client/login'
const INFO = 'GET /api/client/info'

const START = new Date('2025-08-20T20:00:00+07:00')
const A_MINUTE_LATER = new Date('2025-08-20T20:01:00+07:00')

const error = (text: string) => `Lỗi${text}`
const warning = (text: string) => `Cảnh báo${text}`

// The clock is paused, so that toasts stay. Errors come before warnings.
test.beforeEach(async ({ page, expectedErrors }) => {
  // Chromium logs every answer from 400 on and every cut connection.
  expectedErrors.push(/^Failed to load resource/)
  await page.clock.install({ time: START })
  await page.clock.pauseAt(A_MINUTE_LATER)
})

// spec: http-400
test('HTTP 400 shows the server’s message as a warning, and the page’s own', async ({
  page,
  stack,
}) => {
  await openAs(page, 'demo01', stack.url)
  await claimButton(page, /Chia sẻ/).click()
  for (const n of [1, 2, 3, 4])
    await page
      .getByRole('textbox', { name: `Link bài viết ${n}` })
      .fill(`https://facebook.com/posts/${n}`)
  // The form sends nothing malformed.
  await page.route('**/take-code*', (route) =>
    route.continue({ postData: { event_code_detail: 'CHIASE', share_links: [] } }),
  )
  await page.getByRole('button', { name: 'Gửi link' }).click()
  await expect(toasts(page)).toHaveText([
    error('Có lỗi xảy ra khi submit URL. Vui lòng thử lại!'),
    warning('Vui lòng nhập đầy đủ 4 URL!'),
  ])
})

// spec: no-answer
test('a form without an answer can be sent again', async ({ page, faulty }) => {
  faulty.break(LOGIN, FAULTS.reset)
  await page.goto(`${faulty.url}/login`)
  await sendLogin(page, 'demo01', '1234')
  await expect(toasts(page)).toHaveText([error(UNREACHABLE)])
  faulty.restore()
  await loginButton(page).click()
  await expect(page).toHaveURL(`${faulty.url}/home`)
})

// spec: 401
test('HTTP 401 logs the member out after 0.5 s', async ({ page, context, stack }) => {
  const token = await openAs(page, 'demo01', stack.url)
  await expect(claimButton(page, '300')).toBeVisible()
  await fetch(`${stack.url}/api/client/logout`, {
    method: 'POST',
    headers: { 'x-sign-key': token },
  })
  await claimButton(page, '300').click()
  await page.clock.runFor(1000)
  await expect(toasts(page)).toHaveText([error(EXPIRED)])
  await page.clock.runFor(499)
  expect(await sessionCookies(context), 'kept until then').toHaveLength(2)
  await page.clock.runFor(1)
  await expect(page).toHaveURL(`${stack.url}/login`)
  expect(await sessionCookies(context)).toEqual([])
  await expect(toasts(page)).toHaveText([warning(EXPIRED_HOME)])
})

// spec: home-without-token
test('/home without a saved token reloads into /login', async ({ page, faulty }) => {
  await page.goto(`${faulty.url}/home`)
  await expect(page).toHaveURL(`${faulty.url}/login`)
  await expect(toasts(page)).toHaveText([warning(EXPIRED_HOME)])
  expect(faulty.count('GET /login')).toBe(1)
  await page.goBack().catch(() => null)
  expect(new URL(page.url()).pathname).not.toBe('/home')
})

// spec: crash
test('a crash while rendering offers a reload', async ({ page, faulty, expectedErrors }) => {
  const logged: string[] = []
  expectedErrors.push(/Objects are not valid as a React child|Minified React error/)
  page.on('console', (message) => message.type() === 'error' && logged.push(message.text()))
  // Breaks the contract, so React cannot render it.
  const mission = { event_code_detail: 'NAP_300', name: { text: 'x' }, code: '', claimed: 2 }
  faulty.break(INFO, ok([mission]))
  await openAs(page, 'demo01', faulty.url)
  await expect(page.getByRole('alert')).toContainText('Đã có lỗi. Vui lòng tải lại trang.')
  await expect(page.getByRole('heading', { name: 'Nhiệm vụ nhận vé' })).toBeHidden()
  // #31: objects are not valid as a React child.
  expect(logged.filter((text) => /React error #31/.test(text))).toHaveLength(1)
  await expect(toasts(page), 'nothing else is done').toHaveCount(0)
  faulty.restore()
  await page.getByRole('button', { name: 'Tải lại trang' }).click()
  await expect(card(page, '300')).toBeVisible()
})

// spec: claim-refused
test('a claim that the server rejects shows a dialog, then reloads', async ({
  page,
  faulty,
  stack,
  guest,
}) => {
  await openAs(page, guest, faulty.url)
  const tenDeposits = card(page, '10 lần')
  await expect(tenDeposits.getByRole('button', { name: 'Nhận vé' })).toBeVisible()
  // After the list has loaded, the back office reverses one of the ten
  // deposits.
  const { account: username } = guest
  const reversal = { kind: 'reversal', reverses: `${username}-14`, occurred_at: START }
  await backOffice(stack.url, 'activity', {
    events: [{ source: 'demo', ref: `${username}-undone`, username, ...reversal }],
  })
  await tenDeposits.getByRole('button', { name: 'Nhận vé' }).click()
  await page.clock.fastForward(1000)
  const dialog = page.getByRole('dialog', { name: 'Chưa nhận được vé' })
  await expect(dialog).toContainText('Bạn chưa đủ điều kiện để nhận vé')
  expect(faulty.count('GET /home')).toBe(1)
  await dialog.getByRole('button', { name: 'Đóng' }).last().click()
  await expect.poll(() => faulty.count('GET /home')).toBe(2)
  await expect(tenDeposits.getByRole('button', { name: 'Chưa Đạt' })).toBeDisabled()
  await expect(toasts(page), 'the dialog shows the message, and no toast does').toHaveCount(0)
})
