import { networkInterfaces } from 'node:os'
import { logIn } from '../src/members.ts'
import { startProcess } from '../src/process.ts'
import { ROOT } from '../src/stack.ts'
import { expect, test } from '../src/test.ts'

test('npm run dev of a remote: alone, or inside a deployed site, for this machine only', {
  tag: '@nightly',
}, async ({ page, stack }) => {
  const start = async (...options: string[]) => {
    const command = ['node', `${ROOT}/build/remote-dev.js`, '--port', '0', ...options]
    const { ready, stop } = await startProcess(command, { cwd: `${ROOT}/mf-auth`, ready: /(http:\S+)\n\n/ })
    return { url: ready[0] ?? '', stop }
  }
  const alone = await start()
  await page.goto(`${alone.url}/login`)
  await expect(page.getByRole('button', { name: 'Đăng nhập', exact: true })).toBeVisible()
  for (const { address, internal, family } of Object.values(networkInterfaces()).flatMap((all) => all ?? []))
    if (!internal && family === 'IPv4')
      await expect(fetch(alone.url.replace('localhost', address))).rejects.toThrow()

  const inSite = await start('--site', stack.url)
  await page.goto(`${inSite.url}/login`)
  const composition = page.locator('#composition')
  expect(await composition.textContent()).toContain('"version":"dev"')
  // The site around it is the deployed one, its API included.
  await logIn(page, inSite.url, 'demo03', '9999')
  await expect(page).toHaveURL(`${inSite.url}/home`)
  await expect(page.getByRole('listitem')).toHaveCount(6)
  // An open page would report that its server is gone.
  await page.goto('about:blank')
  await alone.stop()
  await inSite.stop()
})
