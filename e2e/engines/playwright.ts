import { createHash } from 'node:crypto'
import type { BrowserContext, Page } from '@playwright/test'
import { firefox } from 'playwright-firefox-esr'
import { launchWhole } from '../src/browser.ts'
import { callOf, type Driver, reportViolations, type Size } from './driver.ts'

/** Firefox's words for what leaving a page has cut short: a script is not the published one, a typeface has failed. */
const CUT_SHORT = [createHash('sha384').digest('base64'), 'status=2152398850'] // of nothing; NS_BINDING_ABORTED

/** The stock browser over WebDriver BiDi, of which Playwright 1.65 calls a command that Firefox ESR 153 does not know. */
const startFirefox = (executablePath: string) =>
  firefox.launch({
    executablePath,
    channel: 'moz-firefox',
    // With processes of their own, frames of other sites get no input. Scrollbars are a phone's, which take no room.
    firefoxUserPrefs: { 'fission.autostart': false, 'ui.useOverlayScrollbars': 1 },
  })

export async function startPlaywright(
  engine: 'chromium' | 'firefox',
  executablePath: string,
  viewport: Size,
): Promise<Driver> {
  const browser = await (engine === 'firefox' ? startFirefox(executablePath) : launchWhole())
  const options = { viewport, locale: 'vi-VN', timezoneId: 'Asia/Ho_Chi_Minh' }
  // Both packages declare the same classes.
  const context = (await browser.newContext(options)) as BrowserContext
  await context.addInitScript(reportViolations)
  const problems: string[] = []
  context.on('page', (opened) => {
    const note = (text: string, url = '') => {
      // The examples have no icon, for which browsers ask by themselves.
      if (/favicon/.test(text + url) || CUT_SHORT.some((words) => text.includes(words))) return
      problems.push(text)
    }
    opened.on('console', (message) => {
      if (message.type() === 'error') note(message.text(), message.location().url)
    })
    opened.on('pageerror', (error) => note(String(error)))
  })
  const first = await context.newPage()
  let page: Page = first

  return {
    goto: async (url) => void (await page.goto(url, { waitUntil: 'commit' })),
    evaluate: (run, ...args) => page.evaluate(callOf(run, args)),
    click: (x, y) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    press: (keys) => page.keyboard.press(keys),
    screenshot: async () => {
      // Firefox's screenshot adds a style, which the policy reports.
      const before = problems.length
      const picture = await page.screenshot({ caret: 'initial' })
      problems.length = before
      return picture
    },
    async openTab(url) {
      page = await context.newPage()
      await page.goto(url, { waitUntil: 'commit' })
    },
    async closeTab() {
      await page.close()
      page = first
      await page.bringToFront()
    },
    takeProblems: () => problems.splice(0),
    stop: () => browser.close(),
  }
}
