import { enter } from '../src/members.ts'
import type { FaultySite } from '../src/site.ts'
import { expect, expectNoTrace, test } from '../src/test.ts'

/** The embedded page belongs to a third party. Here it attacks. */

/** Tries everything that a framed page can do, and shows the results. */
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
  attempt('own', () => [location.href, document.cookie])
  attempt('dialog', () => { alert('x'); return 'asked' })
  for (const message of [
    { type: 'mega-live:navigate', path: '/stolen' }, { type: 'navigate', to: '/stolen' }, 'ready', null, [],
    { type: 'mega-live:ready', __proto__: { polluted: 1 } }, { type: 'session', token: 'evil' },
    { source: 'react-devtools-bridge' }, { type: 'webpackOk' }, { type: 'mega-live:ready', src: 'javascript:window.pwned=1' },
  ]) attempt('message', () => parent.postMessage(message, '*'))
  addEventListener('message', (event) => { found.heard = (found.heard || '') + JSON.stringify(event.data) })
  setTimeout(() => { document.getElementById('found').textContent = JSON.stringify(found) }, 600)
</script>`

const providerOf = ({ foreign }: FaultySite) => `${foreign.foreignUrl}/live`

test('the embedded page neither navigates the site nor learns anything', async ({
  page,
  context,
  stack,
  site,
  expectedErrors,
}) => {
  expectedErrors.push(/Unsafe attempt|sandbox|Blocked|Failed to navigate|Ignored call to 'alert'/i)
  const { url } = site.proxy
  /** Requests to the provider, with all headers. */
  const heard: string[] = []
  site.foreign.break(/^/, (request, response) => {
    heard.push(JSON.stringify([request.url, request.headers]))
    response.setHeader('content-type', 'text/html; charset=utf-8').end(HOSTILE)
  })
  site.configure({ megaliveUrl: providerOf(site) })
  const token = await enter(context, url, 'demo03')
  const urls: string[] = []
  const said: string[] = []
  const dialogs: string[] = []
  page.on('dialog', (dialog) => {
    dialogs.push(dialog.message())
    void dialog.dismiss()
  })
  page.on('request', (request) => {
    urls.push(request.url(), request.headers().referer ?? '')
    if (request.url().endsWith('/api/reports')) said.push(request.postData() ?? '')
  })
  page.on('console', (message) => said.push(message.text()))

  for (const route of ['/home', '/histories', '/check', '/', '/megalive']) {
    await page.goto(`${url}${route}`, { waitUntil: 'networkidle' })
    urls.push(page.url())
    const kept = () =>
      JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.title, history.state])
    said.push(await page.evaluate(kept))
  }
  const inside = page
    .locator('mega-live')
    .frameLocator('iframe')
    .locator('#found', { hasText: '{' })
  const text = (await inside.textContent()) ?? ''
  said.push(text)
  const found = JSON.parse(text)
  for (const name of ['parent document', 'parent cookie', 'parent storage'])
    expect(found[name]).toBe('SecurityError')
  expect(found).toMatchObject({ referrer: '', name: '' })
  expect(found.heard, 'the embed gets no message').toBeUndefined()
  expect(page.url()).toBe(`${url}/megalive`)
  await expectNoTrace(page)
  expect(dialogs).toEqual([])

  expect(heard.length, 'the provider was asked').toBeGreaterThan(0)
  expect(heard.join(), 'the page as a referrer').not.toContain(url)
  // Without the start-up lines, which name the demo's members.
  const logged = stack
    .output()
    .split('\n')
    .filter((line) => line.startsWith('{'))
  expect(logged.length).toBeGreaterThan(3)
  for (const [where, texts] of Object.entries({ urls, said, heard, logged }))
    expect(texts.join('\n'), `token in ${where}`).not.toContain(token)
  for (const [where, texts] of Object.entries({ urls, heard, logged }))
    expect(texts.join('\n'), `account in ${where}`).not.toContain('demo03')
})
