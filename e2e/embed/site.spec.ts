import { brotliCompressSync } from 'node:zlib'
import { violations } from '../src/axe.ts'
import { servePage } from '../src/server.ts'
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

test('other sites may load the script of at most 4 kB, the remote and the list of what is current', async ({
  stack,
}) => {
  const get = async (path: string) => {
    const response = await fetch(new URL(path, stack.url))
    expect(response.status, path).toBe(200)
    expect(response.headers.get('access-control-allow-origin'), path).toBe('*')
    return response
  }
  const { remotes } = await (await get('/composition.json')).json()
  const { version, entry } = remotes['mf-megalive'].current
  await get(entry)
  const pinned = await (await get(`/mf-megalive/${version}/embed/mega-live.js`)).text()
  const newest = await get('/embed/mega-live.js')
  expect(newest.headers.get('cache-control')).toBe('no-cache')
  expect(await newest.text()).toBe(pinned)
  expect(brotliCompressSync(pinned).length, 'bytes of the script').toBeLessThanOrEqual(4096)
  expect(pinned, 'plain ASCII: it survives pages that are not UTF-8').toMatch(/^[\0-\x7f]*$/)
})

test('the preview page builds a snippet that a page can paste', { tag: '@nightly' }, async ({
  page,
  context,
  stack,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(`${stack.url}/embed/preview.html`)
  const embed = embedOn(page)
  await expect(embed.frame.getByRole('heading', { name: texts.sample })).toBeVisible()
  const code = page.locator('code')

  await page.getByLabel('Nút «Quay về» dẫn tới').fill('/')
  await page.getByLabel('Chiều cao (px)').fill('500')
  await page.getByLabel('Ghim phiên bản, kèm mã kiểm tra (integrity)').check()
  await expect(code).toContainText('integrity="sha384-')
  await expect(embed.back).toBeVisible()
  expect((await embed.host.boundingBox())?.height).toBe(500)
  await page.getByRole('button', { name: 'Sao chép' }).click()
  await expect(page.getByText('Đã sao chép.')).toBeVisible()
  expect(await violations(page)).toEqual([])

  // Pasted into a page of another origin, it runs: address, hash and cross-origin headers fit.
  const pasted = await page.evaluate(() => navigator.clipboard.readText())
  expect(pasted).toMatch(/mf-megalive\/\d+\.\d+\.\d+-[0-9a-f]+\/embed\/mega-live\.js/)
  const brand = await servePage(`<!doctype html><title>Brand</title>${pasted}`)
  await page.goto(brand.url)
  await expect(embed.frame.getByRole('heading', { name: texts.sample })).toBeVisible()
  await expect(embed.hint).toBeHidden()
  await brand.close()
})
