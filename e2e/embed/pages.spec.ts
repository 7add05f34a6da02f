import type { Page } from '@playwright/test'
import { embedOn, expect, expire, test, texts } from './examples.ts'

/** Path → what else its page proves, told by the paths of the scripts that it took from the site. */
const PAGES: Readonly<Record<string, (page: Page, scripts: readonly string[]) => Promise<void>>> = {
  'plain.html': async (_page, scripts) => expect(scripts).toEqual(['/embed/mega-live.js']),
  'strict.html': async (page) => {
    const { back } = embedOn(page)
    await expect(back).toHaveCSS('color', 'rgb(142, 202, 230)')
    await expect(back, 'a custom property').toHaveCSS('font-family', 'Georgia, serif')
    await expect(back.locator('..'), 'a part').toHaveCSS('justify-content', 'space-between')
  },
  'react18.html': async (page) => {
    await expect(page.getByRole('heading', { level: 1, name: /React 18\./ })).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: 'sẵn sàng' })).toBeVisible()
  },
  'federated.html': async (page, scripts) => {
    await expect(page.getByRole('heading', { level: 1, name: /React 18\./ })).toBeVisible()
    expect(scripts, 'entry and element').toHaveLength(2)
  },
}

for (const [path, more] of Object.entries(PAGES))
  test(`${path}: the embed loads, can be used, and leads back`, async ({ page, stack, examples }) => {
    const scripts: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'script' && request.url().startsWith(stack.url))
        scripts.push(new URL(request.url()).pathname)
    })
    await page.goto(`${examples.pages}/${path}`)
    const embed = embedOn(page)
    await expect(embed.frame.getByRole('heading', { name: texts.sample })).toBeVisible()
    await expect(embed.overlay).toBeHidden()
    await expect(embed.hint, 'the page has said that it is ready').toBeHidden()
    await more(page, scripts)

    await embed.frame.getByLabel('Họ và tên').fill('Nguyễn Thị Ánh')
    await embed.frame.getByLabel('Số điện thoại').fill('0912345678')
    await embed.frame.getByRole('button', { name: 'Đăng ký theo dõi' }).click()
    await expect(embed.frame.getByText('Đã giữ chỗ cho bạn')).toBeVisible()

    await embed.back.click()
    await expect(page).toHaveURL(`${examples.pages}/`)
  })

test('under Trusted Types without a policy the fallback has the message and the link, and no object', async ({
  page,
  examples,
  expectedErrors,
}) => {
  expectedErrors.push(/TrustedScriptURL/)
  await page.route('**/megalive-sample.html', () => undefined)
  await page.goto(`${examples.pages}/strict.html`, { waitUntil: 'commit' })
  const embed = embedOn(page)
  await expect(embed.overlay).toBeVisible()
  await expire(embed)
  await expect(embed.message).toContainText(texts.unsupported)
  await expect(embed.newTab).toBeVisible()
  await expect(embed.object).toHaveCount(0)
})
