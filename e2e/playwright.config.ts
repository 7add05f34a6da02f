import { defineConfig } from '@playwright/test'
import { BROWSER_ARGS, requireBrowser } from './src/browser.ts'

// The headless shell cannot show a window.
const isHeaded = ['--headed', '--debug', '--ui'].some((option) => process.argv.includes(option))
const executablePath = requireBrowser(isHeaded)
// For the workers, which read this file too and need not search again.
process.env.CHROMIUM_PATH = executablePath
// Some of the nightly tests need it; a test is too short to install it.
if (process.env.NIGHTLY) requireBrowser(true)

/**
 * End-to-end tests: the built site, the real API, a database of its own for
 * each worker.
 */
export default defineConfig({
  testDir: '.',
  // `npm run test:nightly` runs these too. CONTRIBUTING.md says what goes
  // there.
  ...(process.env.NIGHTLY ? {} : { grepInvert: /@nightly/ }),
  outputDir: '../test-results/e2e',
  globalSetup: './src/global-setup.ts',
  fullyParallel: true,
  // Half of the time, a page waits for a timer, a file or a server.
  workers: 4,
  // These limits only end a test that hangs: a busy machine makes none red.
  timeout: 900_000,
  expect: {
    timeout: 60_000,
    // Renews every picture that has changed; visual/compare.ts compares.
    toMatchSnapshot: { threshold: 0, maxDiffPixels: 0 },
  },
  snapshotPathTemplate: '../docs/screens/{arg}{ext}',
  forbidOnly: Boolean(process.env.CI),
  reporter: 'list',
  use: {
    locale: 'vi-VN',
    timezoneId: 'Asia/Ho_Chi_Minh',
    viewport: { width: 390, height: 844 },
    trace: process.env.CI ? 'retain-on-failure' : 'off',
    launchOptions: { executablePath, args: BROWSER_ARGS },
  },
})
