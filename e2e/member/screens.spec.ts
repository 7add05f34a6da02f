import type { Locator, Page } from '@playwright/test'
import { FAULTS, ok } from '../src/faults.ts'
import {
  card,
  claimButton,
  loginHeading,
  openAs,
  routerIsUp,
  saveSession,
  takenOver,
  toasts,
} from '../src/members.ts'
import { openScreen, typefaceArrived } from '../src/screens.ts'
import { expect, test } from '../src/test.ts'
import { overflow } from '../visual/layout.ts'

/**
 * Requirements of the specification (sections 2, 4 and 9) that only a browser
 * can measure.
 */

/**
 * Names of the layout's visible pictures, without hash and extension. The
 * ornaments are images of a border.
 */
const picturesShown = (page: Page) =>
  page.evaluate(() => {
    const layout = document.querySelector('main')?.parentElement ?? document.body
    const ornaments = ['::before', '::after'].map(
      (part) => getComputedStyle(layout, part).borderImageSource,
    )
    return [...[...document.images].map(({ currentSrc }) => currentSrc), ...ornaments]
      .flatMap((url) => /(wordmark-\w+|side-frame|bottom)\./.exec(url)?.[1] ?? [])
      .sort()
  })

// spec: layout-switch
test('the layout switches at a width of 1200 px', async ({ page, stack }) => {
  await page.goto(`${stack.url}/login`)
  await expect(loginHeading(page)).toBeVisible()
  for (const [width, pictures] of [
    [1201, ['side-frame', 'side-frame', 'wordmark-desktop']],
    [1200, ['bottom', 'wordmark-mobile']],
  ] as const) {
    await page.setViewportSize({ width, height: 800 })
    await expect.poll(() => picturesShown(page)).toEqual(pictures)
  }
})

// spec: table-heights
test('the tables of the history have the specified heights', async ({ page, faulty }) => {
  const code_details = Array.from({ length: 18 }, (_, n) => ({
    event_code_detail: 'NAP_300',
    code: [`A51C-20QB-17C${n}`],
    claimed_at: '2025-08-18T20:05:30+07:00',
  }))
  const giftcode_trade = code_details.map(({ claimed_at }, n) => ({
    giftcode: `G${n}`,
    traded_at: claimed_at,
  }))
  await saveSession(page.context(), faulty.url, 'token', 'demo01')
  for (const [trades, wide] of [
    [[], 270],
    [giftcode_trade, 160],
  ] as const) {
    faulty.break('GET /api/client/history', ok({ code_details, giftcode_trade: trades }))
    await page.goto(`${faulty.url}/histories`)
    const tables = page.getByRole('main').getByRole('region')
    await expect(tables).toHaveCount(trades.length > 0 ? 2 : 1)
    for (const [width, height] of [
      [1280, wide],
      [1200, wide],
      [1199, 150],
      [390, 150],
    ] as const) {
      await page.setViewportSize({ width, height: 800 })
      for (const table of await tables.all())
        expect((await table.boundingBox())?.height, `at ${width} px`).toBeCloseTo(height, 0)
    }
  }
})

/** Returns the distances of links and list items from the page's top. */
const places = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('main :is(nav a, li)')].map(
      (one) => one.getBoundingClientRect().top + scrollY,
    ),
  )

for (const name of ['landing', 'home'])
  test(`${name}: a draw that begins and ends shifts nothing on phones`, async ({
    page,
    faulty,
  }) => {
    faulty.break('GET /api/client/draws', ok([]))
    await openScreen(name, { page, faulty })
    await page.clock.pauseAt(new Date('2025-09-09T19:59:00+07:00'))
    const measure = async () => {
      const found: number[][] = []
      for (const width of [320, 390, 600, 844]) {
        await page.setViewportSize({ width, height: width === 844 ? 390 : 844 })
        found.push(await places(page))
      }
      return found
    }
    for (const [minutes, links] of [
      [1, 1],
      [120, 0],
    ] as const) {
      const before = await measure()
      await page.clock.fastForward(minutes * 60_000 + 1000)
      await expect(page.getByRole('link', { name: 'Xem trực tiếp' })).toHaveCount(links)
      expect(await measure()).toEqual(before)
    }
  })

