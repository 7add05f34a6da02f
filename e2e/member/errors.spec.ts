import { claimButton, openAs, sessionCookies, toasts } from '../src/members.ts'
import { expect, test } from '../src/test.ts'

/**
 * Errors that end a session (specification, section 8): host, remote and server
 * together. Unit tests cover the other errors; the texts here are the
 * specification's.
 */

const EXPIRED = 'Phiên đăng nhập đã hết hạn. Vui lòng đăng nhập lại để tiếp tục!'
const EXPIRED_HOME = 'Phiên đăng nhập đã hết hạn. Vui lòng xác minh tại tài khoản để tiếp tục!'

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
  await expect.poll(() => sessionCookies(context)).toEqual([])
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
