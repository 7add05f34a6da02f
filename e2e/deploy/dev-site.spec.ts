import { logIn } from '../src/members.ts'
import { startProcess } from '../src/process.ts'
import { ROOT } from '../src/stack.ts'
import { expect, test } from '../src/test.ts'

test('one remote from here inside a deployed site, with a banner and a way back', {
  tag: '@nightly',
}, async ({ page, stack, expectedErrors }) => {
  const command = [`${ROOT}/build/remote-dev.js`, '--site', stack.url, '--port', '0']
  const dev = await startProcess(['node', ...command], {
    cwd: `${ROOT}/mf-auth`,
    ready: /from here: (http:\/\/\S+)/,
  })
  const [url = ''] = dev.ready
  try {
    const banner = page.getByRole('status', { name: 'Local override' })
    await page.goto(`${url}/login`)
    await expect(banner).toContainText('mf-auth from your dev server')
    expect(await page.evaluate(() => document.getElementById('composition')?.textContent)).toContain(
      '"version":"dev"',
    )

    // The site around it is the deployed one, its API included.
    await logIn(page, url, 'demo03', '9999')
    await expect(page).toHaveURL(`${url}/home`)
    await expect(page.getByRole('listitem')).toHaveCount(6)

    // The banner says that the local remote fails, and offers the deployed one, which works.
    expectedErrors.push(/broken on purpose|Loading chunk LoginPage failed/)
    await page.route(/\/mf-auth\/dev\/LoginPage\.js/, (route) =>
      route.fulfill({
        contentType: 'text/javascript',
        body: `throw new Error('broken on purpose')`,
      }),
    )
    await page.goto(`${url}/login`)
    await expect(banner).toContainText('Local mf-auth failed: expose: ./LoginPage')
    await banner.getByRole('button', { name: 'Use the deployed one' }).click()
    await expect(banner).toContainText('mf-auth as deployed')
    await expect(page.getByRole('button', { name: 'Đăng nhập', exact: true })).toBeVisible()
    expect(await page.evaluate(() => document.getElementById('composition')?.textContent)).not.toContain(
      '"version":"dev"',
    )
  } finally {
    // An open page would report that its server is gone.
    await page.goto('about:blank')
    await dev.stop()
  }
})
