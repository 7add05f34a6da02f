import { expect, type Page } from '@playwright/test'
import { answer, FAULTS, ok, refused } from './faults.ts'
import type { Fault, FaultyProxy } from './faulty-proxy.ts'
import { card, names, routerIsUp, saveSession, sendLogin, takenOver, toasts } from './members.ts'

/** Inside stage 1, as the demo's event clock is. */
const OPENED = new Date('2025-08-20T20:00:00+07:00')
/**
 * The browser's clock stops here, so that countdowns and toasts do not move.
 */
const STOPPED = new Date('2025-08-20T20:01:00+07:00')

const INFO = 'GET /api/client/info'
const HISTORY = 'GET /api/client/history'
const DRAWS = 'GET /api/client/draws'

interface Scene {
  readonly page: Page
  readonly faulty: FaultyProxy
}

type Open = (scene: Scene) => Promise<void>
type Screens = Readonly<Record<string, Open>>

/** Screens with an animation, unless the member prefers reduced motion. */
export const MOVING: ReadonlySet<string> = new Set(['home', 'home-codes'])

/**
 * Real ticket codes are random; pictures need constant ones. All four states of
 * a card.
 */
const missions = [
  ['NAP_300', 'Tổng nạp 300 điểm', 1, 'A51C-20QB-17C0'],
  ['CUOC_5000', 'Tổng cược 5.000 điểm', 2, ''],
  ['NAP_STREAK', 'Nạp tiền 5 ngày liên tiếp', 3, ''],
  ['NAP_15000', 'Tổng nạp 15.000 điểm', 0, ''],
  ['NAP_10LAN', 'Nạp tiền 10 lần', 2, ''],
  ['CHIASE', 'Chia sẻ bài viết lên Facebook', 2, ''],
].map(([event_code_detail, name, claimed, code]) => ({ event_code_detail, name, claimed, code }))

const tickets = missions.map(({ event_code_detail, name }, index) => ({
  event_code_detail,
  name,
  code: index === 3 ? ['Z07K-9M4T-XW2E', 'M3QF-8H1D-55KA'] : [`A51C-20QB-17C${index}`],
  claimed_at: `2025-08-${18 - index}T20:05:3${index}+07:00`,
}))
const giftcodes = [1, 2].map((n) => ({
  giftcode: `999K-DEMO-000${n}`,
  traded_at: `2025-08-1${n}T21:15:0${n}+07:00`,
}))

/** Waits for the typeface, which loads after the page (shell/src/main.tsx). */
export const typefaceArrived = (page: Page) => expect.poll(() => hasTypeface(page)).toBe(true)

const hasTypeface = (page: Page): Promise<boolean> =>
  page.evaluate(() =>
    [...document.fonts].some(
      ({ family, status }) => /Be Vietnam Pro"?$/.test(family) && status === 'loaded',
    ),
  )

/**
 * Stops the clock. A countdown that has just rendered sets its timer first, so
 * the last seconds are gone through one by one.
 */
async function stopAt(page: Page, time: Date): Promise<void> {
  const seconds = 3
  const start = time.getTime() - seconds * 1000
  await page.clock.pauseAt(start)
  // A fixed time goes on from here.
  await page.clock.setSystemTime(start)
  for (let second = 0; second < seconds; second++) {
    await page.evaluate(() => document.fonts.ready)
    await page.clock.runFor(1000)
  }
}

/**
 * Stops the clock a minute later, when toasts are gone. Not while something
 * loads: its deadline would pass.
 */
async function stop(page: Page): Promise<void> {
  await typefaceArrived(page)
  await stopAt(page, STOPPED)
}

async function asMember({ page, faulty }: Scene): Promise<void> {
  faulty.break(INFO, ok(missions))
  faulty.break(HISTORY, ok({ code_details: tickets, giftcode_trade: giftcodes }))
  await saveSession(page.context(), faulty.url, 'token-of-a-picture', 'demo01')
}

const visit =
  (path: string, heading: string): Open =>
  async ({ page, faulty }) => {
    await page.goto(faulty.url + path)
    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
  }

