import { answer, cut } from '../src/faults.ts'
import { startFaultyProxy } from '../src/faulty-proxy.ts'
import {
  card,
  claimButton,
  expect,
  openAs,
  saveSession,
  sendLogin,
  sessionCookies,
  test,
  toast,
} from '../src/member-test.ts'
import { error, expectSaid, warning } from '../src/page-log.ts'
import { backOffice } from '../src/stack.ts'

/**
 * One test for each class of error (specification, section 8): host, remote and server together. Unit tests prove
 * every text and time; the texts here are the specification's.
 */

const UNREACHABLE = 'Không thể kết nối đến máy chủ. Vui lòng thử lại sau!'
const EXPIRED_HOME = 'Phiên đăng nhập đã hết hạn. Vui lòng xác minh tại tài khoản để tiếp tục!'
const EXPIRED = 'Phiên đăng nhập đã hết hạn. Vui lòng đăng nhập lại để tiếp tục!'

const LOGIN = 'POST /api/client/login'
const INFO = 'GET /api/client/info'
const TAKE = 'POST /api/client/take-code'

const START = new Date('2025-08-20T20:00:00+07:00')
const A_MINUTE_LATER = new Date('2025-08-20T20:01:00+07:00')

test.beforeEach(async ({ page, log, expectedErrors }) => {
  // Chromium logs every answer from 400 on and every cut connection.
  expectedErrors.push(/^Failed to load resource/)
  expect(log.toasts).toEqual([])
  await page.clock.install({ time: START })
})

// spec: http-400
test('HTTP 400: the server’s message as a warning, then the page’s own', async ({ page, log, stack }) => {
  await openAs(page, 'demo01', stack.url)
  await claimButton(page, /Chia sẻ/).click()
  // The server rejects links of more than 2048 characters.
  for (const field of await page.getByRole('dialog').getByRole('textbox').all())
    await field.fill(`https://facebook.com/${'a'.repeat(2100)}`)
  await page.getByRole('button', { name: 'Gửi liên kết' }).click()
  await expectSaid(page, log, [
    warning('Vui lòng nhập đầy đủ 4 URL!'),
    error('Có lỗi xảy ra khi submit URL. Vui lòng thử lại!'),
  ])
})

// spec: rate-limit
test('another status, by the real server’s limit: its message as an error, and on the page', async ({
  page,
  log,
  stack,
}) => {
  const limited = await startFaultyProxy(stack.url, { from: '127.0.0.8' })
  const ask = () =>
    fetch(`${limited.url}/api/client/check`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ site: 'ANNIVERSARY', by: 'username', value: 'demo01' }),
    })
  await page.goto(`${limited.url}/check`)
  await page.getByLabel('Nội dung kiểm tra').fill('demo01')
  // Right before the press: the limit is by the minute.
  while ((await ask()).status !== 429);
  await page.getByRole('button', { name: 'KIỂM TRA NGAY' }).click()
  await expectSaid(page, log, [error('Bạn thao tác quá nhanh. Vui lòng thử lại sau!')])
  await expect(page.getByText('Bạn thao tác quá nhanh. Vui lòng thử lại sau!')).toBeVisible()
  await limited.close()
})

// spec: no-answer
test('no answer: the words for a lost connection, and the form can be sent again', async ({
  page,
  log,
  faulty,
}) => {
  faulty.break(LOGIN, cut)
  await page.goto(`${faulty.url}/login`)
  await sendLogin(page, 'demo01', '1234')
  await expectSaid(page, log, [error(UNREACHABLE)])
  faulty.mend()
  await page.getByRole('button', { name: 'Đăng nhập', exact: true }).click()
  await expect(page).toHaveURL(`${faulty.url}/home`)
})

// spec: 401
test('401: after 0.5 s token and username are removed and the member is at /login', async ({
  page,
  log,
  context,
  faulty,
}) => {
  await openAs(page, 'demo01', faulty.url)
  await expect(claimButton(page, '300')).toBeVisible()
  faulty.break(TAKE, answer({ status_code: 401, message: 'Tài khoản đã đăng nhập ở nơi khác' }, 401))
  await page.clock.pauseAt(A_MINUTE_LATER)
  await claimButton(page, '300').click()
  await page.clock.runFor(1000)
  await expect(toast(page, 'Tài khoản đã đăng nhập ở nơi khác')).toBeVisible()
  await page.clock.runFor(499)
  expect(await sessionCookies(context), 'kept until then').toHaveLength(2)
  await page.clock.runFor(1)
  await expect(page).toHaveURL(`${faulty.url}/login`)
  expect(await sessionCookies(context)).toEqual([])
  await expectSaid(page, log, [error('Tài khoản đã đăng nhập ở nơi khác'), warning(EXPIRED_HOME)])
})

