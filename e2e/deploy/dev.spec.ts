import { networkInterfaces } from 'node:os'
import { loginButton, names } from '../src/members.ts'
import { startProcess } from '../src/process.ts'
import { ROOT } from '../src/stack.ts'
import { expect, test } from '../src/test.ts'
import { copySources, editSource } from '../src/variant.ts'

/**
 * `npm run dev`; `npm run bench -- dev` runs these tests for the seconds that
 * they print.
 */

/** Milliseconds. A busy machine takes over a minute for the first check of types. */
const WAIT = { intervals: [20], timeout: 300_000 }

async function timed<Result>(what: string, run: () => Promise<Result>): Promise<Result> {
  const began = performance.now()
  const result = await run()
  console.log(`${what}: ${((performance.now() - began) / 1000).toFixed(2)} s`)
  return result
}

test('`npm run dev` shows edits of shell, remotes and API', { tag: '@nightly' }, async ({
  page,
  expectedErrors,
}) => {
  expectedErrors.push(/^\[rspack-dev-server\]/)
  const root = await copySources()
  const dev = await timed('first start, ready', () =>
    startProcess(['node', '--import', 'tsx/esm', 'tools/dev/main.ts'], {
      cwd: root,
      env: { npm_lifecycle_event: '', PORT: '0', NO_COLOR: '1' },
      ready: /Ready on (http:\/\/\S+)/,
    }),
  )
  const [url = ''] = dev.ready
  const edit = (file: string, from: string, to: string) => editSource(root, file, from, to)
  const navigations: string[] = []
  await page.goto(`${url}/login`)
  page.on('request', (request) => {
    if (request.isNavigationRequest()) navigations.push(request.url())
  })
  const account = page.getByLabel('Tài khoản')
  await account.fill('demo01')

  await test.step('an edit shows in the open page, which keeps its state', async () => {
    for (const [file, from, to, shown] of [
      [
        'mf-auth/src/texts/login.ts',
        `title: '${names.login}'`,
        "title: 'Remote edited'",
        'Remote edited',
      ],
      ['shell/src/layout/Layout.tsx', '{texts.layout.skip}', 'Shell edited', 'Shell edited'],
      [
        'shared/src/ui/TextField.tsx',
        '{label}',
        'Shared edited {label}',
        'Shared edited Tài khoản',
      ],
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

  await test.step('a broken edit shows its error, and its fix leaves the page as it was', async () => {
    const overlay = page.locator('#rspack-dev-server-client-overlay')
    const restore = await edit('mf-auth/src/LoginPage.tsx', 'return (', 'return ((')
    await expect(overlay.contentFrame().getByText('LoginPage.tsx').first()).toBeVisible()
    await restore()
    await expect(overlay).toHaveCount(0)
    const number = 'const no: number = texts.title\n  return ('
    const right = await edit('mf-auth/src/LoginPage.tsx', 'return (', number)
    await expect.poll(() => dev.output(), WAIT).toMatch(/LoginPage\.tsx\(\d+,\d+\): error TS2322/)
    const { length } = dev.output()
    await right()
    await expect.poll(() => dev.output().slice(length), WAIT).toContain('No type errors.')
    await expect(account).toHaveValue('demo01')
  })

  await test.step('an edit of contract, API or campaign applies to the next call, and a broken one is printed', async () => {
    const login = async () => {
      const api = url.replace('localhost', '127.0.0.1')
      const response = await fetch(`${api}/api/client/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ site: 'ANNIVERSARY', username: 'nobody', lastBankNumber: '1234' }),
      })
      return `${response.status} ${await response.text()}`
    }
    const relax = await edit(
      'shared/src/contract/wire.ts',
      String.raw`/^\d{4}$/`,
      String.raw`/^\d{9}$/`,
    )
    await timed('shared/src/contract/wire.ts', () => expect.poll(login, WAIT).toMatch(/^400/))
    await relax()
    for (const [file, from, to, shown] of [
      ['api/src/texts.ts', 'memberTexts = {', 'memberTexts = {{', 'texts.ts'],
      ['shared/campaign/missions.json', '"goal": 300,', '"goal": 301,', 'its name says another'],
    ] as const) {
      const restore = await edit(file, from, to)
      await expect.poll(login, { ...WAIT, message: file }).toMatch(/^503 .*see the terminal/s)
      expect(dev.output()).toContain(shown)
      await restore()
      await expect.poll(login, WAIT).toMatch(/^200/)
    }
  })
  await page.goto('about:blank')
  expect(await dev.stop()).toBe(0)
})

// Inside a site: outside.spec.ts.
test('`npm run dev` of one remote serves this machine only', { tag: '@nightly' }, async ({
  page,
}) => {
  const { ready, stop } = await startProcess(
    ['node', `${ROOT}/build/remote-dev.js`, '--port', '0'],
    {
      cwd: `${ROOT}/mf-auth`,
      ready: /(http:\S+)\n\n/,
    },
  )
  const [url = ''] = ready
  await page.goto(`${url}/login`)
  await expect(loginButton(page)).toBeVisible()
  for (const { address, internal, family } of Object.values(networkInterfaces()).flatMap(
    (all) => all ?? [],
  ))
    if (!internal && family === 'IPv4')
      await expect(fetch(url.replace('localhost', address))).rejects.toThrow()
  // An open page would report that its server has stopped.
  await page.goto('about:blank')
  await stop()
})
