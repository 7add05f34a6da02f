import { sendLogin, shellIsUp } from '../src/members.ts'
import { expect, test } from '../src/test.ts'

/** No parameter and no path leads off the site. */

const QUERY = new URLSearchParams({
  next: 'https://evil.example/',
  redirect_uri: '//evil.example/',
  returnUrl: '/\\evil.example/',
  url: 'javascript:alert(1)',
  to: '/%09/evil.example',
}).toString()

test('a login goes to /home, whatever the address asks for', async ({ page, stack }) => {
  const left: string[] = []
  page.on('request', (request) => {
    if (!/^(http:\/\/localhost|data:image)/.test(request.url())) left.push(request.url())
  })
  await page.goto(`${stack.url}/histories?${QUERY}#//evil.example/`)
  await expect(page).toHaveURL(`${stack.url}/login`)
  await page.goto(`${stack.url}/login?${QUERY}#https://evil.example/`)
  await sendLogin(page, 'demo03', '9999')
  await expect(page).toHaveURL(`${stack.url}/home`)
  await page.getByRole('button', { name: 'Quay về' }).click()
  await expect(page).toHaveURL(`${stack.url}/login`)
  expect(left).toEqual([])
})

test('a path that looks like another origin stays here', async ({ page, stack }) => {
  for (const path of [
    '//evil.example/',
    '/%2f%2fevil.example/',
    '/\\evil.example',
    '/login/..//evil.example',
  ]) {
    const answer = await fetch(`${stack.url}${path}`, { redirect: 'manual' })
    expect(answer.headers.get('location') ?? '', path).not.toMatch(/evil/)
    if (answer.status >= 300) continue
    await page.goto(`${stack.url}${path}`)
    await shellIsUp(page)
    expect(new URL(page.url()).origin, path).toBe(stack.url)
  }
})
