import type { BrowserContext, Page } from '@playwright/test'
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts'
import { type Guest, takeGuest } from './guests.ts'
import { test as base, expect } from './test.ts'

/** The demo's members. Tests leave them unchanged. */
const DIGITS = { demo01: '1234', demo02: '0042', demo03: '9999' } as const
export type Account = keyof typeof DIGITS

interface Fixtures {
  /** A proxy before the worker's stack, with faults that the test sets. */
  faulty: FaultyProxy
  /** A member for this test alone, without claims. */
  guest: Guest
  /** A guest whom the login asks for an address. */
  newcomer: Guest
}

/** Tests as a member, on the real stack. */
export const test = base.extend<Fixtures>({
  faulty: async ({ stack }, use) => {
    const faulty = await startFaultyProxy(stack.url)
    await use(faulty)
    await faulty.close()
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a destructured first parameter
  guest: async ({}, use) => use(takeGuest(false)),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a destructured first parameter
  newcomer: async ({}, use) => use(takeGuest(true)),
})

export { logIn, sendLogin } from './test.ts'
export { expect }

export const TOKEN_COOKIE = 'anniversary-token'
export const USERNAME_COOKIE = 'anniversary-username'

async function tokenOf(stackUrl: string, username: string, lastBankNumber: string): Promise<string> {
  const answer = await fetch(`${stackUrl}/api/client/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ site: 'ANNIVERSARY', username, lastBankNumber }),
  })
  const { data } = (await answer.json()) as { data: { sign?: string } } // the login's answer (contract/wire.ts)
  if (!data.sign) throw new Error(`${username} could not log in: HTTP ${answer.status}`)
  return data.sign
}

/** Logs a member in without the login page. Resolves with the token. */
export async function enter(
  context: BrowserContext,
  stackUrl: string,
  member: Account | Guest,
): Promise<string> {
  const { account, digits } =
    typeof member === 'string' ? { account: member, digits: DIGITS[member] } : member
  const token = await tokenOf(stackUrl, account, digits)
  await saveSession(context, stackUrl, token, account)
  return token
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

/** Cookies have no port, so they are valid for the stack and for the proxies before it. */
export async function saveSession(
  context: BrowserContext,
  url: string,
  token: string,
  username: string,
): Promise<void> {
  await context.addCookies([
    { name: TOKEN_COOKIE, value: token, url },
    { name: USERNAME_COOKIE, value: username, url },
  ])
}

/** Names of the session cookies that are set. */
export async function sessionCookies(context: BrowserContext): Promise<string[]> {
  const names = (await context.cookies()).map(({ name }) => name)
  return names.filter((name) => name === TOKEN_COOKIE || name === USERNAME_COOKIE)
}

export const card = (page: Page, mission: string | RegExp) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: mission }) })

export const claimButton = (page: Page, mission: string | RegExp) =>
  card(page, mission).getByRole('button', { name: 'Nhận vé' })

export const toasts = (page: Page) => page.getByRole('region', { name: 'Thông báo' }).getByRole('listitem')
export const toast = (page: Page, text: string) => toasts(page).filter({ hasText: text })
