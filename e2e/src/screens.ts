import { expect, type Page } from '@playwright/test'
import { answer, FAULTS } from './faults.ts'
import type { FaultyProxy } from './faulty-proxy.ts'
import { card, saveSession, sendLogin } from './members.ts'

/** Inside stage 1, as the demo's event clock is. */
const OPENED = new Date('2025-08-20T20:00:00+07:00')
/** The browser's clock stops here, so that countdowns and toasts do not move. */
const STOPPED = new Date('2025-08-20T20:01:00+07:00')

interface Scene {
  readonly page: Page
  readonly faulty: FaultyProxy
}

/** A screen in one of its states, reached as a member reaches it. */
interface ScreenState {
  /** Console errors that it causes. */
  readonly errors?: RegExp
  /** It has an animation unless the member prefers reduced motion. */
  readonly moves?: true
  open(scene: Scene): Promise<void>
}

const ok = (data: unknown) => answer({ status_code: 200, data })
const INFO = 'GET /api/client/info'
const TAKE = 'POST /api/client/take-code'
const HISTORY = 'GET /api/client/history'

/** Real ticket codes are random; pictures need constant ones. All four states of a card. */
const missions = [
  ['NAP_300', 'Tổng nạp 300 điểm', 1, 'A51C-20QB-17CB'],
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
    [...document.fonts].some(({ family, status }) => /Be Vietnam Pro"?$/.test(family) && status === 'loaded'),
  )

/** Stops the clock a minute later, when toasts are gone. Not while something loads: its deadline would pass. */
async function stop(page: Page): Promise<void> {
  await typefaceArrived(page)
  await page.clock.pauseAt(STOPPED)
}

/** Logged in, with the answers above. */
async function asMember({ page, faulty }: Scene): Promise<void> {
  faulty.break(INFO, ok(missions))
  faulty.break(TAKE, ok(['A51C-20QB-17CB']))
  faulty.break(HISTORY, ok({ code_details: tickets, giftcode_trade: giftcodes }))
  await saveSession(page.context(), faulty.url, 'token-of-a-picture', 'demo01')
}

async function home(scene: Scene): Promise<void> {
  await asMember(scene)
  await scene.page.goto(`${scene.faulty.url}/home`)
  await expect(card(scene.page, '300')).toBeVisible()
  await stop(scene.page)
}

async function claim(page: Page): Promise<void> {
  await press(page, '10 lần', 'Nhận vé')
  await page.clock.runFor(1000)
}

async function login({ page, faulty }: Scene): Promise<void> {
  await page.goto(`${faulty.url}/login`)
  await heading(page, 'Đăng nhập')
  await stop(page)
}

/** The registration page hangs. The clock runs only until the typeface is there, so the ten seconds do not pass. */
async function megaliveHangs({ page, faulty }: Scene): Promise<void> {
  faulty.hold('GET /megalive-sample.html')
  await page.clock.pauseAt(STOPPED)
  await page.goto(`${faulty.url}/megalive`, { waitUntil: 'commit' })
  await expect(page.getByText('Đang tải trang đăng ký…')).toBeVisible()
  await expect.poll(() => page.clock.runFor(20).then(() => hasTypeface(page)), { intervals: [50] }).toBe(true)
}

const press = (page: Page, mission: string | RegExp, name: string | RegExp) =>
  card(page, mission).getByRole('button', { name }).click()

const heading = (page: Page, name: string) => expect(page.getByRole('heading', { name })).toBeVisible()

type Screens = Readonly<Record<string, ScreenState>>

/** The main screens, by the name of their picture in docs/screens. */
export const mainScreens: Screens = {
  landing: {
    async open({ page, faulty }) {
      await page.goto(faulty.url)
      await expect(page.getByRole('link', { name: 'Đăng nhập nhận vé' })).toBeVisible()
    },
  },
  megalive: {
    async open({ page, faulty }) {
      await page.goto(`${faulty.url}/megalive`)
      await expect(page.frameLocator('iframe').getByRole('heading').first()).toBeVisible()
    },
  },
  login: {
    open: login,
  },
  check: {
    async open({ page, faulty }) {
      await page.goto(`${faulty.url}/check`)
      await heading(page, 'Kiểm tra thông tin')
    },
  },
  home: { moves: true, open: home },
  'home-codes': {
    moves: true,
    async open(scene) {
      await home(scene)
      await claim(scene.page)
      await expect(scene.page.getByRole('dialog', { name: 'Chúc mừng bạn đã nhận vé!' })).toBeVisible()
    },
  },
  'home-share': {
    async open(scene) {
      await home(scene)
      await press(scene.page, /Chia sẻ/, 'Nhận vé')
      await expect(scene.page.getByRole('dialog', { name: 'Chia sẻ sự kiện' })).toBeVisible()
    },
  },
  histories: {
    async open(scene) {
      await asMember(scene)
      await scene.page.goto(`${scene.faulty.url}/histories`)
      await expect(scene.page.getByRole('table')).toHaveCount(2)
    },
  },
}

/** Their pictures are compared at night. */
const rareScreens: Screens = {
  'megalive-fallback': {
    async open({ page, faulty }) {
      await megaliveHangs({ page, faulty })
      await page.clock.runFor(10_000)
      await expect(
        page.getByText('Trình duyệt không hỗ trợ nhúng trang này.', { exact: false }),
      ).toBeVisible()
    },
  },
  'login-address': {
    async open({ page, faulty }) {
      faulty.break('POST /api/client/login', ok({ required_address: 1, sign: 's', username: 'demo02' }))
      await login({ page, faulty })
      await sendLogin(page, 'demo02', '0042')
      await expect(page.getByRole('dialog', { name: 'Thông tin nhận thưởng' })).toBeVisible()
    },
  },
  rules: {
    async open({ page, faulty }) {
      await login({ page, faulty })
      await page.getByRole('button', { name: 'Thể lệ chương trình' }).click()
      await expect(page.getByRole('dialog', { name: 'Thể lệ chương trình' })).toBeVisible()
    },
  },
  'check-answer': {
    async open({ page, faulty }) {
      faulty.break(
        'POST /api/client/check',
        ok({
          by: 'code',
          valid: true,
          stage: 1,
          mission: 'Tổng nạp 300 điểm',
          claimed_at: '2025-08-20T20:05:30+07:00',
          owner: 'de***01',
        }),
      )
      await page.goto(`${faulty.url}/check`)
      await page.getByLabel('Mã dự thưởng').check()
      await page.getByLabel('Nội dung kiểm tra').fill('A51C-20QB-17CB')
      await page.getByRole('button', { name: 'KIỂM TRA NGAY' }).click()
      await expect(page.getByText('de***01')).toBeVisible()
    },
  },
  'home-refused': {
    async open(scene) {
      await home(scene)
      const body = { status_code: 4090, message: 'Bạn đã nhận đủ 6 vé của giai đoạn này', data: null }
      scene.faulty.break(TAKE, answer(body))
      await claim(scene.page)
      await expect(scene.page.getByRole('dialog', { name: 'Chưa nhận được vé' })).toBeVisible()
    },
  },
  'home-streak': {
    async open(scene) {
      await home(scene)
      await press(scene.page, /liên tiếp/, 'Kiểm tra')
      await expect(scene.page.getByRole('dialog', { name: 'Kiểm tra chuỗi ngày nạp' })).toBeVisible()
    },
  },
  'remote-failed': {
    errors: /./,
    async open(scene) {
      await asMember(scene)
      scene.faulty.break(/^\/mf-history\//, FAULTS['404'])
      await scene.page.goto(`${scene.faulty.url}/histories`)
      await heading(scene.page, 'Không thể tải phần này')
      await stop(scene.page)
    },
  },
}

export const screens: Screens = { ...mainScreens, ...rareScreens }

/** Opens a screen by its name. Its clock is stopped; `page.clock.resume()` starts it again. */
export async function openScreen(name: string, scene: Scene): Promise<void> {
  const screen = screens[name]
  if (!screen) throw new Error(`No screen is named ${name}`)
  await scene.page.clock.install({ time: OPENED })
  await screen.open(scene)
}
