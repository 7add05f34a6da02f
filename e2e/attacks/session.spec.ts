import { createServer } from 'node:http'
import { closed, listening } from '../isolation/front.ts'
import { enter, TOKEN_COOKIE, USERNAME_COOKIE } from '../src/member-test.ts'
import { startStack } from '../src/stack.ts'
import { logIn } from '../src/test.ts'
import { expect, test } from './attack-test.ts'

/** The token goes where it must, and nowhere else. */

/** An embedded page that puts what it can see into its title. */
const CURIOUS = `<!doctype html><title>Nhúng</title><script>
  document.title = [document.referrer, location.href, document.cookie, name].join()
</script>`

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
  // The login guard's mark of a known device, which no script and no other call sees.
  for (const cookie of others)
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Strict', path: '/api/client/login' })
})

test('the cookies over https: bound to the host, and secure', async ({ page, context, stack }) => {
  // The stack itself, seen through https.
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
  // What the page still asks for (its typeface) needs no answer any more.
  await page.unrouteAll({ behavior: 'ignoreErrors' })
})

test('the token is in no address, no referrer, no log, no storage, no report and not in the embed', async ({
  page,
  context,
}) => {
  const heard: string[] = []
  const provider = createServer((request, response) => {
    heard.push(JSON.stringify([request.url, request.headers]))
    response.writeHead(200, { 'content-type': 'text/html' }).end(CURIOUS)
  })
  const port = await listening(provider)
  const stack = await startStack({
    env: {
      MEGALIVE_URL: `http://127.0.0.1:${port}/live`,
      REPORT_URL: '/api/reports',
      LOG_LEVEL: 'trace',
    },
  })
  try {
    await enter(context, stack.url, 'demo03')
    const token = (await context.cookies()).find(({ name }) => name === TOKEN_COOKIE)?.value ?? ''
    expect(token.length).toBeGreaterThan(20)
    const urls: string[] = []
    const said: string[] = []
    page.on('request', (request) => {
      urls.push(request.url(), request.headers().referer ?? '')
      if (request.url().endsWith('/api/reports')) said.push(request.postData() ?? '')
    })
    page.on('console', (message) => said.push(message.text()))
    for (const route of ['/home', '/histories', '/megalive', '/check', '/']) {
      await page.goto(`${stack.url}${route}`, { waitUntil: 'networkidle' })
      urls.push(page.url())
      said.push(
        await page.evaluate(() =>
          JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.title, history.state]),
        ),
      )
      for (const frame of page.frames().slice(1)) said.push(frame.url(), await frame.title())
    }
    expect(heard.length, 'the provider was asked').toBeGreaterThan(0)
    expect(urls.length).toBeGreaterThan(20)
    // Without the lines for a person, which name the demo's members.
    const logged = stack
      .output()
      .split('\n')
      .filter((line) => line.startsWith('{'))
    expect(logged.length).toBeGreaterThan(3)
    for (const [where, texts] of Object.entries({ urls, said, heard, logged }))
      expect(texts.join('\n'), `token in ${where}`).not.toContain(token)
    for (const [where, texts] of Object.entries({ urls, heard, logged }))
      expect(texts.join('\n'), `account in ${where}`).not.toContain('demo03')
    expect(heard.join()).not.toContain('anniversary-')
  } finally {
    await stack.stop()
    await closed(provider)
  }
})

test('another site cannot act in the member’s name', async ({ page, context, stack }) => {
  await enter(context, stack.url, 'demo03')
  const answers = await Promise.all([
    fetch(`${stack.url}/api/client/info`, {
      headers: { origin: 'https://evil.example', cookie: `${TOKEN_COOKIE}=x` },
    }),
    fetch(`${stack.url}/api/client/take-code?event_code_detail=NAP_300`, {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'POST' },
    }),
  ])
  expect(answers[0]?.status, 'the cookie alone is no proof').toBe(401)
  for (const { headers } of answers) expect(headers.get('access-control-allow-origin')).toBeNull()
  await page.goto(`${stack.url}/home`)
})
