import { test as base, expect, type Page } from '@playwright/test'
import { type FaultyProxy, startFaultyProxy } from './faulty-proxy.ts'
import { enter, type Guest, takeGuest } from './members.ts'
import { startProcess } from './process.ts'
import { type FaultySite, startFaultySite } from './site.ts'
import { ROOT, type Stack, startStack } from './stack.ts'

interface Fixtures {
  /** Console errors and page errors that the test causes on purpose. */
  expectedErrors: RegExp[]
  /** A proxy before the worker's stack, with faults that the test sets. */
  faulty: FaultyProxy
  /** A site with faults that the test sets; demo03 is logged in. */
  site: FaultySite
  /** A member for this test alone, without claims. */
  guest: Guest
}

/**
 * All worker fixtures, since tests with different ones would need another
 * worker and stack.
 */
interface WorkerFixtures {
  stack: Stack
  /** The pages of `npm run examples`, which show the embed of this stack. */
  examples: { readonly pages: string }
}

/**
 * Tests against the real stack. An unexpected console error, page error or CSP
 * violation fails the test.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  stack: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a destructured first parameter
    async ({}, use) => {
      const stack = await startStack()
      await use(stack)
      expect(await stack.stop(), 'exit code of the stack').toBe(0)
    },
    { scope: 'worker', timeout: 900_000 },
  ],

  examples: [
    async ({ stack }, use) => {
      const command = [
        `${ROOT}/node_modules/.bin/rspack`,
        'serve',
        '--config',
        'examples/rspack.config.js',
      ]
      const { ready, stop } = await startProcess(command, {
        cwd: `${ROOT}/mf-megalive`,
        env: { PORT: '0', SITE: stack.url },
        ready: /Local:.*?(http:\/\/[\d.]+:\d+)\//,
      })
      await use({ pages: ready[0] ?? '' })
      await stop()
    },
    { scope: 'worker', timeout: 900_000 },
  ],

  baseURL: async ({ stack }, use) => use(stack.url),

  // biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a destructured first parameter
  expectedErrors: async ({}, use) => use([]),

  page: async ({ page, expectedErrors }, use) => {
    const errors: string[] = []
    page.on('console', (message) => {
      if (message.type() === 'error' && !/favicon/.test(message.location().url))
        errors.push(message.text())
    })
    page.on('pageerror', (error) => errors.push(String(error)))
    await use(page)
    const unexpected = errors.filter(
      (error) => !expectedErrors.some((pattern) => pattern.test(error)),
    )
    expect(unexpected, 'errors on the page').toEqual([])
  },

  faulty: async ({ stack }, use) => {
    const faulty = await startFaultyProxy(stack.url)
    await use(faulty)
    await faulty.close()
  },

  site: async ({ stack, context, page, expectedErrors }, use) => {
    // The browser logs broken files. Each test expects the errors of its page's
    // code.
    expectedErrors.push(
      /Failed to load resource|integrity|MIME type|Loading chunk|preload|API cannot load/,
    )
    const site = await startFaultySite(stack)
    await enter(context, stack.url, 'demo03')
    await use(site)
    // Ends open requests before the servers close.
    await page.goto('about:blank')
    await site.close()
  },

  guest: async ({ stack: _ }, use) => use(takeGuest(false)),
})

export { expect }

export const nightlyUnless = (daily: boolean) => (daily ? {} : { tag: '@nightly' })

/** The code that every attack tries to run. */
export const LEAVE_TRACE = 'window.pwned=1'

export async function expectNoTrace(page: Page): Promise<void> {
  const ran = await Promise.all(
    page.frames().map((frame) => frame.evaluate(() => 'pwned' in window).catch(() => false)),
  )
  expect(ran.filter(Boolean), 'frames in which foreign code ran').toEqual([])
}
