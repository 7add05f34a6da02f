import type { Page } from '@playwright/test'
import { nightlyUnless } from '../src/test.ts'
import { type Embed, embedOn, expect, heardOn, test, texts } from './examples.ts'

/** What else a page shows, told by its scripts from the embed's site. */
type More = (page: Page, scripts: readonly string[], live: string) => Promise<void>

const nothing: More = async () => undefined
const oneScript: More = async (_page, scripts) =>
  expect(scripts.map((url) => new URL(url).pathname)).toEqual(['/embed/mega-live.js'])
/** The remote runs on the host's own React. */
const federated =
  (version: RegExp): More =>
  async (page, scripts) => {
    await expect(page.getByRole('heading', { level: 1, name: version })).toBeVisible()
    await expect(page.locator('#root')).toHaveAttribute('data-ready', /message|load/)
    expect(scripts, 'container and component').toHaveLength(2)
  }
/** React takes over the server's HTML as it is. */
const hydrated: More = async (page, _scripts, live) => {
  const html = await (await fetch(page.url())).text()
  expect(html).toContain(`<mega-live src="${live}/" back-href="/"></mega-live>`)
  await expect(page.getByRole('status').filter({ hasText: 'sẵn sàng' })).toBeVisible()
  await expect(page.locator('#root')).not.toHaveAttribute('data-mismatch', /./)
}

const PAGES: Readonly<Record<string, More>> = {
  'plain-html': oneScript,
  jquery: nothing,
  react18: nothing,
  react19: nothing,
  vue3: nothing,
  'strict-csp': nothing,
  'server-rendered': hydrated,
  'federated-react18': federated(/React 18\./),
  'federated-react19': federated(/React 19\./),
}

/** What a page's styles would change first. */
const LOOK = [
  'font-size',
  'line-height',
  'text-transform',
  'text-decoration-line',
  'letter-spacing',
  'text-align',
  'cursor',
  'float',
  'display',
  'position',
  'opacity',
  'transform',
  'max-width',
  'margin-top',
]
/** What the embed computes for itself, whatever the page around it does. */
const ownLook = async ({ back, newTab, host }: Embed) =>
  await Promise.all(
    [back, newTab, host.locator('iframe')].map((part) =>
      part.evaluate((element, names) => {
        const style = getComputedStyle(element)
        return names.map((name) => `${name}: ${style.getPropertyValue(name)}`)
      }, LOOK),
    ),
  )

/** By the script alone, under a strict policy, and as a remote of another host. */
const DAILY = ['plain-html', 'strict-csp', 'federated-react18']

for (const [path, more] of Object.entries(PAGES)) {
  test(
    `${path}: the embed loads, can be used, and tells the page`,
    nightlyUnless(DAILY.includes(path)),
    async ({ page, examples }) => {
      const scripts: string[] = []
      page.on('request', (request) => {
        if (request.resourceType() === 'script' && request.url().startsWith(examples.site))
          scripts.push(request.url())
      })
      await page.goto(`${examples.pages}/${path}/`)
      const embed = embedOn(page)
      await expect(embed.frame.getByRole('heading', { name: texts.sample })).toBeVisible()
      await expect(embed.overlay).toBeHidden()
      await expect(embed.hint, 'the page has said that it is there').toBeHidden()
      await expect(embed.message).toBeHidden()
      expect((await heardOn(page)).filter(({ name }) => name === 'ready').length).toBeGreaterThanOrEqual(1)
      await more(page, scripts, examples.live)

      await embed.frame.getByLabel('Họ và tên').fill('Nguyễn Thị Ánh')
      await embed.frame.getByLabel('Số điện thoại').fill('0912345678')
      await embed.frame.getByRole('button', { name: 'Đăng ký theo dõi' }).click()
      await expect(embed.frame.getByText('Đã giữ chỗ cho bạn')).toBeVisible()

      await expect(embed.back).toBeVisible()
      await embed.back.click()
      const back = (await heardOn(page).catch(() => [])).find(({ name }) => name === 'back')
      const asksItself = /^(react1[89]|vue3|server-rendered)$/.test(path)
      if (asksItself) {
        expect(back?.detail).toEqual({ href: `${examples.pages}/` })
        await expect(page.getByRole('status').filter({ hasText: 'đã quay về' })).toBeVisible()
        await page.getByRole('button', { name: 'Ẩn', exact: true }).click()
        await expect(page.locator('mega-live')).toHaveCount(0)
        await page.getByRole('button', { name: 'Hiện', exact: true }).click()
        await expect(embed.frame.getByRole('heading', { name: texts.sample })).toBeVisible()
        const readies = async () => (await heardOn(page)).filter(({ name }) => name === 'ready')
        await expect.poll(readies, 'shown again, it begins anew').toHaveLength(2)
      } else {
        await expect(page).toHaveURL(`${examples.pages}/`)
      }
    },
  )
}

test('the jQuery page’s style sheet leaves the embed alone, and its tabs do not load it again', {
  tag: '@nightly',
}, async ({ page, examples }) => {
  await page.goto(`${examples.pages}/plain-html/`)
  await expect(embedOn(page).overlay).toBeHidden()
  const plain = await ownLook(embedOn(page))
  expect(plain[0]).toContain('font-size: 15px')
  expect(plain[2]).toContain('display: block')

  await page.goto(`${examples.pages}/jquery/`)
  const embed = embedOn(page)
  await expect(embed.overlay).toBeHidden()
  expect(await ownLook(embed)).toEqual(plain)
  await expect(embed.back, 'letters survive another charset').toHaveText('Quay về')
  await expect(page.locator('#wrapper')).toHaveAttribute('data-ready', /message|load/)

  await embed.frame.getByLabel('Họ và tên').fill('Trần Văn Bình')
  await page.getByRole('link', { name: 'Thể lệ' }).click()
  await expect(embed.host).toBeHidden()
  await page.getByRole('link', { name: 'Trực tiếp' }).click()
  await expect(embed.frame.getByLabel('Họ và tên')).toHaveValue('Trần Văn Bình')
})
