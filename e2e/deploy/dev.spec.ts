import { startProcess } from '../src/process.ts'
import { expect, test } from '../src/test.ts'
import { copySources, editSource } from '../src/variant.ts'

/**
 * `npm run dev`: shell, remotes and API from their sources on one port, and what an edit of each does. `npm run bench:dev`
 * runs these tests for the seconds that they print.
 */

// No stack of built sources is needed here.
test.use({ baseURL: '' })
/** The API starts anew, on a machine that may be busy. */
const WAIT = { timeout: 30_000, intervals: [20] }

let root: string
let url: string
let dev: Awaited<ReturnType<typeof startProcess>>
test.beforeAll(async () => {
  test.setTimeout(180_000)
  root = await copySources()
  dev = await timed('first start, ready', () =>
    startProcess(['node', 'tools/dev.js'], {
      cwd: root,
      env: { npm_lifecycle_event: '', PORT: '0', DATABASE_URL: '', NO_COLOR: '1' },
      ready: /Ready on (http:\/\/\S+)/,
    }),
  )
  url = dev.ready[0] ?? ''
})
test.afterAll(async () => {
  expect(await dev.stop()).toBe(0)
})

/** Replaces a text in a source file, as an editor saves it. Resolves with what takes the edit back. */
const edit = (file: string, from: string, to: string) => editSource(root, file, from, to)

async function timed<Result>(what: string, run: () => Promise<Result>): Promise<Result> {
  const began = performance.now()
  const result = await run()
  console.log(`${what}: ${((performance.now() - began) / 1000).toFixed(2)} s`)
  return result
}

test('an edit of a remote, the shell and shared shows in the open page, which keeps its state', {
  tag: '@nightly',
}, async ({ page }) => {
  await page.goto(`${url}/login`)
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
    const undo = await edit(file, from, to)
    await timed(file, () => page.getByText(shown).first().waitFor())
    await undo()
    await expect(page.getByText(shown), file).toHaveCount(0)
  }
  const style = 'mf-auth/src/LoginPage.module.css'
  const undo = await edit(style, '.form {', '.form { outline-offset: 7px;')
  await timed(style, () => expect(page.locator('form')).toHaveCSS('outline-offset', '7px'))
  await undo()

  await expect(account).toHaveValue('demo01')
  expect(navigations).toEqual([])
})

test('a broken edit shows its error, and mended leaves the page as it was', { tag: '@nightly' }, async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/^\[rspack-dev-server\]/)
  await page.goto(`${url}/login`)
  const account = page.getByLabel('Tài khoản')
  await account.fill('demo01')
  const overlay = page.locator('#rspack-dev-server-client-overlay')

  const mend = await edit('mf-auth/src/LoginPage.tsx', 'return (', 'return ((')
  await expect(overlay.contentFrame().getByText('LoginPage.tsx').first()).toBeVisible()
  await mend()
  await expect(overlay).toHaveCount(0)
  const right = await edit(
    'mf-auth/src/LoginPage.tsx',
    'return (',
    'const no: number = texts.title\n  return (',
  )
  await expect.poll(() => dev.output(), WAIT).toMatch(/LoginPage\.tsx\(\d+,\d+\): error TS2322/)
  await right()
  await expect.poll(() => dev.output(), WAIT).toContain('types are right again')
  const undo = await edit('mf-auth/src/LoginPage.tsx', '{texts.title}', 'After mending')
  await expect(page.getByRole('heading', { name: 'After mending' })).toBeVisible()
  await undo()
  await expect(account).toHaveValue('demo01')
})

test('an edit of the contract or the API counts for the next call, and a broken one is said', {
  tag: '@nightly',
}, async () => {
  test.setTimeout(120_000)
  const login = async () => {
    const response = await fetch(`${url}/api/client/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ site: 'ANNIVERSARY', username: 'nobody', lastBankNumber: '1234' }),
    })
    return `${response.status} ${await response.text()}`
  }
  const relax = await edit('shared/src/contract/wire.ts', String.raw`/^\d{4}$/`, String.raw`/^\d{9}$/`)
  await timed('shared/src/contract/wire.ts', () => expect.poll(login, WAIT).toMatch(/^400/))
  await relax()
  const mend = await edit('api/src/texts.ts', 'export const texts = {', 'export const texts = {{')
  await expect.poll(login, WAIT).toMatch(/^503 .*see the terminal/s)
  expect(dev.output()).toContain('texts.ts')
  await mend()
  await expect.poll(login, WAIT).toMatch(/^200/)
})
