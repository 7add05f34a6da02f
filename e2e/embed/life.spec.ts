import { join } from 'node:path'
import { ROOT } from '../src/stack.ts'
import { embedOn, expect, heardOn, open, test, texts } from './examples.ts'

test('moved by moveBefore, it keeps the page', { tag: '@nightly' }, async ({ page, examples }) => {
  const embed = await open(page, examples, { src: `${examples.live}/` })
  await embed.frame.getByLabel('Họ và tên').fill('Ánh')
  await page.evaluate(() => {
    const box = document.createElement('section')
    document.body.append(box)
    const element = document.querySelector('mega-live')
    // Not in TypeScript's DOM library yet.
    const { moveBefore } = box as unknown as { moveBefore(node: Node | null, before: Node | null): void }
    moveBefore.call(box, element, null)
  })
  await expect(page.locator('section > mega-live')).toHaveCount(1)
  await expect(embed.frame.getByLabel('Họ và tên')).toHaveValue('Ánh')
  expect((await heardOn(page)).filter(({ name }) => name === 'ready')).toHaveLength(1)
})

test('a tag before the script, the script twice, and another build: its content, then one embed of one class', {
  tag: '@nightly',
}, async ({ page, examples }) => {
  await page.goto(`${examples.pages}/`)
  await page.evaluate((src) => {
    const early = document.createElement('mega-live')
    early.innerHTML = '<a href="https://live.example/">Trang đăng ký</a>'
    Object.assign(early, { src, backHref: '/somewhere', requireReady: true })
    document.body.prepend(early)
  }, `${examples.live}/ready`)
  await expect(page.getByRole('link', { name: 'Trang đăng ký' })).toBeVisible()

  await page.addScriptTag({ url: `${examples.site}/embed/mega-live.js` })
  const embed = embedOn(page)
  await expect(embed.frame.getByRole('heading', { name: 'Trang biết nói' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Trang đăng ký' })).toBeHidden()
  await expect(embed.host).toHaveAttribute('src', `${examples.live}/ready`)
  await expect(embed.host).toHaveAttribute('require-ready', '')
  await expect(embed.back).toHaveAttribute('href', `${examples.pages}/somewhere`)

  const before = await page.evaluateHandle(() => customElements.get('mega-live'))
  await page.addScriptTag({ url: `${examples.site}/embed/mega-live.js?again` })
  await page.addScriptTag({ url: `${examples.pages}/bundles/vue3.js` }).catch(() => undefined)
  expect(await before.evaluate((one) => one === customElements.get('mega-live'))).toBe(true)
})

test('a new tab opens the page on its own, without a way to this one', { tag: '@nightly' }, async ({
  page,
  context,
  examples,
}) => {
  const embed = await open(page, examples, { src: `${examples.live}/ready` })
  await expect(embed.overlay).toBeHidden()
  const [tab] = await Promise.all([context.waitForEvent('page'), embed.newTab.click()])
  await expect(tab.getByRole('heading', { name: 'Trang biết nói' })).toBeVisible()
  expect(await tab.evaluate(() => [window.opener, document.referrer])).toEqual([null, ''])
  expect((await heardOn(page)).at(-1)).toEqual({ name: 'open', detail: { href: `${examples.live}/ready` } })
})

test(
  'colours, font and parts are the page’s to choose; 320 px is wide enough',
  { tag: '@nightly' },
  async ({ page, examples }, info) => {
    await page.goto(`${examples.pages}/strict-csp/`)
    const embed = embedOn(page)
    await expect(embed.overlay).toBeHidden()
    await expect(embed.frame.getByRole('heading', { name: texts.sample })).toBeVisible()
    // The guide's picture.
    if (info.config.updateSnapshots === 'all')
      await page.screenshot({
        path: join(ROOT, 'docs/screens/embed-strict-csp.jpg'),
        type: 'jpeg',
        quality: 72,
      })
    const look = await embed.back.evaluate((link) => {
      const { color, fontFamily } = getComputedStyle(link)
      return { color, fontFamily }
    })
    expect(look).toEqual({ color: 'rgb(142, 202, 230)', fontFamily: 'Georgia, serif' })

    await page.setViewportSize({ width: 320, height: 640 })
    await page.goto(
      `${examples.pages}/try?${new URLSearchParams({ src: `${examples.live}/silent`, 'back-href': '/' })}`,
    )
    await expect(embed.hint).toBeVisible()
    for (const one of [embed.back, embed.hint, embed.newTab]) {
      const box = await one.boundingBox()
      expect(box && box.x >= 0 && box.x + box.width <= 320).toBe(true)
    }
    for (const one of [embed.back, embed.newTab]) {
      expect((await one.boundingBox())?.height).toBeGreaterThanOrEqual(44)
    }
  },
)
