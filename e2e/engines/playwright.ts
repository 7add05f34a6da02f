import { createHash } from 'node:crypto'
import { BROWSER_ARGS } from '@anniversary/tools/test/browser'
import { type BrowserContext, chromium, type Page } from '@playwright/test'
import { firefox } from 'playwright-firefox-esr'
import { callOf, type Driver, reportViolations } from './driver.ts'

/** Firefox says that a script is not the published one when leaving the page has cut its request short. */
const HASH_OF_NOTHING = createHash('sha384').digest('base64')

/**
 * Chromium, and Firefox over WebDriver BiDi: the stock browser. Playwright 1.65 calls a BiDi command that Firefox ESR 153
 * does not know, so Firefox has an older one of its own.
 */
export async function startPlaywright(
  engine: 'chromium' | 'firefox',
  executablePath: string,
): Promise<Driver> {
  const options = { locale: 'vi-VN', timezoneId: 'Asia/Ho_Chi_Minh' }
  const browser =
    engine === 'chromium'
      ? await chromium.launch({ executablePath, args: BROWSER_ARGS })
      : await firefox.launch({
          executablePath,
          channel: 'moz-firefox',
          // With processes of their own, frames of other sites get no input.
          firefoxUserPrefs: { 'fission.autostart': false },
        })
  // Both packages declare the same classes.
  const context = (await browser.newContext(options)) as BrowserContext
  await context.addInitScript(reportViolations)
  const problems: string[] = []
  const tabs: Page[] = []
  const page = () => {
    const last = tabs.at(-1)
    if (!last) throw new Error('no tab is open')
    return last
  }
  const open = async () => {
    const opened = await context.newPage()
    const note = (text: string, url = '') => {
      if (!text.includes(HASH_OF_NOTHING) && !/favicon/.test(text + url)) problems.push(text)
    }
    opened.on('console', (message) => {
      if (message.type() === 'error') note(message.text(), message.location().url)
    })
    opened.on('pageerror', (error) => note(String(error)))
    tabs.push(opened)
  }
  await open()

  return {
    engine,
    version: browser.version(),
    goto: async (url) => void (await page().goto(url, { waitUntil: 'commit' })),
    evaluate: (run, ...args) => page().evaluate(callOf(run, args)),
    evaluateInFrame: (run) => {
      const [, frame] = page().frames()
      if (!frame) throw new Error('the page has no frame')
      return frame.evaluate(callOf(run, []))
    },
    click: (x, y) => page().mouse.click(x, y),
    type: (text) => page().keyboard.type(text),
    pressEscape: () => page().keyboard.press('Escape'),
    resize: (width, height) => page().setViewportSize({ width, height }),
    screenshot: async () => {
      // Firefox's screenshot adds a style, which the policy reports.
      const before = problems.length
      const picture = await page().screenshot({ caret: 'initial' })
      problems.length = before
      return picture
    },
    async openTab(url) {
      const size = page().viewportSize()
      await open()
      if (size) await page().setViewportSize(size)
      await page().goto(url)
    },
    async closeTab() {
      await tabs.pop()?.close()
      await page().bringToFront()
    },
    takeProblems: () => problems.splice(0),
    stop: () => browser.close(),
  }
}
