import type { BrowserContext, Page } from '@playwright/test'
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts'
import { type Guest, takeGuest } from './guests.ts'
import { test as base, expect } from './test.ts'
import { type ToastLog, watchToasts } from './toast-log.ts'

/** The demo's members. Tests on the worker's own stack change none of them for good. */
const DIGITS = { demo01: '1234', demo02: '0042', demo03: '9999' } as const
export type Account = keyof typeof DIGITS

interface Fixtures {
  /** A server between the browser and the worker's stack, which misbehaves where the test says so. */
  faulty: FaultyProxy
  /** What the toasts of `page` said, and where it went. */
  log: ToastLog
  /** A member of this test's own, who has claimed nothing yet. */
  guest: Guest
  /** The same, whom the login asks for an address. */
  newcomer: Guest
}

/** Tests of what a member meets: the real stack, behind a faulty that can misbehave. */
export const test = base.extend<Fixtures>({
  faulty: async ({ stack }, use) => {
    const faulty = await startFaultyProxy(stack.url)
    await use(faulty)
    await faulty.close()
  },
  log: async ({ page }, use) => use(await watchToasts(page)),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a destructured first parameter
  guest: async ({}, use) => use(takeGuest(false)),
  // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a destructured first parameter
  newcomer: async ({}, use) => use(takeGuest(true)),
})

export { fillDigits, logIn, sendLogin } from './test.ts'
export { expect }

export const TOKEN_COOKIE = 'anniversary-token'
export const USERNAME_COOKIE = 'anniversary-username'

/** Tokens by stack and account: logging in is tested elsewhere, and here it would only take time. */
const tokens = new Map<string, Promise<string>>()

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

/** Makes a context a logged-in member's, as if the login had been some time ago. Resolves with the token. */
export async function enter(
  context: BrowserContext,
  stackUrl: string,
  member: Account | Guest,
): Promise<string> {
  const { account, digits } =
    typeof member === 'string' ? { account: member, digits: DIGITS[member] } : member
  const key = `${stackUrl} ${account}`
  const token = tokens.get(key) ?? tokenOf(stackUrl, account, digits)
  tokens.set(key, token)
  await saveSession(context, stackUrl, await token, account)
  return token
}

/** Cookies know no port, so they hold for the stack and for every faulty in front of it. */
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

/** Names of the cookies of a session that are still there. */
export async function sessionCookies(context: BrowserContext): Promise<string[]> {
  const names = (await context.cookies()).map(({ name }) => name)
  return names.filter((name) => name === TOKEN_COOKIE || name === USERNAME_COOKIE)
}

export const card = (page: Page, mission: string | RegExp) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: mission }) })

export const claimButton = (page: Page, mission: string | RegExp) =>
  card(page, mission).getByRole('button', { name: 'Nhận vé' })

export const toast = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Thông báo' }).getByRole('listitem').filter({ hasText: text })
