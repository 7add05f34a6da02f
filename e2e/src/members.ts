import { ATTRIBUTES, COOKIES, IDS } from '@anniversary/shared/contract/page-names'
import { PRERENDERED } from '@anniversary/shared/contract/prerendered'
import { type BrowserContext, expect, type Page } from '@playwright/test'

/** The demo's members. Tests leave them unchanged. */
const DIGITS = { demo01: '1234', demo02: '0042', demo03: '9999' } as const
export type Account = keyof typeof DIGITS

/**
 * Members for one test each, which may claim tickets: in every stack, with the
 * activity of demo01.
 */
export const GUESTS = Array.from({ length: 30 }, (_, index) => ({
  account: `guest${index + 1}`,
  digits: '2468',
  /** The login asks for an address. */
  needsAddress: index >= 20,
}))
export type Guest = (typeof GUESTS)[number]

const taken = new Set<string>()

/** Returns a guest of this worker's stack that no other test uses. */
export function takeGuest(needsAddress: boolean): Guest {
  const free = GUESTS.find(
    (guest) => guest.needsAddress === needsAddress && !taken.has(guest.account),
  )
  if (!free) throw new Error('All guests are taken: make more')
  taken.add(free.account)
  return free
}

/** Logs a member in without the login page. Resolves with the token. */
export async function enter(
  context: BrowserContext,
  stackUrl: string,
  member: Account | Guest,
): Promise<string> {
  const { account, digits } =
    typeof member === 'string' ? { account: member, digits: DIGITS[member] } : member
  const answer = await fetch(`${stackUrl}/api/client/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ site: 'ANNIVERSARY', username: account, lastBankNumber: digits }),
  })
  const { data } = (await answer.json()) as { data: { sign?: string } } // the login's answer (contract/wire.ts)
  if (!data.sign) throw new Error(`${account} could not log in: HTTP ${answer.status}`)
  await saveSession(context, stackUrl, data.sign, account)
  return data.sign
}

/** Opens a page of the app as this member. Resolves with the token. */
export async function openAs(
  page: Page,
  member: Account | Guest,
  url: string,
  path = '/home',
): Promise<string> {
  const token = await enter(page.context(), url, member)
  await page.goto(url + path)
  return token
}

/**
 * Cookies have no port, so they are valid for the stack and for the proxies
 * before it.
 */
export const saveSession = (
  context: BrowserContext,
  url: string,
  token: string,
  username: string,
) =>
  context.addCookies([
    { name: COOKIES.token, value: token, url },
    { name: COOKIES.username, value: username, url },
  ])

/** Poll for what you expect: Chromium stores the cookies that a page changes later. */
export async function sessionCookies(context: BrowserContext): Promise<string[]> {
  const names = (await context.cookies()).map(({ name }) => name)
  return names.filter((name) => name === COOKIES.token || name === COOKIES.username)
}

/** Types a login into the open form and sends it. */
export async function sendLogin(page: Page, account: string, digits: string): Promise<void> {
  await page.getByLabel('Tài khoản', { exact: true }).fill(account)
  // The boxes move the focus.
  await page.getByRole('textbox', { name: 'Chữ số thứ 1' }).click()
  await page.keyboard.type(digits)
  await loginButton(page).click()
}

/**
 * Logs a member in through the login page. Tests of other things use `enter`.
 */
export async function logIn(
  page: Page,
  url: string,
  account: string,
  digits: string,
): Promise<void> {
  await page.goto(`${url}/login`)
  await sendLogin(page, account, digits)
}

/** Names of common controls; `toLogin` is on the landing page. */
export const names = { login: 'Đăng nhập', toLogin: 'Đăng nhập nhận vé' }
export const loginHeading = (page: Page) => page.getByRole('heading', { name: names.login })
export const loginButton = (page: Page) =>
  page.getByRole('button', { name: names.login, exact: true })
export const landingLink = (page: Page) => page.getByRole('link', { name: names.toLogin })

export const card = (page: Page, mission: string | RegExp) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: mission }) })

export const claimButton = (page: Page, mission: string | RegExp) =>
  card(page, mission).getByRole('button', { name: 'Nhận vé' })

export const toasts = (page: Page) =>
  page.getByRole('region', { name: 'Thông báo' }).getByRole('listitem')
export const toast = (page: Page, text: string) => toasts(page).filter({ hasText: text })

/** Waits until the shell has hydrated. */
export const shellIsUp = (page: Page) =>
  expect(page.getByRole('region', { name: 'Thông báo' })).toBeAttached()

/**
 * Waits for the router, so that the next link needs no page load. It loads with
 * the first hovered link.
 */
export async function routerIsUp(page: Page): Promise<void> {
  await page.evaluate(() => {
    const link = document.body.appendChild(document.createElement('a'))
    link.href = '#'
    link.dispatchEvent(new Event('pointerover', { bubbles: true }))
    link.remove()
  })
  await expect(page.locator(`[${ATTRIBUTES.routerReady}]`)).toBeAttached()
}

/**
 * Waits until the page has hydrated. Before, its prerendered HTML shows and
 * keeps what is typed.
 */
export const takenOver = (page: Page) =>
  expect(page.locator(`#${IDS.appRoot}:not([${PRERENDERED}])`)).toBeAttached()