test('a failed claim and a lost network shift no card', async ({
  page,
  context,
  faulty,
  expectedErrors,
}) => {
  expectedErrors.push(/^Failed to load resource/)
  faulty.break('POST /api/client/take-code', FAULTS['500'])
  await openScreen('home', { page, faulty })
  for (const [width, mission] of [
    [390, 'Tổng cược'],
    [320, '10 lần'],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    const before = await places(page)
    await claimButton(page, mission).click()
    await page.clock.runFor(1000)
    await expect(card(page, mission).getByText('Vé chưa được ghi nhận.')).toBeVisible()
    expect(await places(page), `at ${width} px`).toEqual(before)
  }
  const before = await places(page)
  await context.setOffline(true)
  await expect(page.getByText('Không có kết nối mạng')).toBeVisible()
  expect(await places(page)).toEqual(before)
})

test('long codes and names fit a phone, with large text too', async ({ page, faulty }) => {
  const code = ['WWWW-WWWW-WWWW', 'MMMM-MMMM-MMMM', 'WMWM-WMWM-MWMW']
  const winners = { draw: 1, prize: 'Voucher 10 triệu đồng', codes: code }
  faulty.break('GET /api/client/draws', ok([winners]))
  const entry = { event_code_detail: 'CHIASE', name: 'Chia sẻ bài viết lên Facebook', code }
  const code_details = [{ ...entry, claimed_at: '2025-08-18T20:05:30+07:00' }]
  const giftcode_trade = code.map((giftcode) => ({
    giftcode,
    traded_at: '2025-09-09T21:15:00+07:00',
  }))
  faulty.break('GET /api/client/history', ok({ code_details, giftcode_trade, last_draw: 1 }))
  faulty.break('GET /api/client/info', ok([entry]))
  await saveSession(
    page.context(),
    faulty.url,
    'token',
    'thanh_vien_co_ten_dang_nhap_rat_dai_1234567890',
  )
  for (const [path, there] of [
    ['/', winners.prize],
    ['/histories', 'FACEBOOK'],
    ['/home', 'Nhiệm vụ nhận vé'],
  ] as const) {
    await page.goto(faulty.url + path)
    const last = page.getByText(there, { exact: false }).last()
    await expect(last).toBeAttached()
    await typefaceArrived(page)
    for (const [width, text] of [
      [320, '100%'],
      [344, '100%'],
      [390, '100%'],
      [480, '100%'],
      [390, '200%'],
    ] as const) {
      const at = `${path} at ${width} px, text at ${text}`
      await page.setViewportSize({ width, height: 844 })
      await page.evaluate(
        (size) => document.documentElement.style.setProperty('font-size', size),
        text,
      )
      expect(await overflow(page), at).toBe(0)
      if (path !== '/histories' || text !== '100%') continue
      for (const table of await page.getByRole('main').getByRole('region').all())
        expect(await table.evaluate((box) => box.scrollWidth - box.clientWidth), at).toBe(0)
      const lines = await last.evaluate(({ firstChild }, word) => {
        const range = new Range()
        if (!(firstChild instanceof Text)) throw new Error('no text')
        range.setStart(firstChild, firstChild.data.indexOf(word))
        range.setEnd(firstChild, firstChild.data.length)
        return range.getClientRects().length
      }, there)
      expect(lines, `lines of a word, ${at}`).toBe(1)
    }
  }
})

test('a toast in a dialog covers no control and no field in error', async ({ page, faulty }) => {
  await openScreen('home-share', { page, faulty })
  const dialog = page.getByRole('dialog')
  const submit = dialog.getByRole('button', { name: 'Gửi link' })
  const fields = dialog.getByRole('textbox')
  for (const n of [0, 1, 2]) await fields.nth(n).fill(`https://www.facebook.com/posts/${n}`)
  const title = dialog.getByRole('heading')
  const close = dialog.getByRole('button', { name: 'Đóng', exact: true })
  for (const [width, height] of [
    [320, 568],
    [360, 640],
    [844, 390],
    [1280, 720],
  ] as const) {
    await page.setViewportSize({ width, height })
    await submit.click()
    await page.clock.runFor(200)
    await expect(toasts(page)).toHaveCount(1)
    await expect(fields.last()).toBeInViewport({ ratio: 1 })
    const toast = await toasts(page).boundingBox()
    for (const control of [title, close, submit, fields.last()]) {
      const box = await control.boundingBox()
      if (!toast || !box) throw new Error('not shown')
      const isClear = box.y + box.height <= toast.y || box.y >= toast.y + toast.height
      expect(isClear, `${control} at ${width}x${height}`).toBe(true)
    }
    await page.clock.runFor(3000)
    await expect(toasts(page)).toHaveCount(0)
  }
})

const edges = (box: Locator) =>
  box.evaluate((one) =>
    ['', '::after']
      .map((part) => {
        const { borderTopStyle, outlineStyle } = getComputedStyle(one, part)
        return [borderTopStyle, outlineStyle]
      })
      .join(),
  )
const TICKETS = [
  'dialog li > div > div',
  'dialog li button',
  '[data-filled]',
  '[data-filled] + span',
]

for (const [name, boxes] of [
  ['home-share', []],
  ['home-codes', TICKETS],
  ['home-won', ['main section', ...TICKETS]],
] as const)
  test(`${name}: forced colours keep the edges of cards, dialogs and toasts`, async ({
    page,
    faulty,
  }) => {
    await page.emulateMedia({ forcedColors: 'active' })
    await openScreen(name, { page, faulty })
    await page.getByRole('button', { name: /^(Gửi link|Sao chép mã)/ }).click()
    await page.clock.runFor(100)
    await expect(toasts(page)).toHaveCount(1)
    for (const box of ['main li[data-ground]', 'dialog', '[data-kind]', ...boxes])
      expect(await edges(page.locator(box).first()), box).toMatch(/solid|dashed/)
  })

test('forced colours leave no picture behind the text of the landing page', async ({
  page,
  stack,
}) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto(stack.url)
  await expect(page.getByRole('main')).toHaveAttribute('data-decorated')
  // Chromium lays the page's colour under each line of text, on a picture like
  // a patch.
  await expect(page.locator('main > div').first()).toHaveCSS('background-image', 'none')
})

