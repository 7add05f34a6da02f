import { launchChromium } from '../src/browser.ts'
import { COMPOSITION } from '../src/faulty-proxy.ts'
import { enter, landingLink, sendLogin, takenOver } from '../src/members.ts'
import { expect, test } from '../src/test.ts'

/**
 * Browsers with other settings: no scripts, no cookies and storage, an input
 * method, the back-forward cache.
 */

test('a browser without scripts is told that the page needs them', async ({ browser, stack }) => {
  const page = await browser.newPage({ javaScriptEnabled: false })
  await page.goto(`${stack.url}/login`)
  // Playwright finds no text inside <noscript>.
  const message = page.locator('noscript p')
  await expect(message).toHaveText(/bật JavaScript/)
  await expect(message).toBeInViewport()
  await page.close()
})

test('public screens work without cookies and storage, and the login says what to allow', async ({
  page,
  stack,
}) => {
  // As Chromium does where a member blocks cookies.
  await page.addInitScript(() => {
    const denied = {
      get: () => {
        throw new DOMException('Access is denied for this document.', 'SecurityError')
      },
    }
    Object.defineProperties(window, { sessionStorage: denied, localStorage: denied })
    Object.defineProperty(document, 'cookie', { get: () => '', set: () => undefined })
  })
  await page.goto(stack.url)
  await landingLink(page).click()
  await sendLogin(page, 'demo01', '1234')
  await expect(page.getByText(/đang chặn cookie.*cho phép cookie/).first()).toBeVisible()
  await expect(page).toHaveURL(`${stack.url}/login`)
  for (const path of ['/home', '/check', '/megalive']) {
    await page.goto(stack.url + path)
    await takenOver(page)
  }
})

test('a connection that is to be saved gets no typeface and no files ahead', async ({
  page,
  faulty,
}) => {
  await page.addInitScript(() =>
    Object.defineProperty(navigator, 'connection', { value: { saveData: true } }),
  )
  await page.clock.install()
  await page.goto(`${faulty.url}/login`)
  const matching = (pattern: RegExp) => () =>
    faulty.requests.map(({ path }) => path).filter((path) => pattern.test(path))
  // What other pages depend on does come.
  await expect.poll(matching(COMPOSITION)).toHaveLength(1)
  await page.clock.runFor(10_000)
  // Arrives after what those seconds have requested.
  await page.evaluate(() => fetch('/composition.json'))
  expect(matching(/woff2|mf-missions|router|rules/)()).toEqual([])
})

// Typing, digits, the one login and code that never comes are steps of
// engines/steps.ts, in every engine.
test('a word composed while the code loads is kept', async ({ page, faulty }) => {
  // The largest script, without which nothing hydrates, and style files of the
  // first view.
  faulty.hold(/\/(vendor\.[^/]*\.js|(main|\w+Page)\.[^/]*\.css)/)
  await page.goto(`${faulty.url}/check`, { waitUntil: 'commit' })
  // Its remote's rule, with the host's `--accent` on paper.
  await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('color', 'rgb(134, 21, 34)')
  const field = page.getByLabel('Nội dung kiểm tra')
  await field.click()
  const session = await page.context().newCDPSession(page)
  const compose = (text: string) =>
    session.send('Input.imeSetComposition', {
      text,
      selectionStart: text.length,
      selectionEnd: text.length,
    })
  await compose('Nguye')
  faulty.release()
  await takenOver(page)
  await compose('Nguyê')
  await session.send('Input.insertText', { text: 'Nguyễn' })
  await expect(field).toHaveValue('Nguyễn')
})

test('the back-forward cache keeps every page', { tag: '@nightly' }, async ({ stack }) => {
  // Playwright disables the cache by this flag.
  const browser = await launchChromium({
    whole: true,
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  try {
    const context = await browser.newContext()
    await enter(context, stack.url, 'demo01')
    const page = await context.newPage()
    for (const path of ['/', '/megalive', '/login', '/check', '/home', '/histories']) {
      await page.goto(stack.url + path)
      await page.waitForLoadState('networkidle')
      await page.evaluate(() => Object.assign(window, { kept: true }))
      await page.goto(`${stack.url}/megalive-sample.html`)
      // Later than the answer, which going back would cut off.
      await page.evaluate(() => void setTimeout(() => history.back()))
      await expect(page).toHaveURL(stack.url + path)
      const restored = await page.evaluate(() => ({
        kept: Reflect.get(window, 'kept'),
        reasons: performance
          .getEntriesByType('navigation')
          // TypeScript's library lacks it:
          // https://developer.mozilla.org/docs/Web/API/PerformanceNavigationTiming/notRestoredReasons
          .flatMap((entry) => Reflect.get(entry, 'notRestoredReasons')?.reasons ?? []),
      }))
      expect(restored, path).toEqual({ kept: true, reasons: [] })
    }
  } finally {
    await browser.close()
  }
})
