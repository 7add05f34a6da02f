import type { Page } from '@playwright/test'
import { violations } from '../src/axe.ts'
import { type Embed, embedOn, texts } from '../src/embed.ts'
import { FAULTS } from '../src/faults.ts'
import type { Fault } from '../src/faulty-proxy.ts'
import { test as base, expect } from '../src/test.ts'

/**
 * The embed on this site, on the pages of `npm run examples`, on a page with
 * hostile styles, and with a failing provider.
 */

const answer =
  (title: string, body = '', headers = {}): Fault =>
  (_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html; charset=utf-8', ...headers })
      .end(
        `<!doctype html><html lang="vi"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>${body}`,
      )

/** What the provider, a server of another site, answers by path. */
const ANSWERS: Readonly<Record<string, Fault>> = {
  '/xfo': answer('Trang cấm nhúng', '', { 'x-frame-options': 'DENY' }),
  '/500-empty': (_request, response) => response.writeHead(500).end(),
  '/drop': FAULTS.reset,
  // Head and text come, one picture does not: the browser does not fire `load`.
  '/picture': answer(
    'Trang thiếu ảnh',
    `<img src="/gate" alt=""><input id="name">
    <script>onload = () => setTimeout(() => parent.postMessage('ready', '*'))</script>`,
  ),
}

const test = base.extend<{ open(src: string, headers?: object): Promise<Embed> }>({
  /** Opens a page of another origin with one embed. */
  open: async ({ page, stack, faulty }, use) => {
    for (const [path, fault] of Object.entries(ANSWERS)) faulty.break(`GET ${path}`, fault)
    faulty.hold('GET /gate')
    await use(async (src, headers) => {
      const embed = `<script src="${stack.url}/embed/mega-live.js"></script><mega-live src="${new URL(src, faulty.foreignUrl)}" back-href="/"></mega-live>`
      faulty.break('GET /brand', answer('Trang chiến dịch', embed, headers))
      await page.goto(`${faulty.url}/brand`, { waitUntil: 'commit' })
      await embedOn(page).host.waitFor({ state: 'attached' })
      return embedOn(page)
    })
  },
})

// spec: megalive-page
test('/megalive shows the sample page over the whole screen, with a link back', async ({
  page,
  stack,
}) => {
  await page.goto(`${stack.url}/`)
  await page.goto(`${stack.url}/megalive`)
  const embed = embedOn(page)
  await expect(embed.frame.getByRole('heading', { name: texts.sample })).toBeVisible()
  await expect(embed.overlay).toBeHidden()
  await expect(embed.hint).toBeHidden()
  const frame = await page.locator('iframe').boundingBox()
  expect(frame?.width).toBe(390)
  expect((frame?.y ?? 0) + (frame?.height ?? 0)).toBe(844)
  expect(await violations(page)).toEqual([])
  // Its colours are in the picture of this screen.
  await expect(embed.back).toHaveCSS('font-family', /Be Vietnam Pro/)

  await embed.back.click()
  await expect(page).toHaveURL(`${stack.url}/`)
  const script = await (await fetch(`${stack.url}/embed/mega-live.js`)).text()
  expect(script, 'plain ASCII: it survives pages that are not UTF-8').toMatch(/^[\0-\x7f]*$/)
})

/**
 * Further checks of each page, with the paths of the scripts that it loaded
 * from the site.
 */
const PAGES: Readonly<Record<string, (page: Page, scripts: readonly string[]) => Promise<void>>> = {
  'plain.html': async (_page, scripts) => expect(scripts).toEqual(['/embed/mega-live.js']),
  'strict.html': async (page) => {
    const { back } = embedOn(page)
    await expect(back).toHaveCSS('color', 'rgb(142, 202, 230)')
    await expect(back, 'a custom property').toHaveCSS('font-family', 'Georgia, serif')
    await expect(back.locator('..'), 'a part').toHaveCSS('justify-content', 'space-between')
  },
  'react18.html': async (page) => {
    await expect(page.getByRole('heading', { level: 1, name: /React 18\./ })).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: 'sẵn sàng' })).toBeVisible()
  },
  'federated.html': async (page, scripts) => {
    await expect(page.getByRole('heading', { level: 1, name: /React 18\./ })).toBeVisible()
    // Upstream's runtime also preloads a file, which may be a request of its own.
    expect(new Set(scripts).size, 'entry and element').toBe(2)
  },
}

