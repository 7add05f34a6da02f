import { logIn, shellIsUp, TOKEN_COOKIE, USERNAME_COOKIE } from '../src/members.ts'
import { expect, test } from '../src/test.ts'

/** Cookies of the session, and addresses that would lead off the site. */

for (const [scheme, prefix, domain] of [
  ['http', '', 'localhost'],
  ['https', '__Host-', 'event.test'],
] as const)
  test(`the cookies over ${scheme}`, async ({ page, context, stack }) => {
    // The stack behind https.
    await page.route('https://event.test/**', async (route) => {
      const url = route.request().url().replace('https://event.test', stack.url)
      await route.fulfill({ response: await route.fetch({ url }) })
    })
    const site = scheme === 'https' ? 'https://event.test' : stack.url
    await logIn(page, site, 'demo03', '9999')
    await expect(page).toHaveURL(`${site}/home`)
    const cookies = (await context.cookies()).filter(({ name }) => /token|username/.test(name))
    const names = [prefix + TOKEN_COOKIE, prefix + USERNAME_COOKIE]
    expect(cookies.map(({ name }) => name).sort()).toEqual(names)
    const secure = scheme === 'https'
    for (const cookie of cookies)
      expect(cookie).toMatchObject({ sameSite: 'Strict', path: '/', domain, secure, expires: -1 })
    // What the page is still loading ends before its server goes.
    await page.goto('about:blank')
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  })

test('a path that looks like another origin stays here', async ({ page, stack }) => {
  for (const path of ['//evil/', '/%2f%2fevil/', '/\\evil', '/login/..//evil']) {
    await page.goto(`${stack.url}${path}`)
    await shellIsUp(page)
    expect(new URL(page.url()).origin, path).toBe(stack.url)
  }
})
