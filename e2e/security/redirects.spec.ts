import { sendLogin } from '../src/test.ts'
import { expect, shellIsUp, test } from './security-test.ts'

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

const QUERY = new URLSearchParams(
  NAMES.map((name, index) => [name, TARGETS[index % TARGETS.length] ?? '']),
).toString()

test('a login goes to /home, whatever the address asks for', async ({ page, stack }) => {
  const left: string[] = []
  page.on('request', (request) => {
    if (!/^(http:\/\/localhost|data:image)/.test(request.url())) left.push(request.url())
  })
  await page.goto(`${stack.url}/histories?${QUERY}#${TARGETS[1]}`)
  await expect(page).toHaveURL(`${stack.url}/login`)
  await page.goto(`${stack.url}/login?${QUERY}#${TARGETS[0]}`)
  await sendLogin(page, 'demo03', '9999')
  await expect(page).toHaveURL(`${stack.url}/home`)
  await page.getByRole('button', { name: 'Quay về' }).click()
  await expect(page).toHaveURL(`${stack.url}/login`)
  expect(left).toEqual([])
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