for (const [path, more] of Object.entries(PAGES))
  test(`${path}: the embed loads, can be used, and leads back`, async ({
    page,
    stack,
    examples,
  }) => {
    const scripts: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'script' && request.url().startsWith(stack.url))
        scripts.push(new URL(request.url()).pathname)
    })
    await page.goto(`${examples.pages}/${path}`)
    const embed = embedOn(page)
    await expect(embed.frame.getByRole('heading', { name: texts.sample })).toBeVisible()
    await expect(embed.overlay).toBeHidden()
    await expect(embed.host, 'the page has reported that it is ready').toHaveJSProperty(
      'proven',
      true,
    )
    await more(page, scripts)

    await embed.frame.getByLabel('Họ và tên').fill('Nguyễn Thị Ánh')
    await embed.frame.getByLabel('Số điện thoại').fill('0912345678')
    await embed.frame.getByRole('button', { name: 'Đăng ký theo dõi' }).click()
    await expect(embed.frame.getByText('Trang mẫu: chưa giữ chỗ cho bạn')).toBeVisible()

    await embed.back.click()
    await expect(page).toHaveURL(`${examples.pages}/`)
  })

test('a federated host shows the content of the tag when the remote is switched off', async ({
  page,
  examples,
}) => {
  await page.route('**/composition.json', async (route) => {
    const response = await route.fetch()
    const site = await response.json()
    site.remotes['mf-megalive'].status = 'off'
    await route.fulfill({ response, json: site })
  })
  // By then a remote that is on has loaded.
  await page.goto(`${examples.pages}/federated.html`, { waitUntil: 'networkidle' })
  await expect(page.getByRole('link', { name: 'Trang đăng ký' })).toBeVisible()
  expect(await page.locator('mega-live').evaluate(({ shadowRoot }) => shadowRoot)).toBeNull()
})

