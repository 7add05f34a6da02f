import { servePage } from '../src/server.ts'
import { expect, ROUTES, test } from './security-test.ts'

/** Security headers of every answer. */

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
  for (const route of ROUTES) await page.goto(`${stack.url}${route}`)
  expect(guesses).toEqual([])
})

test('no page of the site shows in a frame of another', async ({ page, stack, expectedErrors }) => {
  expectedErrors.push(/frame|X-Frame-Options|Refused to display/)
  const frames = ROUTES.map((route) => `<iframe src="${stack.url}${route}"></iframe>`).join('')
  const foreign = await servePage(
    `<!doctype html><title>Bẫy</title>${frames}<object data="${stack.url}/login"></object>`,
  )
  try {
    // Waits for all frames.
    await page.goto(foreign.url)
    const shown = await Promise.all(
      page
        .frames()
        .slice(1)
        // A blocked object loses its frame.
        .map((frame) =>
          frame
            .locator('#root')
            .count()
            .catch(() => 0),
        ),
    )
    expect(shown.length).toBeGreaterThanOrEqual(ROUTES.length)
    expect(shown.filter(Boolean)).toEqual([])
  } finally {
    await foreign.close()
  }
})

test('nor in a frame of its own', async ({ page, stack, expectedErrors }) => {
  expectedErrors.push(/frame|X-Frame-Options|Refused to display/)
  await page.goto(`${stack.url}/megalive`)
  await page.evaluate(
    () =>
      new Promise((loaded) => {
        const frame = document.createElement('iframe')
        frame.src = '/login'
        frame.name = 'own'
        frame.onload = loaded
        document.body.append(frame)
      }),
  )
  expect(await page.frame({ name: 'own' })?.locator('#root').count()).toBe(0)
})

test('a window that opened the site has no hold on it', async ({ page, stack }) => {
  const opener = await servePage(
    `<!doctype html><button onclick="window.w = window.open('${stack.url}/login')">Mở</button>`,
  )
  try {
    await page.goto(opener.url)
    await page.getByRole('button').click()
    // The opener policy cuts the window off as soon as the site's page loads.
    await expect.poll(() => page.evaluate(() => (window as never as { w: Window }).w.closed)).toBe(true)
  } finally {
    await opener.close()
  }
})
