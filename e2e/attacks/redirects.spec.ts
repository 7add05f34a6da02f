import { logIn } from '../src/test.ts'
import { expect, ROUTES, shellIsUp, test } from './attack-test.ts'

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

test('a login goes to /home, whatever the address asks for', async ({ page, stack }) => {
  const left: string[] = []
  page.on('request', (request) => {
    if (!/^(http:\/\/localhost|data:image)/.test(request.url())) left.push(request.url())
  })
  for (const target of TARGETS) {
    const query = new URLSearchParams(NAMES.map((name) => [name, target]))
    await page.goto(`${stack.url}/login?${query}#${target}`)
    await page.getByLabel('Tài khoản', { exact: true }).fill('demo03')
    await page.getByRole('textbox', { name: 'Số thứ 1' }).click()
    await page.keyboard.type('9999')
    await page.getByRole('button', { name: 'Đăng nhập', exact: true }).click()
    await expect(page).toHaveURL(`${stack.url}/home`)
    await page.getByRole('button', { name: 'Quay về' }).click()
    await expect(page).toHaveURL(`${stack.url}/login`)
  }
  expect(left).toEqual([])
})

test('protected routes lead to /login of this site and nowhere else', async ({ page, stack, context }) => {
  await context.clearCookies()
  for (const route of ['/home', '/histories'])
    for (const target of TARGETS) {
      await page.goto(`${stack.url}${route}?next=${encodeURIComponent(target)}`)
      await expect(page).toHaveURL(`${stack.url}/login`)
    }
})

for (const path of [
  '//evil.example/',
  '//evil.example/login',
  '/%2f%2fevil.example/',
  '/\\evil.example',
  '/login//evil.example',
  '/.//evil.example',
  '/login/..//evil.example',
  '/%5cevil.example',
])
  test(`the path ${path} stays here`, async ({ page, stack }) => {
    const answer = await fetch(`${stack.url}${path}`, { redirect: 'manual' })
    expect(answer.headers.get('location') ?? '').not.toMatch(/evil/)
    if (answer.status >= 300) return
    await page.goto(`${stack.url}${path}`)
    await shellIsUp(page)
    expect(new URL(page.url()).origin).toBe(stack.url)
  })

test('every answer of the server stays on the site', async ({ stack }) => {
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

test('the demo member can log in at all', async ({ page, stack }) => {
  await logIn(page, stack.url, 'demo03', '9999')
  await expect(page).toHaveURL(`${stack.url}/home`)
})
