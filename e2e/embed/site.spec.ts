import { brotliCompressSync } from 'node:zlib'
import { violations } from '../src/axe.ts'
import { expect, test } from '../src/test.ts'
import { embedOn, texts } from './examples.ts'

/** The embed on our own site, as it is published. */

// spec: megalive-page
test('/megalive shows the sample page over the whole screen, with the way back', async ({ page, stack }) => {
  await page.goto(`${stack.url}/`)
  await page.goto(`${stack.url}/megalive`)
  const embed = embedOn(page)
  await expect(embed.frame.getByRole('heading', { name: texts.sample })).toBeVisible()
  await expect(embed.overlay).toBeHidden()
  await expect(embed.hint).toBeHidden()
  const frame = await page.locator('iframe').boundingBox()
  expect(frame?.width).toBe(390)
  expect((frame?.y ?? 0) + (frame?.height ?? 0)).toBe(844)
  expect(await violations(page)).toEqual([])
  const look = await embed.host.evaluate((element) => {
    const own = getComputedStyle(element)
    const page = getComputedStyle(document.body)
    return ['ground', 'ink', 'accent', 'line', 'font'].map((name) => [
      own.getPropertyValue(`--mega-live-${name}`),
      page.getPropertyValue(`--${name}`),
    ])
  })
  for (const [passed, ours] of look) expect(passed, 'the theme reaches the embed').toBe(ours)
  await expect(embed.back).toHaveCSS('font-family', /Be Vietnam Pro/)

  await embed.back.click()
  await expect(page).toHaveURL(`${stack.url}/`)
})

test('the sample page has no flaws of its own, narrow or wide', { tag: '@nightly' }, async ({
  page,
  stack,
}) => {
  await page.goto(`${stack.url}/megalive-sample.html`)
  expect(await violations(page)).toEqual([])
  await page.getByRole('button', { name: 'Đăng ký theo dõi' }).click()
  await expect(page.getByLabel('Họ và tên')).toBeFocused()
  expect(await violations(page)).toEqual([])
  await page.setViewportSize({ width: 320, height: 640 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320)
})

test('the script for other pages is at most 4 kB', async ({ stack }) => {
  const script = await (await fetch(`${stack.url}/embed/mega-live.js`)).text()
  expect(brotliCompressSync(script).length).toBeLessThanOrEqual(4096)
  expect(script, 'plain ASCII: it survives pages that are not UTF-8').toMatch(/^[\0-\x7f]*$/)
})
