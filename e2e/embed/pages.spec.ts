import { type Embed, embedOn, expect, heardOn, picture, test, texts } from './examples.ts'

const PAGES = [
  'plain-html',
  'jquery',
  'react18',
  'react19',
  'vue3',
  'strict-csp',
  'server-rendered',
  'federated-react18',
  'federated-react19',
] as const

/** What the embed computes for itself, whatever the page around it does. */
const ownLook = ({ host }: Embed) =>
  host.evaluate((element) => {
    const pick = (selector: string, names: readonly string[]) => {
      const found = element.shadowRoot?.querySelector(selector)
      if (!found) throw new Error(`${selector} is missing`)
      const style = getComputedStyle(found)
      return names.map((name) => `${name}: ${style.getPropertyValue(name)}`)
    }
    const text = [
      'font-size',
      'line-height',
      'text-transform',
      'letter-spacing',
      'text-align',
      'cursor',
      'float',
    ]
    return {
      back: pick('.back', [...text, 'text-decoration-line', 'display', 'position', 'opacity', 'transform']),
      open: pick('.open', [...text, 'display', 'position', 'opacity', 'transform']),
      frame: pick('iframe', ['display', 'position', 'opacity', 'transform', 'max-width', 'margin-top']),
    }
  })

for (const path of PAGES) {
  test(`${path}: the embed loads, can be used, and tells the page`, async ({ page, examples }) => {
    await page.goto(`${examples.pages}/${path}/`)
    const embed = embedOn(page)
    await expect(embed.frame.getByRole('heading', { name: texts.sample })).toBeVisible()
    await expect(embed.overlay).toBeHidden()
    await expect(embed.hint, 'the page has said that it is there').toBeHidden()
    await expect(embed.message).toBeHidden()
    await expect(embed.newTab).toHaveAttribute('href', `${examples.live}/`)
    await expect(embed.newTab).toHaveAttribute('rel', /noopener/)
    await expect(embed.newTab).toHaveAttribute('target', '_blank')
    expect((await heardOn(page)).filter(({ name }) => name === 'ready').length).toBeGreaterThanOrEqual(1)
    await page.evaluate(() => document.fonts.ready)
    await picture(page, path)

    await embed.frame.getByLabel('Họ và tên').fill('Nguyễn Thị Ánh')
    await embed.frame.getByLabel('Số điện thoại').fill('0912345678')
    await embed.frame.getByRole('button', { name: 'Đăng ký theo dõi' }).click()
    await expect(embed.frame.getByText('Nguyễn Thị Ánh')).toBeVisible()

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
  })
}

test('every page shows the embed in its own look, the jQuery page’s style sheet included', async ({
  page,
  examples,
}) => {
  await page.goto(`${examples.pages}/plain-html/`)
  await expect(embedOn(page).overlay).toBeHidden()
  const plain = await ownLook(embedOn(page))
  expect(plain.back).toContain('font-size: 15px')
  expect(plain.frame).toContain('display: block')

  await page.goto(`${examples.pages}/jquery/`)
  const embed = embedOn(page)
  await expect(embed.overlay).toBeHidden()
  expect(await ownLook(embed)).toEqual(plain)
  await expect(embed.back, 'letters survive another charset').toHaveText('Quay về')
  await expect(page.locator('#wrapper')).toHaveAttribute('data-ready', /message|load/)
})

test('a tab of the jQuery page hides and shows the embed without loading it again', async ({
  page,
  examples,
}) => {
  await page.goto(`${examples.pages}/jquery/`)
  const embed = embedOn(page)
  await embed.frame.getByLabel('Họ và tên').fill('Trần Văn Bình')
  await page.getByRole('link', { name: 'Thể lệ' }).click()
  await expect(embed.host).toBeHidden()
  await page.getByRole('link', { name: 'Trực tiếp' }).click()
  await expect(embed.frame.getByLabel('Họ và tên')).toHaveValue('Trần Văn Bình')
})

test('the script tag costs one request', async ({ page, examples }) => {
  const asked: string[] = []
  page.on('request', (request) => asked.push(request.url()))
  await page.goto(`${examples.pages}/plain-html/`)
  await expect(embedOn(page).overlay).toBeHidden()
  expect(asked.filter((url) => url.startsWith(examples.site))).toEqual([
    `${examples.site}/embed/mega-live.js`,
  ])
})

test('the server-rendered page is taken over as it is', async ({ page, examples }) => {
  const html = await (await fetch(`${examples.pages}/server-rendered/`)).text()
  expect(html).toContain(`<mega-live src="${examples.live}/" back-href="/"></mega-live>`)
  await page.goto(`${examples.pages}/server-rendered/`)
  await expect(page.getByRole('status').filter({ hasText: 'sẵn sàng' })).toBeVisible()
  await expect(page.locator('#root')).not.toHaveAttribute('data-mismatch', /./)
})

for (const [path, version] of [
  ['federated-react18', /React 18\./],
  ['federated-react19', /React 19\./],
] as const) {
  test(`${path}: the remote runs on the host's own React`, async ({ page, examples }) => {
    const scripts: string[] = []
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(request.url())
    })
    await page.goto(`${examples.pages}/${path}/`)
    await expect(page.getByRole('heading', { level: 1, name: version })).toBeVisible()
    await expect(page.locator('#root')).toHaveAttribute('data-ready', /message|load/)
    // Container and component: no React from there.
    expect(scripts.filter((url) => url.startsWith(examples.site))).toHaveLength(2)
  })
}
