import type { Page } from '@playwright/test'
import { enter } from '../src/member-test.ts'
import { test as base } from '../src/test.ts'
import { prepareBuilds } from './builds.ts'
import { type FaultySite, startFaultySite } from './faulty-site.ts'
import { patient as expect, type Subject } from './remotes.ts'

export { expect }

export const TEXTS = {
  failed: 'Không thể tải phần này',
  off: 'Tạm ngưng phục vụ',
  retry: 'Thử lại',
  crash: 'Đã có lỗi. Vui lòng tải lại trang.',
}

/** Tests on a site that misbehaves, as a member who has claimed everything. */
export const test = base.extend<{ site: FaultySite }>({
  site: [
    async ({ stack, context, page }, use) => {
      await prepareBuilds()
      const site = await startFaultySite(stack.url)
      await enter(context, stack.url, 'demo03')
      await use(site)
      // Its requests end before the servers do.
      await page.goto('about:blank')
      await site.close()
    },
    { timeout: 240_000 },
  ],

  // A broken part makes the browser say so. What a page's own code throws is asked for in its test.
  // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a destructured first parameter
  expectedErrors: async ({}, use) =>
    use([/Failed to load resource|integrity|MIME type|Loading chunk|preload/]),
})

/** A cell of the matrix, for its reporter. */
export function inMatrix(row: string, { remote }: { readonly remote: string }): void {
  test.info().annotations.push({ type: 'cell', description: JSON.stringify({ row, column: remote }) })
  test.setTimeout(90_000)
}

export const failedCard = (page: Page) => page.getByRole('alert').filter({ hasText: TEXTS.failed })
export const crashText = (page: Page) => page.getByRole('alert').filter({ hasText: TEXTS.crash })

/** What is around the broken part lives: the layout, and the network, which hung requests must not use up. */
export async function expectTheRestLives(page: Page, { layout }: Subject): Promise<void> {
  if (layout) await expect(page.getByRole('banner').getByRole('img')).toBeVisible()
  const answered = page.evaluate(async () => (await fetch('/api/client/info')).status)
  expect(await answered, 'status of a call without a token, while the part is broken').toBe(401)
}
