import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { shownMark } from '@anniversary/shared/contract/page-names'
import { chromium } from '@playwright/test'
import { BROWSER_ARGS, requireBrowser } from '../src/browser.ts'
import type { FaultyProxy } from '../src/faulty-proxy.ts'
import { startProcess } from '../src/process.ts'
import { expect, test } from '../src/test.ts'

const HTML = {
  'content-type': 'text/html; charset=utf-8',
  'supports-loading-mode': 'credentialed-prerender',
}

/**
 * A page of the brand that has Chromium render `next`, and presses the link
 * when `/press` is answered.
 */
const campaignPage = (next: string) => `<!doctype html><title>Brand</title><a href="${next}">Go</a>
<script type="speculationrules">{ "prerender": [{ "urls": ["${next}"], "eagerness": "immediate" }] }</script>
<script>
  fetch('/press').then(() => {
    navigator.sendBeacon('/pressed', performance.timeOrigin + performance.now())
    document.querySelector('a').click()
  })
</script>`

/**
 * Opens a page of the site from a page of the brand, once the last of its files
 * is asked for.
 * @returns milliseconds from the press
 */
async function pressFor(faulty: FaultyProxy, path: string, lastFile: RegExp, lastMark: string) {
  const { port } = new URL(faulty.url)
  const next = `http://event.brand.localhost:${port}${path}`
  const earlier = faulty.requests.length
  const requests = () => faulty.requests.slice(earlier)
  const pressed = () => Number(requests().find(({ call }) => call === 'POST /pressed')?.body)
  faulty.break('GET /brand', (_request, response) =>
    response.writeHead(200, HTML).end(campaignPage(next)),
  )
  faulty.hold('GET /press')
  const profile = await mkdtemp(join(tmpdir(), 'campaign-page-'))
  const options = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`]
  const page = `http://www.brand.localhost:${port}/brand`
  // Chromium prerenders nothing for a page with a debugger, such as Playwright.
  const { ready, stop } = await startProcess(
    [requireBrowser(true), ...BROWSER_ARGS, ...options, page],
    {
      cwd: profile,
      ready: /listening on (ws:\S+)/,
    },
  )
  try {
    await expect.poll(() => requests().some(({ path }) => lastFile.test(path))).toBe(true)
    faulty.release()
    await expect.poll(pressed).toBeGreaterThan(0)
    // The page is painted by then, so the debugger changes nothing.
    await new Promise((later) => setTimeout(later, 1000))
    const [context] = (await chromium.connectOverCDP(ready[0] ?? '')).contexts()
    const opened = context?.pages().find((one) => one.url() === next)
    if (!opened) throw new Error(`${next} has not opened`)
    await opened.waitForFunction((name) => performance.getEntriesByName(name).length > 0, lastMark)
    return await opened.evaluate(
      ([lastMark, press]) => {
        const since = (time = Number.NaN) => Math.round(performance.timeOrigin + time - press)
        const startOf = (name: string) => performance.getEntriesByName(name)[0]?.startTime
        const [navigation] = performance.getEntriesByType('navigation')
        // Chromium's, not in TypeScript's DOM library; 0 where the page was not
        // rendered before the press.
        const activated = Reflect.get(navigation ?? {}, 'activationStart') || Number.NaN
        const painted = startOf('first-contentful-paint')
        return {
          activated: since(activated),
          painted: since(painted),
          last: since(startOf(lastMark)),
        }
      },
      [lastMark, pressed()] as const,
    )
  } finally {
    await stop()
    await rm(profile, { recursive: true, force: true })
  }
}

// `npm run bench -- press` is this test.
test('/login, prerendered by a campaign page, is painted before its code starts', {
  tag: '@nightly',
}, async ({ faulty }) => {
  const login = await pressFor(faulty, '/login', /LoginPage\.\w+\.js/, shownMark('mf-auth'))
  expect(login.activated).not.toBeNaN()
  expect(login.last).toBeGreaterThan(login.painted)
  faulty.break('GET /empty', (_request, response) => response.writeHead(200, HTML).end('<p>Empty'))
  const empty = await pressFor(faulty, '/empty', /^\/empty/, 'first-contentful-paint')
  console.log('milliseconds after the press:', { '/login': login, 'a page of one word': empty })
})
