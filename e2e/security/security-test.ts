import type { Page } from '@playwright/test'
import { test as base, expect } from '../isolation/isolation-test.ts'

/** Tests that attack the page in the browser. */
export const test = base.extend<{ readonly traces: Awaited<ReturnType<typeof watchTraces>> }>({
  traces: async ({ page }, use) => use(await watchTraces(page)),
})

/** The code that all attacks try to run. */
export const LEAVE_TRACE = 'window.pwned=1'

/** Watches a page from its next load on: signs that foreign code ran, and violations of the page's CSP. */
export async function watchTraces(page: Page) {
  const violations: string[] = []
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  await page.exposeBinding('tellViolation', (_source, text: string) => void violations.push(text))
  await page.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
      // Playwright's binding is not in the page's types.
      (window as never as { tellViolation(text: string): void }).tellViolation(
        `${effectiveDirective} ${blockedURI}`,
      ),
    ),
  )
  return {
    /** Expects that foreign code ran in no frame. */
    async expectNone() {
      const ran = await Promise.all(
        page.frames().map((frame) => frame.evaluate(() => 'pwned' in window).catch(() => false)),
      )
      expect(ran.filter(Boolean), 'frames in which foreign code ran').toEqual([])
      expect(dialogs, 'dialogs').toEqual([])
    },
    /** Violations so far, as `directive blocked-address`. */
    violations,
  }
}

export { shellIsUp } from '../isolation/remotes.ts'
export { expect }

export const ROUTES = ['/', '/login', '/check', '/home', '/histories', '/megalive'] as const
