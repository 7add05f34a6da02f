import { createServer } from 'node:http'
import { closed, listening } from '../isolation/front.ts'
import { expect, ROUTES, test } from './attack-test.ts'

/** What every answer says about itself: framing, types, transport, referrers, powers. */

const policyOf = (text: string): Map<string, string[]> =>
  new Map(
    text.split('; ').map((directive) => {
      const [name = '', ...sources] = directive.split(' ')
      return [name, sources]
    }),
  )

for (const route of [...ROUTES, '/nowhere'])
  test(`headers of ${route}`, async ({ stack }) => {
    const { headers } = await fetch(`${stack.url}${route}`)
    const csp = policyOf(headers.get('content-security-policy') ?? '')
    const is = (name: string) => csp.get(name)?.join(' ')
    expect(is('default-src')).toBe("'none'")
    expect(is('script-src')).toBe("'self'")
    expect(is('style-src')).toBe("'self'")
    expect(is('frame-src')).toBe("'self'")
    expect(is('object-src')).toBe("'self'")
    expect(is('frame-ancestors')).toBe("'none'")
    expect(is('base-uri')).toBe("'none'")
    expect(is('form-action')).toBe("'self'")
    expect(is('require-trusted-types-for')).toBe("'script'")
    expect([...csp.values()].flat().filter((source) => /unsafe|\*|^https?:$/.test(source))).toEqual([])
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    expect(headers.get('referrer-policy')).toBe('strict-origin-when-cross-origin')
    expect(headers.get('permissions-policy')).toMatch(/camera=\(\).*geolocation=\(\)/)
    expect(headers.get('strict-transport-security'), 'over http').toBeNull()
    const secure = await fetch(`${stack.url}${route}`, { headers: { 'x-forwarded-proto': 'https' } })
    expect(secure.headers.get('strict-transport-security')).toMatch(/max-age=31536000/)
  })

test('every file of a page forbids guessing its type', async ({ page, stack }) => {
  const guesses: string[] = []
  page.on('response', (response) => {
    if (response.headers()['x-content-type-options'] !== 'nosniff' && !response.url().startsWith('data:'))
      guesses.push(response.url())
  })
  for (const route of ROUTES) await page.goto(`${stack.url}${route}`, { waitUntil: 'networkidle' })
  expect(guesses).toEqual([])
})

test('no page of the site stands in a frame of another', async ({ page, stack, expectedErrors }) => {
  expectedErrors.push(/frame|X-Frame-Options|Refused to display/)
  const frames = ROUTES.map((route) => `<iframe src="${stack.url}${route}"></iframe>`).join('')
  const foreign = createServer((_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><title>Bẫy</title>${frames}<object data="${stack.url}/login"></object>`),
  )
  const port = await listening(foreign)
  try {
    await page.goto(`http://127.0.0.1:${port}/`, { waitUntil: 'networkidle' })
    const shown = await Promise.all(
      page
        .frames()
        .slice(1)
        .map(async (frame) => await frame.locator('#root').count()),
    )
    expect(shown.length).toBeGreaterThanOrEqual(ROUTES.length)
    expect(shown.filter(Boolean)).toEqual([])
  } finally {
    await closed(foreign)
  }
})

test('the site does not stand in a frame of its own either', async ({ page, stack, expectedErrors }) => {
  expectedErrors.push(/frame|X-Frame-Options|Refused to display/)
  await page.goto(`${stack.url}/megalive`)
  await page.evaluate(() => {
    const frame = document.createElement('iframe')
    frame.src = '/login'
    frame.name = 'own'
    document.body.append(frame)
  })
  await page.waitForTimeout(500)
  expect(await page.frame({ name: 'own' })?.locator('#root').count()).toBe(0)
})

test('a window that opened the site has no hold on it', async ({ page, stack }) => {
  const opener = createServer((_request, response) =>
    response
      .writeHead(200, { 'content-type': 'text/html' })
      .end(`<!doctype html><button onclick="window.w = window.open('${stack.url}/login')">Mở</button>`),
  )
  const port = await listening(opener)
  try {
    await page.goto(`http://127.0.0.1:${port}/`)
    await page.getByRole('button').click()
    // Once the site's page is there, its opener sees a window that is gone.
    await expect.poll(() => page.evaluate(() => (window as never as { w: Window }).w.closed)).toBe(true)
  } finally {
    await closed(opener)
  }
})
