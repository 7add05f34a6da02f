import { BROWSER_ARGS, requireBrowser } from '@anniversary/tools/test/browser'
import { defineConfig } from '@playwright/test'

// The shell has no window to show.
const isHeaded = ['--headed', '--debug', '--ui'].some((option) => process.argv.includes(option))
const executablePath = requireBrowser(console.log, { whole: isHeaded })
// For the workers, which read this file too and need not search again.
process.env.CHROMIUM_PATH = executablePath
// Some of the nightly tests need it; a test is too short to install it.
if (process.env.NIGHTLY) requireBrowser(console.log, { whole: true })

/** End-to-end tests: the built site, the real API, a database of its own for each worker. */
export default defineConfig({
  testDir: '.',
  // *.test.ts beside them are Jest's.
  testMatch: '**/*.spec.ts',
  // For CI's nights: `npm run test:nightly`. CONTRIBUTING.md says what goes there.
  ...(process.env.NIGHTLY ? {} : { grepInvert: /@nightly/ }),
  outputDir: '../test-results/e2e',
  globalSetup: './src/global-setup.ts',
  fullyParallel: false,
  workers: 2,
  // A busy machine can be late for a test; what passed at a later try is named as flaky.
  retries: process.env.CI ? 2 : 0,
  timeout: 45_000,
  expect: { timeout: 10_000 },
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use: {
    locale: 'vi-VN',
    timezoneId: 'Asia/Ho_Chi_Minh',
    viewport: { width: 390, height: 844 },
    trace: 'on-first-retry',
    launchOptions: { executablePath, args: BROWSER_ARGS },
  },
})
