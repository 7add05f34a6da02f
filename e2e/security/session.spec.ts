import { COOKIES } from '@anniversary/shared/contract/page-names'
import { logIn } from '../src/members.ts'
import { expect, test } from '../src/test.ts'

// Over http, as all other tests run, the names have no prefix.
test('session cookies over https are secure and same-site', async ({ page, context, stack }) => {
  const site = 'https://event.localhost'
  // The stack behind https.
  await page.route(`${site}/**`, async (route) => {
    const url = route.request().url().replace(site, stack.url)
    await route.fulfill({ response: await route.fetch({ url }) })
  })
  await logIn(page, site, 'demo03', '9999')
  await expect(page).toHaveURL(`${site}/home`)
  const cookies = (await context.cookies()).filter(({ name }) => /token|username/.test(name))
  const names = [COOKIES.token, COOKIES.username].map((name) => COOKIES.securePrefix + name)
  expect(cookies.map(({ name }) => name).sort()).toEqual(names)
  for (const cookie of cookies)
    expect(cookie).toMatchObject({
      sameSite: 'Strict',
      path: '/',
      domain: 'event.localhost',
      secure: true,
      expires: -1,
    })
  // What the page is still loading ends before its server goes.
  await page.goto('about:blank')
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})
