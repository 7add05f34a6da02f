import { expect, type Lab, test } from './lab.ts'

/** A page's files come at the first sign of interest, once, and are used when the page is opened. */

const filesOf = (lab: Lab, remote: string) => lab.front.asked.filter((url) => url.startsWith(`/${remote}/`))
const kinds = (urls: readonly string[]) =>
  [
    ...new Set(
      urls.map((url) =>
        url
          .split('/')
          .at(-1)
          ?.replace(/\..*\./, '.'),
      ),
    ),
  ].sort()

const SIGNS = {
  hovered: (link) => link.hover(),
  focused: (link) => link.focus(),
  touched: (link) => link.dispatchEvent('touchstart'),
} satisfies Record<string, (link: import('@playwright/test').Locator) => Promise<void>>

for (const [sign, show] of Object.entries(SIGNS))
  test(`a link is ${sign}`, async ({ page, lab }) => {
    await lab.open(page, '/')
    const link = page.getByRole('link', { name: 'Đăng nhập nhận vé' })
    await expect(link).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(filesOf(lab, 'mf-auth')).toEqual([])
    await show(link)
    await expect
      .poll(() => kinds(filesOf(lab, 'mf-auth')))
      .toEqual(['LoginPage.css', 'LoginPage.js', 'entry.js'])
    expect(filesOf(lab, 'mf-megalive')).toEqual([])
    const before = filesOf(lab, 'mf-auth')
    await link.click()
    await expect(page.getByLabel('Tài khoản', { exact: true })).toBeVisible()
    expect(filesOf(lab, 'mf-auth').filter((url) => /\.(js|css)/.test(url))).toEqual(before)
  })

test('a button of a remote is hovered', async ({ page, lab }) => {
  await lab.open(page, '/home')
  const button = page.getByRole('button', { name: 'Lịch sử' })
  await expect(button).toBeVisible()
  expect(filesOf(lab, 'mf-history')).toEqual([])
  await button.hover()
  await expect.poll(() => kinds(filesOf(lab, 'mf-history'))).toContain('entry.js')
  await button.click()
  await expect(page.getByRole('table').first()).toBeVisible()
  expect(filesOf(lab, 'mf-history').filter((url) => url.includes('entry'))).toHaveLength(1)
})

test('a login succeeds, and asks for an address first', async ({ page, lab }) => {
  const data = { required_address: true, sign: 'of-the-test', username: 'demo02' }
  lab.front.answer('POST /api/client/login', { status_code: 200, data })
  await lab.open(page, '/login')
  await page.getByLabel('Tài khoản', { exact: true }).fill('demo02')
  await page.getByRole('textbox', { name: 'Số thứ 1' }).click()
  await page.keyboard.type('0042')
  expect(filesOf(lab, 'mf-missions')).toEqual([])
  await page.getByRole('button', { name: 'Đăng nhập', exact: true }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await expect
    .poll(() => kinds(filesOf(lab, 'mf-missions')))
    .toEqual(['HomePage.css', 'HomePage.js', 'entry.js'])
})

test('what was fetched in advance is not run before it is published content', async ({ page, lab }) => {
  await lab.open(page, '/')
  const link = page.getByRole('link', { name: 'Đăng nhập nhận vé' })
  await expect(link).toBeVisible()
  const { FAULTS } = await import('./faults.ts')
  lab.front.break(/\/mf-auth\/[^/]+\/LoginPage\.[0-9a-f]+\.js/, FAULTS['changed byte'])
  await link.hover()
  await expect.poll(() => filesOf(lab, 'mf-auth').length).toBeGreaterThan(2)
  lab.front.mend()
  await link.click()
  await expect(page.getByLabel('Tài khoản', { exact: true })).toBeVisible()
})
