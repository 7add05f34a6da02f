import { logIn, TOKEN_COOKIE, USERNAME_COOKIE } from '../src/members.ts'
import { expect, test } from '../src/test.ts'

/** Cookies of the session, and who may use them. */

test('the cookies over http: strict, for this host alone, for as long as the browser runs', async ({
  page,
  context,
  stack,
}) => {
  await logIn(page, stack.url, 'demo03', '9999')
  await expect(page).toHaveURL(`${stack.url}/home`)
  const cookies = (await context.cookies()).filter(({ name }) => /token|username/.test(name))
  expect(cookies.map(({ name }) => name).sort()).toEqual([TOKEN_COOKIE, USERNAME_COOKIE].sort())
  for (const cookie of cookies)
    expect(cookie).toMatchObject({ sameSite: 'Strict', path: '/', domain: 'localhost', expires: -1 })
  const others = (await context.cookies(`${stack.url}/api/client/login`)).filter(
    ({ name }) => !/token|username/.test(name),
  )
  // The login guard's device cookie: no script and no other call sees it.
  for (const cookie of others)
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/api/client/login' })
})

test('the cookies over https: bound to the host, and secure', async ({ page, context, stack }) => {
  // The stack behind https.
  await page.route('https://event.test/**', async (route) => {
    const url = route.request().url().replace('https://event.test', stack.url)
    await route.fulfill({ response: await route.fetch({ url }) })
  })
  await logIn(page, 'https://event.test', 'demo03', '9999')
  await expect(page).toHaveURL('https://event.test/home')
  const cookies = (await context.cookies()).filter(({ name }) => /token|username/.test(name))
  expect(cookies.map(({ name }) => name).sort()).toEqual([
    `__Host-${TOKEN_COOKIE}`,
    `__Host-${USERNAME_COOKIE}`,
  ])
  for (const cookie of cookies)
    expect(cookie).toMatchObject({ sameSite: 'Strict', path: '/', domain: 'event.test', secure: true })
  // What the page is still loading ends before its server goes.
  await page.goto('about:blank')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('another site cannot act in the member’s name', async ({ stack }) => {
  const origin = 'https://evil.example'
  const answers = await Promise.all([
    fetch(`${stack.url}/api/client/info`, { headers: { origin, cookie: `${TOKEN_COOKIE}=x` } }),
    fetch(`${stack.url}/api/client/take-code?event_code_detail=NAP_300`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    }),
  ])
  expect(answers[0]?.status, 'the cookie alone is no proof').toBe(401)
  for (const { headers } of answers) expect(headers.get('access-control-allow-origin')).toBeNull()
})
