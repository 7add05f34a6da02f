import { expect, test } from '../src/test.ts'

/**
 * Interest in a link prefetches the files of its page; opening the page uses them. That they are not run before they are
 * the published ones, the cells of files.spec.ts show in which a changed byte meets a visit: a press hovers first.
 */

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
