import { FAULTS } from '../src/faults.ts'
import { expect, test } from './isolation-test.ts'
import { shellIsUp } from './remotes.ts'

/** Interest in a link prefetches the files of its page; opening the page uses them. */

/** Names of files without their hashes, each once. */
const kinds = (paths: readonly string[]) =>
  [...new Set(paths.map((path) => path.replace(/.*\//, '').replace(/\..*\./, '.')))].sort()

test('a link is hovered', async ({ page, site }) => {
  await site.open(page, '/')
  const link = page.getByRole('link', { name: 'Đăng nhập nhận vé' })
  await expect(link).toBeVisible()
  await page.waitForLoadState('networkidle')
  expect(site.filesOf('mf-auth')).toEqual([])
  await link.hover()
  await expect
    .poll(() => kinds(site.filesOf('mf-auth')))
    .toEqual(['LoginPage.css', 'LoginPage.js', 'entry.js'])
  expect(site.filesOf('mf-megalive')).toEqual([])
  const before = site.filesOf('mf-auth')
  await link.click()
  await expect(page.getByLabel('Tài khoản', { exact: true })).toBeVisible()
  expect(site.filesOf('mf-auth').filter((path) => /\.(js|css)/.test(path))).toEqual(before)
})

test('what was fetched in advance is not run before it is published content', { tag: '@nightly' }, async ({
  page,
  site,
}) => {
  await site.open(page, '/')
  const link = page.getByRole('link', { name: 'Đăng nhập nhận vé' })
  await shellIsUp(page)
  site.proxy.break(/\/mf-auth\/[^/]+\/LoginPage\.[0-9a-f]+\.js/, FAULTS['changed byte'])
  await link.hover()
  await expect.poll(() => site.filesOf('mf-auth').length).toBeGreaterThan(2)
  site.proxy.mend()
  await link.click()
  await expect(page.getByLabel('Tài khoản', { exact: true })).toBeVisible()
})
