import { expect, expire, heardOn, open, picture, test, texts } from './examples.ts'

/**
 * What a member sees when the provider's server refuses, fails, hangs or comes late. The element's own test holds the
 * time-out's length; here the embed waits for an hour, until the test ends that.
 */
const LONG = '3600000'

// spec: embed-hangs
test('a page that never answers: overlay, after the time-out objects, message and a way out', async ({
  page,
  examples,
}) => {
  const embed = await open(page, examples, {
    src: `${examples.live}/hang`,
    'back-href': '/',
    timeout: LONG,
  })
  await expect(embed.overlay).toHaveText(texts.loading)
  await picture(page, 'loading')
  await expect(embed.object).toHaveCount(0)
  await expire(embed)
  await expect(embed.message).toContainText(texts.unsupported)
  await expect(embed.overlay).toBeHidden()
  await expect(embed.object).toBeVisible()
  await expect(embed.host.locator('object > embed')).toHaveAttribute('src', `${examples.live}/hang`)
  await expect(embed.host.locator('iframe'), 'the frame may still come').toHaveCount(1)
  await expect(embed.newTab).toBeVisible()
  await expect(embed.retry).toBeVisible()
  await expect(embed.back).toBeVisible()
  await picture(page, 'fallback')
  expect((await heardOn(page)).map(({ name }) => name)).toEqual(['timeout'])
})

test('an answer of 204 is no page: it falls back', async ({ page, examples }) => {
  const embed = await open(page, examples, { src: `${examples.live}/204`, timeout: LONG })
  await expect(embed.overlay).toBeVisible()
  await expect
    .poll(async () => (await examples.requests()).some((line) => line.startsWith('/204 ')))
    .toBe(true)
  await expire(embed)
  await expect(embed.message).toContainText(texts.unsupported)
  await expect(embed.object).toBeVisible()
  expect((await heardOn(page)).map(({ name }) => name)).toEqual(['timeout'])
})

const REFUSALS = [/Refused to (display|frame)|Framing .* violates|status of 500|ERR_|Loading plugin data/]

for (const [path, about] of [
  ['/xfo', 'refuses framing by X-Frame-Options'],
  ['/ancestors', 'refuses framing by frame-ancestors'],
  ['/500', 'answers 500'],
  ['/500-empty', 'answers 500 with nothing in it'],
  ['/drop', 'drops the connection'],
  ['https://khong-ton-tai.invalid/', 'does not exist'],
] as const) {
  test(`a server that ${about}: the browser fires load, so the embed asks and offers the way out`, async ({
    page,
    examples,
    expectedErrors,
  }) => {
    expectedErrors.push(...REFUSALS)
    const embed = await open(page, examples, { src: new URL(path, examples.live).href })
    await expect(embed.overlay).toBeHidden()
    await expect(embed.hint).toBeVisible()
    await expect(embed.newTab).toBeVisible()
    await expect(embed.host.getByText('Trang cấm nhúng')).toHaveCount(0)
    expect((await heardOn(page))[0]).toMatchObject({ name: 'ready', detail: { by: 'load', late: false } })
  })
}

test('a server that refuses framing, where the page’s ready message is required: the embed falls back', async ({
  page,
  examples,
  expectedErrors,
}) => {
  expectedErrors.push(...REFUSALS)
  const src = `${examples.live}/xfo`
  const embed = await open(page, examples, { src, timeout: LONG, 'require-ready': '' })
  await expect(embed.overlay).toBeVisible()
  // The page's load event waits for the frame's.
  await page.waitForLoadState('load')
  await expect(embed.overlay).toBeVisible()
  await expire(embed)
  await expect(embed.message).toContainText(texts.unsupported)
  await expect(embed.object).toBeAttached()
  await expect(embed.newTab).toBeVisible()
})

const gate = (live: string, key: string) => ({
  src: `${live}/gate?key=${key}`,
  open: () => fetch(`${live}/_open?key=${key}`),
})

test('a page that comes late takes the fallback’s place', async ({ page, examples }) => {
  const late = gate(examples.live, 'late')
  const embed = await open(page, examples, { src: late.src, timeout: LONG })
  await expire(embed)
  await expect(embed.message).toContainText(texts.unsupported)
  await late.open()
  await expect(embed.frame.getByRole('heading', { name: 'Trang đến muộn' })).toBeVisible()
  await expect(embed.message).toBeHidden()
  await expect(embed.object).toHaveCount(0)
  expect((await heardOn(page)).at(-1)).toMatchObject({ name: 'ready', detail: { by: 'load', late: true } })
})

