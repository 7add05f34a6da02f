import { answer, FAULTS } from '../src/faults.ts'
import { fillDigits } from '../src/member-test.ts'
import { expect, test } from './isolation-test.ts'

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

test('a button of a remote is hovered', { tag: '@nightly' }, async ({ page, site }) => {
  await site.open(page, '/home')
  const button = page.getByRole('button', { name: 'Lịch sử' })
  await expect(button).toBeVisible()
  expect(site.filesOf('mf-history')).toEqual([])
  await button.hover()
  await expect.poll(() => kinds(site.filesOf('mf-history'))).toContain('entry.js')
  await button.click()
  await expect(page.getByRole('table').first()).toBeVisible()
  expect(site.filesOf('mf-history').filter((path) => path.includes('entry'))).toHaveLength(1)
})

test('a login succeeds, and asks for an address first', { tag: '@nightly' }, async ({ page, site }) => {
  const data = { required_address: true, sign: 'of-the-test', username: 'demo02' }
  site.proxy.break('POST /api/client/login', answer({ status_code: 200, data }))
  await site.open(page, '/login')
  await page.getByLabel('Tài khoản', { exact: true }).fill('demo02')
  await fillDigits(page, '0042')
  expect(site.filesOf('mf-missions')).toEqual([])
  await page.getByRole('button', { name: 'Đăng nhập', exact: true }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect
    .poll(() => kinds(site.filesOf('mf-missions')))
    .toEqual(['HomePage.css', 'HomePage.js', 'entry.js'])
})

test('what was fetched in advance is not run before it is published content', { tag: '@nightly' }, async ({
  page,
  site,
}) => {
  await site.open(page, '/')
  const link = page.getByRole('link', { name: 'Đăng nhập nhận vé' })
  await expect(link).toBeVisible()
  site.proxy.break(/\/mf-auth\/[^/]+\/LoginPage\.[0-9a-f]+\.js/, FAULTS['changed byte'])
  await link.hover()
  await expect.poll(() => site.filesOf('mf-auth').length).toBeGreaterThan(2)
  site.proxy.mend()
  await link.click()
  await expect(page.getByLabel('Tài khoản', { exact: true })).toBeVisible()
})