test('a federated host shows the content of the tag when the site does not answer', async ({
  page,
  examples,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_FAILED/)
  await page.route('**/composition.json', (route) => route.abort())
  await page.goto(`${examples.pages}/federated.html`)
  await expect(page.getByRole('heading', { name: /React 18/ })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Trang đăng ký' })).toBeVisible()
})

test('the fallback has no object under Trusted Types', async ({
  page,
  examples,
  expectedErrors,
}) => {
  expectedErrors.push(/TrustedScriptURL/)
  await page.clock.install()
  await page.route('**/megalive-sample.html', () => undefined)
  await page.goto(`${examples.pages}/strict.html`, { waitUntil: 'commit' })
  const embed = embedOn(page)
  await expect(embed.overlay).toBeVisible()
  await page.clock.fastForward(10_000)
  await expect(embed.message).toContainText(texts.unsupported)
  await expect(embed.newTab).toBeVisible()
  await expect(embed.object).toHaveCount(0)
})

test('the message keeps its size where the object is forbidden', async ({
  page,
  open,
  expectedErrors,
}) => {
  expectedErrors.push(/object-src/)
  await page.clock.install()
  const embed = await open('/gate', { 'content-security-policy': "object-src 'none'" })
  await page.clock.fastForward(10_000)
  await expect(embed.object).toBeAttached()
  await page.clock.fastForward(1000)
  await expect(embed.message).toHaveAttribute('part', 'message')
})

test('the embed can be used where a strict policy blocks its style', async ({
  page,
  stack,
  examples,
  expectedErrors,
}) => {
  expectedErrors.push(/style-src/)
  // As in Safari before 16.4.
  await page.addInitScript(() => Reflect.deleteProperty(CSSStyleSheet.prototype, 'replaceSync'))
  for (const url of [`${stack.url}/megalive`, `${examples.pages}/strict.html`]) {
    await page.goto(url)
    const { frame, host } = embedOn(page)
    await expect(frame.getByRole('heading', { name: texts.sample })).toBeVisible()
    const size = await host.locator('iframe').boundingBox()
    expect(size?.width, url).toBeGreaterThan(350)
    expect(size?.height, url).toBeGreaterThan(400)
  }
})

test('the embed offers a new tab and a retry when the server refuses or fails', async ({
  open,
  expectedErrors,
}) => {
  expectedErrors.push(/Refused to (display|frame)|Framing .* violates|status of 500|ERR_/)
  for (const src of ['/xfo', '/500-empty', '/drop']) {
    const embed = await open(src)
    await expect(embed.overlay, src).toBeHidden()
    await expect(embed.hint, src).toBeVisible()
    await expect(embed.newTab, src).toBeVisible()
    await expect(embed.frame.getByText('Trang cấm nhúng'), src).toHaveCount(0)
    await embed.retry.click()
    await expect(embed.newTab, src).toBeFocused()
  }
})

test('the page can be used while one of its pictures never ends', async ({
  page,
  faulty,
  open,
}) => {
  await page.clock.install()
  const embed = await open('/picture')
  await expect(embed.overlay).toBeVisible()
  await page.clock.fastForward(10_000)
  await expect(embed.message).toContainText(texts.unsupported)
  // The covered frame and the object's, which is in front.
  const framed = () =>
    page.frames().filter((frame) => frame.url() === `${faulty.foreignUrl}/picture`)
  await expect.poll(() => framed().length).toBe(2)
  const input = framed().at(-1)?.locator('#name') ?? page.locator('none')
  await input.click()
  await page.keyboard.type('Ánh')
  await expect(input).toHaveValue('Ánh')
  faulty.release()
  await expect(embed.message).toBeHidden()
  await expect(embed.host).toHaveJSProperty('proven', true)
  await page.keyboard.type(' Nguyễn')
  await expect(input).toHaveValue('Ánh Nguyễn')
  await expect(embed.object).toBeVisible()
})

test('the embed takes what its neighbours in a flex row leave', async ({ page, open }) => {
  await page.setViewportSize({ width: 800, height: 800 })
  const { host } = await open('/gate')
  await page.addStyleTag({
    content: 'body { display: flex; margin: 0 } mega-live { flex-grow: 1 } h1 { width: 120px }',
  })
  for (const wrap of ['nowrap', 'wrap']) {
    await page.addStyleTag({ content: `body { flex-wrap: ${wrap} }` })
    expect(await host.boundingBox(), wrap).toMatchObject({ x: 120, width: 680 })
  }
})

const LOUD = `
  * { margin: 9px !important; float: left; font: 11px/1 cursive !important; text-transform: uppercase; letter-spacing: 2px;
    color: #00f !important; cursor: wait; direction: rtl; text-align: right; word-break: break-all; visibility: visible }
  a, iframe { position: relative !important; max-width: 300px !important; display: inline !important; opacity: .6 }`

/** Computed styles of the embed's parts. */
const look = ({ back, newTab, host }: Embed) =>
  Promise.all(
    [back, newTab, host.locator('iframe')].map((part) =>
      part.evaluate((element) =>
        [...getComputedStyle(element)].map(
          (name) => `${name}: ${getComputedStyle(element).getPropertyValue(name)}`,
        ),
      ),
    ),
  )

test('styles of the page do not reach the inside of the embed', async ({ page, stack, open }) => {
  const embed = await open(`${stack.url}/megalive-sample.html`)
  await expect(embed.frame.getByRole('heading', { name: texts.sample })).toBeVisible()
  await expect(embed.hint).toBeHidden()
  // The page decides where the embed is placed.
  await page.addStyleTag({
    content: 'mega-live { width: 900px; margin: 0 !important; float: none; clear: both }',
  })
  const before = await look(embed)
  await page.addStyleTag({ content: LOUD })
  await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('font-size', '11px')
  expect(await look(embed)).toEqual(before)
})
