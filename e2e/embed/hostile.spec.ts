import type { Page } from '@playwright/test'
import { embedOn, expect, expire, heardOn, open, phasesOn, picture, test, texts } from './examples.ts'

/**
 * What a member sees when the provider's server refuses, fails, hangs or comes late. One test waits the specified ten
 * seconds out; the others give the embed an hour, look, and then end the waiting.
 */
const LONG = '3600000'
const shown = async (page: Page) => (await phasesOn(page)).map(({ phase }) => phase)

// spec: embed-hangs
test('a page that never answers: overlay for ten seconds, then objects, message and a way out', async ({
  page,
  examples,
}) => {
  const embed = await open(page, examples, { src: `${examples.live}/hang`, 'back-href': '/' })
  await expect(embed.overlay).toHaveText(texts.loading)
  await picture(page, 'loading')
  await expect(embed.object).toHaveCount(0)
  await expect(embed.message).toContainText(texts.unsupported, { timeout: 20_000 })
  await expect(embed.overlay).toBeHidden()
  await expect(embed.object).toBeVisible()
  await expect(embed.host.locator('object > embed')).toHaveAttribute('src', `${examples.live}/hang`)
  await expect(embed.host.locator('iframe'), 'the frame may still come').toHaveCount(1)
  await expect(embed.newTab).toBeVisible()
  await expect(embed.retry).toBeVisible()
  await expect(embed.back).toBeVisible()
  await picture(page, 'fallback')
  const [start, end, ...more] = await phasesOn(page)
  expect([start?.phase, end?.phase, more]).toEqual(['loading', 'fallback', []])
  const waited = (end?.at ?? 0) - (start?.at ?? 0)
  expect(waited).toBeGreaterThanOrEqual(9_950)
  expect(waited).toBeLessThan(12_000)
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

for (const [path, about] of [
  ['/xfo', 'refuses framing by X-Frame-Options'],
  ['/ancestors', 'refuses framing by frame-ancestors'],
  ['/500', 'answers 500'],
  ['/500-empty', 'answers 500 with nothing in it'],
  ['/drop', 'drops the connection'],
] as const) {
  const refusals = [/Refused to (display|frame)|Framing .* violates|status of 500|ERR_|Loading plugin data/]

  test(`a server that ${about}: the browser says load, so the embed asks and offers the way out`, async ({
    page,
    examples,
    expectedErrors,
  }) => {
    expectedErrors.push(...refusals)
    const embed = await open(page, examples, { src: `${examples.live}${path}` })
    await expect(embed.overlay).toBeHidden()
    await expect(embed.hint).toBeVisible()
    await expect(embed.newTab).toBeVisible()
    await expect(embed.host.getByText('Trang cấm nhúng')).toHaveCount(0)
    expect((await heardOn(page))[0]).toMatchObject({ name: 'ready', detail: { by: 'load', late: false } })
  })

  test(`a server that ${about}: where the page’s own word is required, it falls back in time`, async ({
    page,
    examples,
    expectedErrors,
  }) => {
    expectedErrors.push(...refusals)
    const embed = await open(page, examples, {
      src: `${examples.live}${path}`,
      timeout: LONG,
      'require-ready': '',
    })
    await expect(embed.overlay).toBeVisible()
    // The frame's load has been and gone.
    await page.waitForLoadState('load')
    await expect(embed.overlay).toBeVisible()
    await expire(embed)
    await expect(embed.message).toContainText(texts.unsupported)
    await expect(embed.object).toBeAttached()
    await expect(embed.newTab).toBeVisible()
    expect((await heardOn(page)).map(({ name }) => name)).toEqual(['timeout'])
  })
}

test('a host that does not exist: the embed asks and offers the way out', async ({
  page,
  examples,
  expectedErrors,
}) => {
  expectedErrors.push(/ERR_/)
  const embed = await open(page, examples, { src: 'https://khong-ton-tai.invalid/' })
  await expect(embed.overlay).toBeHidden()
  await expect(embed.hint).toBeVisible()
  await expect(embed.newTab).toBeVisible()
})

const gate = (live: string, key: string) => ({
  src: `${live}/gate?key=${key}`,
  open: () => fetch(`${live}/_open?key=${key}`),
})

test('a page that comes in time, though slowly: only the overlay, then the page', async ({
  page,
  examples,
}) => {
  const slow = gate(examples.live, 'slow')
  const embed = await open(page, examples, { src: slow.src, timeout: LONG })
  await expect(embed.overlay).toBeVisible()
  await slow.open()
  await expect(embed.frame.getByRole('heading', { name: 'Trang đến muộn' })).toBeVisible()
  await expect(embed.overlay).toBeHidden()
  expect(await shown(page)).toEqual(['loading', 'shown'])
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

test('one picture that never ends: after the time-out the member can use the page in the object', async ({
  page,
  examples,
}) => {
  const embed = await open(page, examples, { src: `${examples.live}/image`, timeout: LONG })
  await expect(embed.overlay).toBeVisible()
  await expire(embed)
  await expect(embed.message).toContainText(texts.unsupported)
  // Two frames by now: the covered one and the object's, the latter in front.
  await expect.poll(() => page.frames().filter((frame) => frame.url().endsWith('/image')).length).toBe(2)
  const box = await embed.object.boundingBox()
  if (!box) throw new Error('the object has no box')
  const input = page.frames().at(-1)?.locator('#name')
  await input?.click()
  await page.keyboard.type('Ánh')
  await expect(input ?? page.locator('none')).toHaveValue('Ánh')
})

test('the picture ends at last, while the member is at work in the object: nothing is taken away', async ({
  page,
  examples,
}) => {
  const src = `${examples.live}/image-gate?key=picture`
  const embed = await open(page, examples, { src, timeout: LONG })
  await expire(embed)
  await expect(embed.message).toContainText(texts.unsupported)
  await expect.poll(() => page.frames().filter((frame) => frame.url() === src).length).toBe(2)
  const input = page.frames().at(-1)?.locator('#name') ?? page.locator('none')
  await input.click()
  await page.keyboard.type('Ánh')
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
  test('an address that redirects to another site: its word counts only when it is listed', async ({
    page,
    examples,
  }) => {
    // The same provider under its other name is another origin.
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

  test('a frame inside the frame says it: not our frame, not heard', async ({ page, examples }) => {
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

  test('another frame of the same provider on the page says it: heard by nobody', async ({
    page,
    examples,
  }) => {
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
    expect(await shown(page)).toEqual(['loading', 'fallback'])
  })

  test('the page itself says it: not heard', async ({ page, examples }) => {
    const embed = await open(page, examples, { src: `${examples.live}/hang`, timeout: LONG })
    await page.evaluate(async () => {
      const heard = new Promise((done) => addEventListener('message', done))
      postMessage({ type: 'mega-live:ready' }, '*')
      await heard
    })
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

test('one embed’s trouble is not the other’s', async ({ page, examples }) => {
  await page.goto(`${examples.pages}/try?src=${examples.live}/hang&timeout=1000`, { waitUntil: 'commit' })
  await embedOn(page).host.waitFor({ state: 'attached' })
  await page.evaluate((src) => {
    const second = document.createElement('mega-live')
    second.setAttribute('src', src)
    document.body.append(second)
  }, `${examples.live}/ready`)
  const [broken, fine] = [embedOn(page, 0), embedOn(page, 1)]
  await expect(fine.frame.getByRole('heading', { name: 'Trang biết nói' })).toBeVisible()
  await expect(broken.message).toContainText(texts.unsupported)
  await expect(fine.message).toBeHidden()
})
