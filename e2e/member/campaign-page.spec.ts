import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { BROWSER_ARGS, requireBrowser } from '../src/browser.ts'
import { startProcess } from '../src/process.ts'
import { serve } from '../src/server.ts'
import { expect, test } from '../src/test.ts'

const LOADING_MODE = { 'supports-loading-mode': 'credentialed-prerender' }
const HTML = { 'content-type': 'text/html; charset=utf-8', ...LOADING_MODE }

/** A page of the brand that has Chromium render `next`, and presses the link when `/press` is answered. */
const campaignPage = (next: string) => `<!doctype html><title>Brand</title><a href="${next}">Go</a>
<script type="speculationrules">{ "prerender": [{ "urls": ["${next}"], "eagerness": "immediate" }] }</script>
<script>
  fetch('/press').then(() => {
    navigator.sendBeacon('/pressed', performance.timeOrigin + performance.now())
    document.querySelector('a').click()
  })
</script>`

/** @param isReady resolves when the browser has rendered `next`. @returns milliseconds from the press, as `next` tells them */
async function pressFor(next: string, isReady: () => Promise<void>) {
  let pressed = Number.NaN
  let press = () => {}
  const pressing = new Promise<void>((resolve) => {
    press = resolve
  })
  const brand = await serve((request, response) => {
    if (request.url === '/press') void pressing.then(() => response.end())
    else if (request.url === '/pressed')
      request.on('data', (text) => {
        pressed = Number(text)
        response.end()
      })
    else response.writeHead(200, HTML).end(campaignPage(next))
  })
  const profile = await mkdtemp(join(tmpdir(), 'campaign-page-'))
  const args = ['--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`]
  const page = `http://www.brand.localhost:${brand.port}`
  // Chromium renders nothing ahead for a page that a debugger, so also Playwright, is attached to.
  const { ready, stop } = await startProcess([requireBrowser(true), ...BROWSER_ARGS, ...args, page], {
    cwd: profile,
    ready: /listening on (ws:\S+)/,
  })
  try {
    await isReady()
    press()
    await expect.poll(() => pressed).toBeGreaterThan(0)
    await new Promise((later) => setTimeout(later, 2000))
    const browser = await chromium.connectOverCDP(ready[0] ?? '')
    const [opened] = (browser.contexts()[0]?.pages() ?? []).filter((one) => one.url() === next)
    const times = await opened?.evaluate(() => {
      const at = (name: string) => performance.getEntriesByName(name)[0]?.startTime ?? Number.NaN
      const [navigation] = performance.getEntriesByType('navigation')
      return {
        origin: performance.timeOrigin,
        // Chromium's; not in TypeScript's DOM library.
        activated: Number(Reflect.get(navigation ?? {}, 'activationStart')),
        painted: at('first-contentful-paint'),
        started: at('remote:mf-auth:shown'),
      }
    })
    if (!times?.activated) throw new Error(`${next} was not rendered before the press`)
    const since = (time: number) => Math.round(times.origin + time - pressed)
    return { activated: since(times.activated), painted: since(times.painted), started: since(times.started) }
  } finally {
    await stop()
    await brand.close()
    await rm(profile, { recursive: true, force: true })
  }
}

// `npm run bench:press` is this test.
test('/login, rendered before the press on a campaign page, is painted, then starts', {
  tag: '@nightly',
}, async ({ faulty }) => {
  const { port } = new URL(faulty.url)
  const isLoaded = () => faulty.requests.some(({ path }) => /LoginPage\.\w+\.js/.test(path))
  const login = await pressFor(`http://event.brand.localhost:${port}/login`, () =>
    expect.poll(isLoaded).toBe(true),
  )
  expect(login.started).toBeGreaterThan(login.painted)

  let asked = false
  const empty = await serve((_request, response) => {
    asked = true
    response.writeHead(200, HTML).end('<!doctype html><title>Empty</title><p>Empty')
  })
  const nothing = await pressFor(`http://event.brand.localhost:${empty.port}/`, () =>
    expect.poll(() => asked).toBe(true),
  )
  await empty.close()
  console.log('milliseconds after the press:', { login, 'a page of one word': nothing })
})