test('a picture that does not end: the member uses the page in the object, and keeps it when the frame loads', async ({
  page,
  examples,
}) => {
  const src = `${examples.live}/image-gate?key=picture`
  const embed = await open(page, examples, { src, timeout: LONG })
  await expire(embed)
  await expect(embed.message).toContainText(texts.unsupported)
  // The covered frame and the object's, which is in front.
  await expect.poll(() => page.frames().filter((frame) => frame.url() === src).length).toBe(2)
  const input = page.frames().at(-1)?.locator('#name') ?? page.locator('none')
  await input.click()
  await page.keyboard.type('Ánh')
  await expect(input).toHaveValue('Ánh')
  await fetch(`${examples.live}/_open?key=picture`)
  await expect(embed.message).toBeHidden()
  await page.keyboard.type(' Nguyễn')
  await expect(input).toHaveValue('Ánh Nguyễn')
  await expect(embed.object).toBeVisible()
})

test('one picture that never ends, but the page says ready: shown at once', async ({ page, examples }) => {
  const embed = await open(page, examples, { src: `${examples.live}/image-ready` })
  await expect(embed.frame.getByRole('heading', { name: 'Trang thiếu ảnh nhưng biết nói' })).toBeVisible()
  await expect(embed.overlay).toBeHidden()
  await expect(embed.hint).toBeHidden()
  expect((await heardOn(page)).map(({ name, detail }) => [name, detail.by])).toEqual([['ready', 'message']])
})

test('a redirect within the provider’s site is followed', async ({ page, examples }) => {
  const embed = await open(page, examples, { src: `${examples.live}/redirect?to=/ready` })
  await expect(embed.frame.getByRole('heading', { name: 'Trang biết nói' })).toBeVisible()
  await expect(embed.hint).toBeHidden()
})

test.describe('ready from a wrong place', () => {
  test('an address that redirects to another site: its message counts only when that origin is listed', async ({
    page,
    examples,
  }) => {
    // The same server under its other host name is another origin.
    const away = examples.live.replace('127.0.0.1', 'localhost')
    const src = `${examples.live}/redirect?${new URLSearchParams({ to: `${away}/image-ready` })}`
    const embed = await open(page, examples, { src, timeout: LONG })
    await expect(embed.frame.getByRole('heading', { name: /biết nói/ })).toBeAttached()
    await expire(embed)
    await expect(embed.message).toContainText(texts.unsupported)

    const listed = await open(page, examples, { src, timeout: LONG, 'ready-origins': away })
    await expect(listed.frame.getByRole('heading', { name: /biết nói/ })).toBeVisible()
    await expect(listed.overlay).toBeHidden()
    await expect(listed.message).toBeHidden()
  })

  test('a frame inside the frame posts it: ignored', async ({ page, examples }) => {
    const inner = `${examples.live}/shout`
    const src = `${examples.live}/nested?${new URLSearchParams({ inner })}`
    const embed = await open(page, examples, { src, 'require-ready': '', timeout: LONG })
    await expect(
      page.frameLocator('iframe').frameLocator('iframe').getByRole('heading', { name: 'Kẻ mạo danh' }),
    ).toBeAttached()
    await expire(embed)
    await expect(embed.message).toContainText(texts.unsupported)
    expect(await embed.host.evaluate((element) => 'proven' in element && element.proven)).toBe(false)
  })

  test('another frame of the same provider on the page posts it: ignored', async ({ page, examples }) => {
    const embed = await open(page, examples, { src: `${examples.live}/hang`, timeout: LONG })
    await page.evaluate((url) => {
      const frame = document.createElement('iframe')
      frame.src = url
      document.body.append(frame)
    }, `${examples.live}/shout`)
    await expect(page.frameLocator('body > iframe').getByRole('heading')).toBeVisible()
    await expect(embed.overlay).toBeVisible()
    await expire(embed)
    await expect(embed.message).toContainText(texts.unsupported)
  })
})

test('retry loads again, and brings a page that works by now', async ({ page, examples }) => {
  let down = true
  await page.route(`${examples.live}/ready`, (route) => (down ? undefined : route.continue()))
  const embed = await open(page, examples, { src: `${examples.live}/ready`, timeout: '300' })
  await expect(embed.message).toContainText(texts.unsupported)
  down = false
  await embed.host.evaluate((element) => element.removeAttribute('timeout'))
  await embed.retry.click()
  await expect(embed.frame.getByRole('heading', { name: 'Trang biết nói' })).toBeVisible()
  await expect(embed.message).toBeHidden()
  await expect(embed.newTab, 'the keyboard stays on the embed').toBeFocused()
})
