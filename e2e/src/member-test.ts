import type { BrowserContext, Page } from '@playwright/test'
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts'
import { BACKOFFICE_KEY } from './stack.ts'
import { test as base, expect } from './test.ts'
import { type ToastLog, watchToasts } from './toast-log.ts'

/** The demo's members. Tests on the worker's own stack change none of them for good. */
export const DIGITS = { demo01: '1234', demo02: '0042', demo03: '9999' } as const
export type Account = keyof typeof DIGITS

interface Fixtures {
  /** A proxy in front of the worker's stack, which misbehaves for the calls that a test names. */
  faulty: FaultyProxy
  /** What the toasts of `page` said, and where it went. */
  log: ToastLog
}

/** Tests of what a member meets: the real stack, behind a proxy that can misbehave. */
export const test = base.extend<Fixtures>({
  faulty: async ({ stack }, use) => {
    const proxy = await startFaultyProxy(stack.url)
    await use(proxy)
    await proxy.close()
  },
  log: async ({ page }, use) => use(await watchToasts(page)),
})

export { expect }

export const TOKEN_COOKIE = 'anniversary-token'
export const USERNAME_COOKIE = 'anniversary-username'

/** Tokens by stack and account: logging in is tested elsewhere, and here it would only take time. */
const tokens = new Map<string, Promise<string>>()

async function tokenOf(stackUrl: string, account: Account): Promise<string> {
  const answer = await fetch(`${stackUrl}/api/client/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ site: 'ANNIVERSARY', username: account, lastBankNumber: DIGITS[account] }),
  })
  const { data } = (await answer.json()) as { data: { sign?: string } } // the login's answer (contract/wire.ts)
  if (!data.sign) throw new Error(`${account} could not log in: HTTP ${answer.status}`)
  return data.sign
}

/** Makes a context a logged-in member's, as if the login had been some time ago. */
export async function enter(context: BrowserContext, stackUrl: string, account: Account): Promise<void> {
  const key = `${stackUrl} ${account}`
  const token = tokens.get(key) ?? tokenOf(stackUrl, account)
  tokens.set(key, token)
  await saveSession(context, stackUrl, await token, account)
}

/** Cookies know no port, so they hold for the stack and for every proxy in front of it. */
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

export const toast = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Thông báo' }).getByRole('listitem').filter({ hasText: text })

export async function fillDigits(page: Page, digits: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Số thứ 1' }).click()
  await page.keyboard.type(digits)
}

/** A call of the back office, repeated while the stack says that it is busy. */
export async function backOffice(stackUrl: string, path: string, body: object): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const { status } = await fetch(`${stackUrl}/api/users/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${BACKOFFICE_KEY}` },
      body: JSON.stringify(body),
    })
    if (status === 200) return
    if (status !== 503 || attempt === 10) throw new Error(`The back office's ${path} was answered ${status}`)
    await new Promise((later) => setTimeout(later, 1000))
  }
}
