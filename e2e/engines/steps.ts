import { expect } from '@playwright/test'
import { answer, FAULTS } from '../src/faults.ts'
import type { Guest } from '../src/guests.ts'
import { at, dialogsAre, fill, lastPixel, press, type Step, see, type Visit } from './actions.ts'
import { stepsBeforeCode } from './before-code.ts'
import { until } from './driver.ts'

async function logIn(visit: Visit, { account, digits }: Guest): Promise<void> {
  await visit.driver.goto(`${visit.site.url}/login`)
  await fill(visit, 'Tài khoản', account)
  await fill(visit, 'Số thứ 1', digits)
  await press(visit, 'Đăng nhập')
}

/** Browsers have kept the changed file, refuse it at each visit, and take the answer to the second request. */
const KEPT = /CheckPage.*integrity|integrity.*CheckPage/

const isReady = (): boolean => Reflect.get(document.querySelector('mega-live') ?? {}, 'proven') === true

/** The walk of a member, in order: a step starts where the one before has ended. */
export const steps: readonly Step[] = [
  ...stepsBeforeCode,
  {
    name: 'landing',
    short: true,
    async run(visit) {
      await visit.driver.goto(visit.site.url)
      await visit.picture('landing')
      await press(visit, 'Đăng nhập nhận vé')
      await at(visit, '/login')
    },
  },
  {
    name: 'login errors',
    async run(visit) {
      await fill(visit, 'Tài khoản', 'ab')
      await press(visit, 'Đăng nhập')
      await see(visit, 'Tài khoản phải có ít nhất 3 ký tự')
    },
  },
  {
    name: 'rules',
    short: true,
    async run(visit) {
      await press(visit, 'Thể lệ chương trình')
      await see(visit, 'Cơ cấu giải thưởng')
      const [focused, scrolled] = await visit.driver.evaluate(() => {
        const boxes = [...document.querySelectorAll('dialog[open] *')]
        const moved = boxes.filter(
          ({ scrollTop, scrollLeft, scrollWidth, clientWidth }) =>
            scrollTop + scrollLeft > 0 || (clientWidth > 300 && scrollWidth > clientWidth),
        )
        return [document.activeElement?.localName, moved.map(({ className }) => className)] as const
      })
      expect([focused, scrolled], 'opens at its title, and does not scroll sideways').toEqual(['h2', []])
      await visit.driver.press('Escape')
      await dialogsAre(visit, 0)
      const back = await visit.driver.evaluate(() => document.activeElement?.textContent)
      expect(back).toBe('Thể lệ chương trình')
    },
  },
  {
    name: 'digits and login',
    short: true,
    async run(visit) {
      await logIn(visit, visit.guest)
      await at(visit, '/home')
      await see(visit, 'Tổng nạp 300 điểm')
      await visit.picture('home')
    },
  },
  // Before the walk needs these files, which browsers keep for ever.
  ...(
    [
      ['changed byte', /^\/mf-auth\/.*\/CheckPage.*\.js/, '/check', 'Kiểm tra thông tin'],
      ['404', /^\/mf-history\/.*\.js/, '/histories', 'Lịch sử nhận vé'],
    ] as const
  ).map(
    ([fault, files, path, mended]): Step => ({
      name: `a file of ${path}: ${fault}`,
      errors: /./,
      async run(visit) {
        visit.site.break(files, FAULTS[fault])
        await visit.driver.goto(visit.site.url + path)
        await see(visit, 'Không thể tải phần này')
        visit.site.mend(files)
        await press(visit, 'Thử lại')
        await see(visit, mended)
      },
    }),
  ),
  {
    name: 'streak dialog',
    async run(visit) {
      await visit.driver.goto(`${visit.site.url}/home`)
      await press(visit, 'Kiểm tra', 'liên tiếp')
      await see(visit, /(Chưa chọn ngày.*){2}/s)
      await visit.picture('streak')
      await press(visit, 'Kiểm tra')
      await see(visit, 'Vui lòng nhập đầy đủ ngày bắt đầu và ngày kết thúc.')
      await visit.driver.press('Escape')
      await dialogsAre(visit, 0)
    },
  },
  {
    name: 'share dialog',
    async run(visit) {
      await press(visit, 'Nhận vé', 'Facebook')
      await fill(visit, 'Liên kết chia sẻ 1', 'https://facebook.com/posts/1')
      await press(visit, 'Gửi liên kết')
      await see(visit, 'Có Link chia sẻ chưa hợp lệ')
      await visit.driver.press('Escape')
      await dialogsAre(visit, 0)
    },
  },
  {
    name: 'claim to history, back and forward',
    short: true,
    async run(visit) {
      await visit.driver.goto(`${visit.site.url}/home`)
      await press(visit, 'Nhận vé', '300')
      const code = String(await see(visit, /[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/))
      await visit.driver.press('Escape')
      await dialogsAre(visit, 0)
      await press(visit, 'Lịch sử')
      await at(visit, '/histories')
      await see(visit, new RegExp(code.replaceAll('-', '-\\s?')))
      await visit.driver.evaluate(() => history.back())
      await at(visit, '/home')
      await visit.driver.evaluate(() => history.forward())
      await at(visit, '/histories')
    },
  },
  {
    name: 'wide codes',
    short: true,
    async run(visit) {
      const call = 'GET /api/client/history'
      const ticket = {
        event_code_detail: 'NAP_300',
        name: 'Tổng nạp 300 điểm',
        code: ['WMWM-MWMW-WMWM', 'A51C-20QB-17C0'],
        claimed_at: '2025-08-18T20:05:30+07:00',
      }
      visit.site.break(
        call,
        answer({ status_code: 200, data: { code_details: [ticket], giftcode_trade: [] } }),
      )
      await visit.driver.goto(`${visit.site.url}/histories`)
      await see(visit, 'WMWM')
      const lines = await visit.driver.evaluate(() =>
        [...document.querySelectorAll('td [translate="no"] > span')].map((part) => {
          const { height } = part.getBoundingClientRect()
          return Math.round(height / Number.parseFloat(getComputedStyle(part).lineHeight))
        }),
      )
      await visit.picture('histories')
      visit.site.mend(call)
      expect(Math.max(...lines), 'lines of a code').toBeLessThanOrEqual(2)
    },
  },
  {
    name: 'logout in another tab',
    short: true,
    async run(visit) {
      await visit.driver.openTab(`${visit.site.url}/home`)
      await press(visit, 'Quay về')
      await at(visit, '/login')
      await visit.driver.closeTab()
      await at(visit, '/login')
      await see(visit, 'Phiên đăng nhập đã hết hạn')
    },
  },
  {
    name: 'login with an address',
    async run(visit) {
      await logIn(visit, visit.newcomer)
      await dialogsAre(visit, 1)
      await fill(visit, 'Họ và tên', 'Nguyễn Thị Ánh')
      await fill(visit, 'Số điện thoại', '0912345678')
      await fill(visit, 'Địa chỉ', '12 Đường Hoa, Huế')
      await visit.picture('address')
      await press(visit, 'Xác nhận')
      await at(visit, '/home')
    },
  },
  {
    name: 'check',
    errors: KEPT,
    async run(visit) {
      await visit.driver.goto(`${visit.site.url}/check`)
      await fill(visit, 'Nội dung kiểm tra', 'demo03')
      await press(visit, 'KIỂM TRA NGAY')
      await see(visit, 'Giai đoạn 1')
    },
  },
  {
    name: 'megalive',
    short: true,
    async run(visit) {
      const { driver } = visit
      await driver.goto(`${visit.site.url}/megalive`)
      await until('the sample says that it is ready', () => driver.evaluate(isReady))
      expect(await lastPixel(visit), 'the sample has its style').toEqual([43, 7, 12])
      await visit.picture('megalive')
      await press(visit, 'Quay về')
      await at(visit, '/')
    },
  },
  {
    name: 'megalive hangs',
    async run(visit) {
      visit.site.hold('GET /megalive-sample.html')
      await visit.driver.goto(`${visit.site.url}/megalive`)
      await see(visit, 'Đang tải trang đăng ký…')
      await visit.driver.evaluate(() => document.querySelector('mega-live')?.setAttribute('timeout', '1'))
      await see(visit, 'Trình duyệt không hỗ trợ nhúng trang này.')
      const ground = await lastPixel(visit)
      expect(Math.max(...ground), 'the empty object is dark').toBeLessThan(60)
      await visit.picture('megalive-fallback')
      visit.site.release()
      visit.site.mend('GET /megalive-sample.html')
      await until('the sample takes the place of the fallback', () => visit.driver.evaluate(isReady))
    },
  },
]

/** The embed on the pages of `npm run examples`. */
export const embedSteps = (pages: string): Step[] =>
  ['plain', 'strict', 'react18', 'federated'].map((example) => ({
    name: `embed: ${example}`,
    async run({ driver }) {
      await driver.goto(`${pages}/${example}.html`)
      await until('the embedded page is ready', () => driver.evaluate(isReady))
    },
  }))