// spec: home-without-token
test('home without a saved token: to /login with the warning, and the page reloads', async ({
  page,
  log,
  stack,
}) => {
  await page.goto('/home')
  await expect(page).toHaveURL(`${stack.url}/login`)
  await expectSaid(page, log, [warning(EXPIRED_HOME)])
  expect(log.loads).toEqual(['/home', '/login'])
  await page.goBack().catch(() => null)
  expect(new URL(page.url()).pathname).not.toBe('/home')
})

// spec: home-with-dead-token
test('home with a token that the server no longer knows: its words, then the warning after the reload', async ({
  page,
  log,
  context,
  stack,
}) => {
  await saveSession(context, stack.url, 'x'.repeat(43), 'demo01')
  await page.goto('/home')
  await expect(page).toHaveURL(`${stack.url}/login`)
  expect(await sessionCookies(context)).toEqual([])
  await expectSaid(page, log, [error(EXPIRED), warning(EXPIRED_HOME)])
  expect(log.loads).toEqual(['/home', '/login'])
})

// spec: missing-token
test('missing token: cookies removed while the page is open', async ({ page, log, context, faulty }) => {
  await openAs(page, 'demo01', faulty.url)
  await expect(card(page, '300')).toBeVisible()
  await context.clearCookies()
  const before = faulty.count()
  await claimButton(page, '300').click()
  await page.clock.fastForward(1000)
  await expect(page).toHaveURL(`${faulty.url}/login`)
  expect(faulty.count(), 'nothing was sent').toBe(before)
  await expectSaid(page, log, [error('Token không tồn tại. Vui lòng đăng nhập lại!')])
})

// spec: crash
test('a crash while rendering: the message instead of the view, once, logged to the console, a way to reload', async ({
  page,
  log,
  faulty,
  expectedErrors,
}) => {
  const logged: string[] = []
  expectedErrors.push(/Objects are not valid as a React child|Minified React error/)
  page.on('console', (message) => message.type() === 'error' && logged.push(message.text()))
  // Breaks the contract, so React cannot render it.
  const mission = { event_code_detail: 'NAP_300', name: { text: 'x' }, code: '', claimed: 2 }
  faulty.break(INFO, answer({ status_code: 200, data: [mission] }))
  await openAs(page, 'demo01', faulty.url)
  await expect(page.getByRole('alert')).toContainText('Đã có lỗi. Vui lòng tải lại trang.')
  await expect(page.getByRole('heading', { name: 'Nhiệm vụ nhận vé' })).toBeHidden()
  // #31: objects are not valid as a React child.
  expect(logged.filter((text) => /React error #31/.test(text))).toHaveLength(1)
  expect(log.toasts, 'nothing else is done').toEqual([])
  faulty.mend()
  await page.getByRole('button', { name: 'Tải lại trang' }).click()
  await expect(card(page, '300')).toBeVisible()
})

// spec: claim-refused
test('a claim that the real server refuses: its message in an error dialog, then the page reloads', async ({
  page,
  log,
  stack,
  guest,
}) => {
  await openAs(page, guest, stack.url)
  const tenDeposits = card(page, '10 lần')
  await expect(tenDeposits.getByRole('button', { name: 'Nhận vé' })).toBeVisible()
  // After the list has loaded, the back office reverses one of the ten deposits.
  const { account: username } = guest
  const reversal = { kind: 'reversal', reverses: `${username}-14`, occurred_at: START }
  await backOffice(stack.url, 'activity', {
    events: [{ source: 'demo', ref: `${username}-undone`, username, ...reversal }],
  })
  await tenDeposits.getByRole('button', { name: 'Nhận vé' }).click()
  await page.clock.fastForward(1000)
  const dialog = page.getByRole('dialog', { name: 'Chưa nhận được vé' })
  await expect(dialog).toContainText('Bạn chưa đủ điều kiện để nhận vé')
  expect(log.loads).toEqual(['/home'])
  await dialog.getByRole('button', { name: 'Đóng' }).last().click()
  await expect.poll(() => log.loads).toEqual(['/home', '/home'])
  await expect(tenDeposits.getByRole('button', { name: 'Chưa Đạt' })).toBeDisabled()
  expect(log.toasts, 'the dialog says it, and nothing else').toEqual([])
})

// spec: wrong-digits
test('wrong digits, by the real server: said once as a toast and once beside the button', async ({
  page,
  log,
  context,
  stack,
}) => {
  await page.goto('/login')
  await sendLogin(page, 'nobody-here', '0000')
  await expectSaid(page, log, [error('Tài khoản hoặc mật khẩu không chính xác!')])
  await expect(page.getByText('Tài khoản hoặc mật khẩu không chính xác!')).toHaveCount(1)
  await expect(page).toHaveURL(`${stack.url}/login`)
  expect(await sessionCookies(context)).toEqual([])
})
