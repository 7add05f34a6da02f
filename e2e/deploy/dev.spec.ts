import { type DevServer, startDevServer } from '../src/dev-server.ts'
import { expect, test } from '../src/test.ts'

/** `npm run dev`: shell, remotes and API from their sources on one port, and what an edit of each does. */

// No stack of built sources is needed here.
test.use({ baseURL: '' })
/** The API starts anew, on a machine that may be busy. */
const WAIT = { timeout: 30_000 }

let dev: DevServer
test.beforeAll(async () => {
  test.setTimeout(180_000)
  dev = await startDevServer()
})
test.afterAll(async () => {
  expect(await dev.stop()).toBe(0)
})

test('an edit of a remote, the shell and shared shows in the open page, which keeps its state', {
  tag: '@nightly',
}, async ({ page }) => {
  await page.goto(`${dev.url}/login`)
  const account = page.getByLabel('Tài khoản')
  await account.fill('demo01')
  const navigations: string[] = []
  page.on('request', (request) => {
    if (request.isNavigationRequest()) navigations.push(request.url())
  })

  for (const [file, from, to, shown] of [
    ['mf-auth/src/texts/login.ts', "title: 'Đăng nhập'", "title: 'Remote edited'", 'Remote edited'],
    ['shell/src/layout/Layout.tsx', '{texts.layout.skip}', 'Shell edited', 'Shell edited'],
    ['shared/src/ui/TextField.tsx', '{label}', 'Shared edited {label}', 'Shared edited Tài khoản'],
  ] as const) {
    const undo = await dev.edit(file, from, to)
    await expect(page.getByText(shown).first(), file).toBeVisible()
    await undo()
    await expect(page.getByText(shown), file).toHaveCount(0)
  }
  const undo = await dev.edit('mf-auth/src/LoginPage.module.css', '.title {', '.title { outline-offset: 7px;')
  await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('outline-offset', '7px')
  await undo()

  await expect(account).toHaveValue('demo01')
  expect(navigations).toEqual([])
})

test('a broken edit shows its error, and mended leaves the page as it was', { tag: '@nightly' }, async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/^\[rspack-dev-server\]/)
  await page.goto(`${dev.url}/login`)
  const account = page.getByLabel('Tài khoản')
  await account.fill('demo01')
  // Each bundle on the page brings one.
  const overlay = page.locator('#rspack-dev-server-client-overlay')

  const mend = await dev.edit('mf-auth/src/LoginPage.tsx', 'return (', 'return ((')
  await expect(overlay.first().contentFrame().getByText('LoginPage.tsx').first()).toBeVisible()
  await mend()
  await expect(overlay).toHaveCount(0)
  const undo = await dev.edit('mf-auth/src/LoginPage.tsx', '{texts.title}', 'After mending')
  await expect(page.getByRole('heading', { name: 'After mending' })).toBeVisible()
  await undo()
  await expect(account).toHaveValue('demo01')
})

test('an edit of the contract or the API counts for the next call, and a broken one is said', {
  tag: '@nightly',
}, async () => {
  test.setTimeout(120_000)
  const login = async () => {
    const response = await fetch(`${dev.url}/api/client/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ site: 'ANNIVERSARY', username: 'nobody', lastBankNumber: '1234' }),
    })
    return `${response.status} ${await response.text()}`
  }
  const relax = await dev.edit('shared/src/contract/wire.ts', String.raw`/^\d{4}$/`, String.raw`/^\d{9}$/`)
  await expect.poll(login, WAIT).toMatch(/^400/)
  await relax()
  const mend = await dev.edit('api/src/texts.ts', 'export const texts = {', 'export const texts = {{')
  await expect.poll(login, WAIT).toMatch(/^503 .*see the terminal/)
  expect(dev.output()).toContain('texts.ts')
  await mend()
  await expect.poll(login, WAIT).toMatch(/^200/)
})
