import { test as base, expect, type Page } from '@playwright/test'
import { type Examples, startExamples } from './examples.ts'
import { type Stack, startStack } from './stack.ts'

interface Fixtures {
  /** Console errors and page errors that the test causes on purpose. */
  expectedErrors: RegExp[]
}

/** All worker fixtures are here: tests with other ones would need another worker, with a stack of its own. */
interface WorkerFixtures {
  stack: Stack
  examples: Examples
}

/** Tests against the real stack. An unexpected console error, page error or CSP violation fails the test. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  stack: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a destructured first parameter
    async ({}, use) => {
      const stack = await startStack()
      await use(stack)
      expect(await stack.stop(), 'exit code of the stack').toBe(0)
    },
    { scope: 'worker', timeout: 200_000 },
  ],

  examples: [
    async ({ stack }, use) => {
      const examples = await startExamples(stack.url)
      await use(examples)
      await examples.stop()
    },
    { scope: 'worker', timeout: 200_000 },
  ],

  // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a destructured first parameter
  expectedErrors: async ({}, use) => use([]),

  baseURL: async ({ stack }, use) => use(stack.url),

  page: async ({ page, expectedErrors }, use) => {
    const errors: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' && !/favicon/.test(message.location().url)) errors.push(message.text())
    })
    page.on('pageerror', (error) => errors.push(String(error)))
    await use(page)
    const unexpected = errors.filter((error) => !expectedErrors.some((pattern) => pattern.test(error)))
    expect(unexpected, 'errors on the page').toEqual([])
  },
})

export { expect }

/** Types a login into the open form and sends it. */
export async function sendLogin(page: Page, account: string, digits: string): Promise<void> {
  await page.getByLabel('Tài khoản', { exact: true }).fill(account)
  // The boxes move the focus.
  await page.getByRole('textbox', { name: 'Số thứ 1' }).click()
  await page.keyboard.type(digits)
  await page.getByRole('button', { name: 'Đăng nhập', exact: true }).click()
}

/** Logs a member in by the login page. Tests of other things use `enter`. */
export async function logIn(page: Page, url: string, account: string, digits: string): Promise<void> {
  await page.goto(`${url}/login`)
  await sendLogin(page, account, digits)
}