async function login(scene: Scene): Promise<void> {
  await visit('/login', names.login)(scene)
  await takenOver(scene.page)
  await stop(scene.page)
}

/** They come after the list, and not while the clock stands. */
const prizesArrived = (page: Page) =>
  expect(page.getByRole('heading', { name: 'Cơ cấu giải thưởng' })).toBeVisible()

/** Both come when the browser is idle, and not while the clock stands. */
async function decorated(page: Page): Promise<void> {
  await expect(page.getByRole('timer')).toBeVisible()
  await expect(page.getByRole('main')).toHaveAttribute('data-decorated')
  await page.waitForLoadState('networkidle')
}

async function home(scene: Scene): Promise<void> {
  await asMember(scene)
  await visit('/home', 'Tổng nạp 300 điểm')(scene)
  await prizesArrived(scene.page)
  await stop(scene.page)
}

const dialogIsOpen = (page: Page, name: string) =>
  expect(page.getByRole('dialog', { name })).toBeVisible()

/**
 * /home with the dialog that a mission's button opens, after a claim's delay of
 * a second where it is one.
 */
const dialog =
  (mission: string | RegExp, button: string, title: string, taken = ok(['A51C-20QB-17CB'])): Open =>
  async (scene) => {
    scene.faulty.break('POST /api/client/take-code', taken)
    await home(scene)
    await card(scene.page, mission).getByRole('button', { name: button }).click()
    await scene.page.clock.runFor(1000)
    await dialogIsOpen(scene.page, title)
  }

/** The main screens, by the name of their picture in docs/screens. */
export const mainScreens: Screens = {
  // It takes twice as long as the others: begun last, it would end alone.
  async 'home-share'(scene) {
    await dialog(/Chia sẻ/, 'Nhận vé', 'Chia sẻ sự kiện')(scene)
    // The stack has another port each time.
    await scene.page
      .getByRole('dialog')
      .getByText(`${scene.faulty.url}/`, { exact: true })
      .evaluate((link) => {
        link.textContent = 'https://event.example/'
      })
  },
  async landing(scene) {
    // The stack's answer would set the countdown by the stack's clock.
    scene.faulty.break(DRAWS, ok([]))
    await visit('/', 'Đại tiệc sinh nhật')(scene)
    await decorated(scene.page)
    await stop(scene.page)
  },
  async megalive({ page, faulty }) {
    await page.goto(`${faulty.url}/megalive`)
    await expect(page.frameLocator('iframe').getByRole('heading').first()).toBeVisible()
  },
  login,
  check: visit('/check', 'Kiểm tra thông tin'),
  home,
  'home-codes': dialog('10 lần', 'Nhận vé', 'Chúc mừng bạn đã nhận vé!'),
  async histories(scene) {
    await asMember(scene)
    await visit('/histories', 'Lịch sử nhận vé')(scene)
    await expect(scene.page.getByRole('table')).toHaveCount(2)
  },
}

const none = missions.map((mission) => ({ ...mission, claimed: 0, code: '' }))
/** After the stage nothing else can be claimed. */
const closed = missions.map((mission) => ({ ...mission, claimed: mission.code ? 1 : 0 }))
const allClaimed = missions.map((mission) => ({ ...mission, claimed: 1, code: 'A51C-20QB-17CB' }))
const WON_CODE = 'Z07K-9M4T-XW2E'
const DRAW_NIGHT = '2025-09-09T20:30'
const AFTER_DRAW = '2025-09-09T22:30'

/**
 * The history after the first draw.
 * @param prize of one ticket; none without it
 * @param more of another ticket
 */
const historyWith = (prize?: string, more: object = {}) =>
  ok({
    code_details: tickets.map((ticket, index) => {
      if (index === 2) return { ...ticket, ...more }
      return prize && index === 3
        ? { ...ticket, prizes: [{ code: WON_CODE, draw: 1, prize }] }
        : ticket
    }),
    giftcode_trade: giftcodes,
    last_draw: 1,
  })
const banned = 'Tài khoản của bạn đã bị khóa do vi phạm thể lệ chương trình.'

