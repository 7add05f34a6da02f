import { createServer, type Server } from 'node:http'
import { closed, listening } from '../isolation/front.ts'
import { BROWSER_ARGS, requireBrowser } from '../src/find-browser.ts'
import { enter, TOKEN_COOKIE } from '../src/member-test.ts'
import { type Stack, startStack } from '../src/stack.ts'
import { expect, test } from './attack-test.ts'

/** The embedded page belongs to somebody else, and one day it may belong to somebody worse. */

/** Tries all that a framed page can try, and says what came of it. */
const HOSTILE = `<!doctype html><html lang="vi"><title>Trang độc</title><p id="found">…</p>
<form id="top" action="/stolen" target="_top"></form><a id="away" href="/stolen" target="_top">x</a>
<script>
  const found = {}
  const attempt = (name, work) => { try { found[name] = String(work()) } catch (error) { found[name] = error.name } }
  attempt('parent document', () => parent.document.title)
  attempt('parent cookie', () => parent.document.cookie)
  attempt('parent storage', () => parent.localStorage.length)
  attempt('top location', () => { top.location = '/stolen' })
  attempt('top assign', () => top.location.assign('/stolen'))
  attempt('popup', () => open('/stolen'))
  attempt('form', () => document.getElementById('top').submit())
  attempt('link', () => document.getElementById('away').click())
  attempt('referrer', () => document.referrer)
  attempt('name', () => name)
  attempt('dialog', () => { alert('x'); return 'asked' })
  for (const message of [
    { type: 'mega-live:navigate', path: '/stolen' }, { type: 'navigate', to: '/stolen' }, 'ready', null, [],
    { type: 'mega-live:ready', __proto__: { polluted: 1 } }, { type: 'session', token: 'evil' },
    { source: 'react-devtools-bridge' }, { type: 'webpackOk' }, { type: 'mega-live:ready', src: 'javascript:window.pwned=1' },
  ]) attempt('message', () => parent.postMessage(message, '*'))
  addEventListener('message', (event) => { found.heard = (found.heard || '') + JSON.stringify(event.data) })
  setTimeout(() => { document.getElementById('found').textContent = JSON.stringify(found) }, 600)
</script>`

// Playwright switches the popup blocker off; members have it.
test.use({
  launchOptions: {
    executablePath: requireBrowser(console.log),
    args: BROWSER_ARGS,
    ignoreDefaultArgs: ['--disable-popup-blocking'],
  },
})

let provider: Server
let asked: string[]
let stack: Stack

test.beforeAll(async () => {
  asked = []
  provider = createServer((request, response) => {
    asked.push(JSON.stringify([request.url, request.headers]))
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(HOSTILE)
  })
  const port = await listening(provider)
  stack = await startStack({ env: { MEGALIVE_URL: `http://127.0.0.1:${port}/live` } })
})
test.afterAll(async () => {
  await stack.stop()
  await closed(provider)
})

test('it neither moves the page, nor opens windows, nor learns anything', async ({
  page,
  context,
  traces,
  expectedErrors,
}) => {
  expectedErrors.push(/Unsafe attempt|sandbox|Blocked|Failed to navigate|Ignored call to 'alert'/i)
  await enter(context, stack.url, 'demo03')
  const token = (await context.cookies()).find(({ name }) => name === TOKEN_COOKIE)?.value ?? ''
  const opened: string[] = []
  context.on('page', (popup) => opened.push(popup.url()))

  await page.goto(`${stack.url}/megalive`)
  const inside = page.locator('mega-live').frameLocator('iframe').locator('#found', { hasText: '{' })
  const found = JSON.parse((await inside.textContent()) ?? '')
  expect(found['parent document']).toBe('SecurityError')
  expect(found['parent cookie']).toBe('SecurityError')
  expect(found['parent storage']).toBe('SecurityError')
  expect(found.referrer).toBe('')
  expect(found.name).toBe('')
  expect(found.heard, 'nothing is said to the embed').toBeUndefined()

  expect(page.url()).toBe(`${stack.url}/megalive`)
  expect(opened).toEqual([])
  await traces.expectNone()
  expect(await page.evaluate(() => ({}) as Record<string, unknown>)).toEqual({})
  expect(asked.join()).not.toContain(token)
  expect(asked.join()).not.toContain('demo03')
  expect(asked.map((line) => JSON.parse(line)[1].referer).filter(Boolean)).toEqual([])

  await page.getByRole('link', { name: 'Quay về' }).click()
  await expect(page).toHaveURL(`${stack.url}/`)
})
