import { sendLogin } from '../src/test.ts'
import { expect, ROUTES, shellIsUp, test } from './security-test.ts'

/** No parameter and no path leads off the site. */

const NAMES = [
  'next',
  'redirect',
  'redirect_uri',
  'return',
  'returnUrl',
  'url',
  'to',
  'continue',
  'back',
  'goto',
  'r',
  'callback',
]
const TARGETS = [
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  'javascript:alert(1)',
  '/%09/evil.example',
  'data:text/html,x',
]

/** Each query gives every name one target; together they give every name every target. */
const queries = TARGETS.map((_target, shift) =>
  new URLSearchParams(
    NAMES.map((name, index) => [name, TARGETS[(index + shift) % TARGETS.length] ?? '']),
  ).toString(),
)

queries.forEach((query, index) => {
  const when = index === 0 ? {} : { tag: '@nightly' }
  test(
    `a login goes to /home, whatever the address asks for (${index + 1})`,
    when,
    async ({ page, stack }) => {
      const left: string[] = []
      page.on('request', (request) => {
        if (!/^(http:\/\/localhost|data:image)/.test(request.url())) left.push(request.url())
      })
      for (const route of ['/home', '/histories']) {
        await page.goto(`${stack.url}${route}?${query}#${TARGETS[index]}`)
        await expect(page).toHaveURL(`${stack.url}/login`)
      }
      await page.goto(`${stack.url}/login?${query}#${TARGETS[index]}`)
      await sendLogin(page, 'demo03', '9999')
      await expect(page).toHaveURL(`${stack.url}/home`)
      await page.getByRole('button', { name: 'Quay về' }).click()
      await expect(page).toHaveURL(`${stack.url}/login`)
      expect(left).toEqual([])
    },
  )
})

test('a path that looks like another origin stays here', async ({ page, stack }) => {
  for (const path of [
    '//evil.example/',
    '//evil.example/login',
    '/%2f%2fevil.example/',
    '/\\evil.example',
    '/login//evil.example',
    '/.//evil.example',
    '/login/..//evil.example',
    '/%5cevil.example',
  ]) {
    const answer = await fetch(`${stack.url}${path}`, { redirect: 'manual' })
    expect(answer.headers.get('location') ?? '', path).not.toMatch(/evil/)
    if (answer.status >= 300) continue
    await page.goto(`${stack.url}${path}`)
    await shellIsUp(page)
    expect(new URL(page.url()).origin, path).toBe(stack.url)
  }
})

test('no answer of the server names a host that the request claims', async ({ stack }) => {
  for (const route of ROUTES)
    for (const host of ['evil.example', 'evil.example:80']) {
      const answer = await fetch(`${stack.url}${route}`, {
        redirect: 'manual',
        headers: { 'x-forwarded-host': host, forwarded: `host=${host}` },
      })
      expect(answer.status).toBe(200)
      expect(await answer.text()).not.toContain('evil.example')
    }
})