/**
 * A page at this time of the event, with answers of the API, once the text
 * shows.
 */
const moment =
  (path: string, time: string, there: string, answers: Readonly<Record<string, Fault>>): Open =>
  async (scene) => {
    const { page, faulty } = scene
    const now = new Date(`${time}:00+07:00`)
    await asMember(scene)
    for (const [call, fault] of Object.entries({
      [INFO]: ok(missions),
      [DRAWS]: ok([]),
      ...answers,
    }))
      faulty.break(call, (request, response, upstream) => {
        response.setHeader('x-event-time', now.toISOString())
        return fault(request, response, upstream)
      })
    // Fixed, so that an answer sets the event's clock to the page's.
    await page.clock.setFixedTime(now)
    await page.goto(faulty.url + path)
    await expect(page.getByText(there).first()).toBeVisible()
    if (path === '/') await decorated(page)
    if (path === '/home' && there !== banned) await prizesArrived(page)
    await typefaceArrived(page)
    await expect(toasts(page)).toHaveCount(0)
    await stopAt(page, new Date(`${time}:59+07:00`))
  }

/**
 * /home on the night of the first draw.
 * @param prize of the member; a night without one is shown after the draw
 */
const afterDraw = (there: string, prize?: string): Open =>
  moment('/home', prize ? DRAW_NIGHT : AFTER_DRAW, there, {
    [INFO]: ok(closed),
    [HISTORY]: historyWith(prize),
    [DRAWS]: ok([
      { draw: 1, prize: prize ?? 'Xe máy', codes: [prize ? WON_CODE : 'B7KQ-11ZT-4W0C'] },
    ]),
  })

