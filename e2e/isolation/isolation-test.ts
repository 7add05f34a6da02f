import type { Page } from '@playwright/test'
import { enter } from '../src/member-test.ts'
import { test as base } from '../src/test.ts'
import { prepareBuilds } from './builds.ts'
import { type FaultySite, startFaultySite } from './faulty-site.ts'
import { expect, type Subject } from './remotes.ts'

export { expect }

export const TEXTS = {
  failed: 'Không thể tải phần này',
  off: 'Tạm ngưng phục vụ',
  retry: 'Thử lại',
  crash: 'Đã có lỗi. Vui lòng tải lại trang.',
}

/** Tests on a site that misbehaves, logged in as demo03. */
export const test = base.extend<{ site: FaultySite }>({
  site: [
    async ({ stack, context, page }, use) => {
      await prepareBuilds()
      const site = await startFaultySite(stack)
      await enter(context, stack.url, 'demo03')
      await use(site)
      // Ends open requests before the servers close.
      await page.goto('about:blank')
      await site.close()
    },
    { timeout: 240_000 },
  ],

  // The browser logs broken files. What a page's code throws, its test expects.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a destructured first parameter
  expectedErrors: async ({}, use) =>
    use([/Failed to load resource|integrity|MIME type|Loading chunk|preload/]),
})

/** Tells the matrix reporter which cell a test is. */
export function inMatrix(row: string, { remote }: { readonly remote: string }): void {
  test.info().annotations.push({ type: 'cell', description: JSON.stringify({ row, column: remote }) })
  test.setTimeout(90_000)
}

export const failedCard = (page: Page) => page.getByRole('alert').filter({ hasText: TEXTS.failed })
export const crashText = (page: Page) => page.getByRole('alert').filter({ hasText: TEXTS.crash })

/** Around the broken part the layout shows, and hung requests have not used up the connections. */
export async function expectTheRestLives(page: Page, { layout }: Subject): Promise<void> {
  if (layout) await expect(page.getByRole('banner').getByRole('img')).toBeVisible()
  const answered = page.evaluate(async () => (await fetch('/api/client/info')).status)
  expect(await answered, 'status of a call without a token, while the part is broken').toBe(401)
}
