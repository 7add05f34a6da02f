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

test('every page has the policy and the headers that keep others out', async ({ stack }) => {
  for (const route of [...ROUTES, '/nowhere']) {
    const { headers } = await fetch(`${stack.url}${route}`)
    const csp = policyOf(headers.get('content-security-policy') ?? '')
    expect(
      Object.fromEntries([...csp].map(([name, sources]) => [name, sources.join(' ')])),
      route,
    ).toMatchObject({
      'default-src': "'none'",
      'script-src': expect.stringMatching(/^'self' 'sha256-[^ ]+'$/),
      'style-src': "'self'",
      'frame-src': "'self'",
      'object-src': "'self'",
      'frame-ancestors': "'none'",
      'base-uri': "'none'",
      'form-action': "'self'",
      'require-trusted-types-for': "'script'",
    })
    expect([...csp.values()].flat().filter((source) => /unsafe|\*|^https?:$/.test(source))).toEqual([])
    expect(Object.fromEntries(headers), route).toMatchObject({
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'cross-origin-opener-policy': 'same-origin',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'permissions-policy': expect.stringMatching(/camera=\(\).*geolocation=\(\)/),
    })
  }
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