/** Their pictures are compared at night. */
const rareScreens: Screens = {
  /**
   * The registration page hangs. The clock runs only until the typeface has
   * loaded, so that the ten seconds do not pass.
   */
  async 'megalive-fallback'({ page, faulty }) {
    faulty.hold('GET /megalive-sample.html')
    await page.clock.pauseAt(STOPPED)
    await page.goto(`${faulty.url}/megalive`, { waitUntil: 'commit' })
    await expect(page.getByText('Đang tải trang đăng ký…')).toBeVisible()
    const typeface = () => page.clock.runFor(20).then(() => hasTypeface(page))
    await expect.poll(typeface, { intervals: [50] }).toBe(true)
    await page.clock.runFor(10_000)
    const message = 'Trình duyệt không hiển thị được trang này tại đây.'
    await expect(page.getByText(message, { exact: false })).toBeVisible()
  },
  async 'login-address'(scene) {
    scene.faulty.break(
      'POST /api/client/login',
      ok({ required_address: 1, sign: 's', username: 'demo02' }),
    )
    await login(scene)
    await sendLogin(scene.page, 'demo02', '0042')
    await dialogIsOpen(scene.page, 'Thông tin nhận thưởng')
  },
  async rules(scene) {
    await login(scene)
    await scene.page.getByRole('button', { name: 'Thể lệ chương trình' }).click()
    await dialogIsOpen(scene.page, 'Thể lệ chương trình')
  },
  async 'check-answer'(scene) {
    const ticket = {
      stage: 1,
      mission: 'Tổng nạp 300 điểm',
      claimed_at: '2025-08-20T20:05:30+07:00',
    }
    const lists = [{ draw: 1, position: 212_044 }]
    const data = { by: 'code', valid: true, ...ticket, lists }
    scene.faulty.break('POST /api/client/check', ok(data))
    await visit('/check', 'Kiểm tra thông tin')(scene)
    const { page } = scene
    await page.getByLabel('Mã dự thưởng').check()
    await page.getByLabel('Nội dung kiểm tra').fill('A51C-20QB-17CB')
    await page.getByRole('button', { name: 'KIỂM TRA NGAY' }).click()
    await expect(page.getByText('Số 212.044')).toBeVisible()
  },
  'home-refused': dialog(
    '10 lần',
    'Nhận vé',
    'Chưa nhận được vé',
    refused(
      4090,
      'Mỗi giai đoạn nhận tối đa 6 vé. Nhiệm vụ này có nhiều vé hơn số vé bạn còn được nhận.',
    ),
  ),
  'home-streak': dialog(/liên tiếp/, 'Kiểm tra', 'Kiểm tra 5 ngày nạp liên tiếp'),
  async 'remote-failed'(scene) {
    await asMember(scene)
    scene.faulty.break(/^\/mf-history\//, FAULTS['404'])
    // A first page that fails has no typeface.
    await visit('/home', 'Tổng nạp 300 điểm')(scene)
    await typefaceArrived(scene.page)
    await routerIsUp(scene.page)
    await scene.page.getByRole('link', { name: 'Lịch sử' }).click()
    await expect(scene.page.getByRole('heading', { name: 'Không thể tải phần này' })).toBeVisible()
    // The support code is random.
    await scene.page
      .getByText(/^Mã hỗ trợ/)
      .evaluate((line) => line.replaceChildren(`Mã hỗ trợ: ${'cb62eccc'.repeat(4)}`))
    await stop(scene.page)
  },
  'home-all-claimed': moment('/home', '2025-08-20T20:00', 'Bạn đã nhận đủ vé', {
    [INFO]: ok(allClaimed),
  }),
  'home-draw': moment('/home', DRAW_NIGHT, 'Mã dự thưởng của bạn', { [INFO]: ok(closed) }),
  'home-won': afterDraw('Bạn đã trúng', 'Xe máy'),
  'home-won-special': afterDraw('Bạn đã trúng', 'Xe ô tô'),
  async 'home-won-seen'(scene) {
    await scene.page.addInitScript(
      (win) => localStorage.setItem('celebrated-wins', JSON.stringify([win])),
      `${WON_CODE} 1 Xe máy`,
    )
    await afterDraw('Bạn đã trúng thưởng!', 'Xe máy')(scene)
  },
  'home-no-win': afterDraw('Lần này chưa trúng'),
  'histories-won': moment('/histories', DRAW_NIGHT, `Mã ${WON_CODE} trúng Xe máy`, {
    [HISTORY]: historyWith('Xe máy', {
      code: ['A51C-20QB-17C2', 'K2QF-8H1D-55KA'],
      voided: ['K2QF-8H1D-55KA'],
      prizes: [
        {
          ...{ code: 'A51C-20QB-17C2', draw: 1, prize: 'Code 999k', giftcode: true },
          delivery: { delivered_at: null, until: '2025-10-09T23:59:59+07:00' },
        },
      ],
    }),
  }),
  'landing-known': moment('/', '2025-08-20T20:00', 'Chào demo', {}),
  'login-known': moment('/login', '2025-08-20T20:00', 'Bạn đang đăng nhập với tài khoản', {}),
}

/** They differ from the others by a sentence, so they have no pictures. */
export const wordings: Screens = {
  'home-before': moment('/home', '2025-07-25T20:00', 'Chưa đến thời gian nhận vé', {
    [INFO]: ok(none),
  }),
  'home-between': moment('/home', '2025-09-07T20:00', 'Giai đoạn 1 đã kết thúc', {
    [INFO]: ok(closed),
  }),
  'home-last-minutes': moment('/home', '2025-09-06T23:55', 'đang chờ nhận', {}),
  'home-won-voucher': afterDraw('Bạn đã trúng', 'Voucher 10 triệu đồng'),
  'home-after': moment('/home', '2025-10-05T20:00', 'Sự kiện đã kết thúc', { [INFO]: ok(none) }),
  'home-banned': moment('/home', '2025-08-20T20:00', banned, {
    [INFO]: answer({ message: banned }, 403),
  }),
}

export const screens: Screens = { ...mainScreens, ...rareScreens, ...wordings }

/**
 * Opens a screen by its name. Its clock is stopped; `page.clock.resume()`
 * starts it again.
 */
export async function openScreen(name: string, scene: Scene): Promise<void> {
  const open = screens[name]
  if (!open) throw new Error(`No screen is named ${name}`)
  await scene.page.clock.install({ time: OPENED })
  await open(scene)
}