test('a running claim blocks pull-to-refresh, and links still work', async ({
  page,
  faulty,
  guest,
}) => {
  faulty.hold('POST /api/client/take-code')
  await openAs(page, guest, faulty.url)
  const root = page.locator('html')
  await expect(root, 'quick taps do not zoom').toHaveCSS('touch-action', 'manipulation')
  await expect(root).toHaveCSS('overscroll-behavior-y', 'auto')
  await claimButton(page, '300').click()
  await expect(root).toHaveCSS('overscroll-behavior-y', 'contain')
  await expect.poll(() => faulty.count('POST /api/client/take-code')).toBe(1)
  // The overlay lets clicks through.
  for (const other of [/^Thể lệ/, /^Lịch sử/]) await page.getByText(other).click({ trial: true })
  await page.getByText(/^Quay về/).click()
  await expect(loginHeading(page)).toBeVisible()
  await expect(root).toHaveCSS('overscroll-behavior-y', 'auto')
  faulty.release()
})

test('the second of two quick taps does not log the member out', async ({ page, stack, guest }) => {
  // The clock is paused, so that the taps are quick on any machine.
  await page.clock.install()
  await openAs(page, guest, stack.url, '/histories')
  await takenOver(page)
  await routerIsUp(page)
  await page.clock.pauseAt(Date.now() + 60_000)
  const session = await page.context().newCDPSession(page)
  const tap = async (control: Locator) => {
    const box = await control.boundingBox()
    if (!box) throw new Error('not shown')
    const touchPoints = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }]
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  }
  await tap(page.getByRole('link', { name: 'Quay về' }))
  const logout = page.getByRole('button', { name: 'Quay về' })
  await tap(logout)
  await expect(logout).toBeVisible()
  await expect(page).toHaveURL(`${stack.url}/home`)
  // A later tap counts.
  await page.clock.runFor(1000)
  await tap(logout)
  await expect(loginHeading(page)).toBeVisible()
})
