import { expect } from '@playwright/test'
import { answer, FAULTS } from '../src/faults.ts'
import { at, dialogsAre, fill, lastPixel, press, type Step, see, until, type Visit } from './driver.ts'

/** The largest file of the code; without it nothing takes over. */
const VENDOR = /\/vendor\.[^/]*\.js/
const PAGE = 'GET /login'
const LOGIN = 'POST /api/client/login'

const isTakenOver = () => document.querySelector('#root:not([data-prerendered])') !== null
const takenOver = ({ driver }: Visit) => until('the code takes over', () => driver.evaluate(isTakenOver))

/** A step on the login page, which shows and whose code does not come before `release` is called. */
const beforeCode = (
  name: string,
  run: (visit: Visit, release: () => void) => Promise<void>,
  { short }: { short?: true } = {},
): Step => ({
  name: `before the code: ${name}`,
  ...(short && { short }),
  async run(visit) {
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    // By a URL of this step's own: WebKit keeps a preloaded file in memory, whatever its answer says of that.
    visit.site.break(PAGE, async (_request, response, upstream) => {
      const { status, headers, body } = await upstream()
      const { 'content-length': _length, ...rest } = headers
      response
        .writeHead(status, rest)
        .end(String(body).replace(/vendor\.[^"/]*\.js/g, `$&?${encodeURIComponent(name)}`))
    })
    visit.site.break(VENDOR, async (_request, response, upstream) => {
      const { status, headers, body } = await upstream()
      await released
      // Not kept: the next of these steps needs it anew.
      response.writeHead(status, { ...headers, 'cache-control': 'no-store' }).end(body)
    })
    try {
      await visit.driver.goto(`${visit.site.url}/login`)
      await until('the page', () =>
        visit.driver.evaluate(() => {
          document.documentElement.dataset.held = ''
          return document.querySelector('[data-prerendered] h1') !== null
        }),
      )
      await run(visit, release)
    } finally {
      release()
      for (const target of [PAGE, VENDOR]) visit.site.mend(target)
    }
  },
})

/** What a member does on a page that is only HTML yet. First in the walk: later the browser has kept the files. */
const stepsBeforeCode: readonly Step[] = [
  beforeCode('no key is lost while it takes over', async (visit, release) => {
    const { driver } = visit
    await fill(visit, 'Tài khoản', 'Nguye')
    // As Telex keyboards do it: the letter is taken back and comes with its mark.
    for (const letter of ['ê', 'ễ']) {
      await driver.press('Backspace')
      await driver.type(letter)
    }
    await driver.type('n')
    release()
    do {
      await driver.type('a')
      await driver.press('Backspace')
    } while (!(await driver.evaluate(isTakenOver)))
    await driver.type('!')
    const value = await driver.evaluate(() => (document.activeElement as HTMLInputElement).value)
    expect(value).toBe('Nguyễn!')
  }),
  beforeCode(
    'pasted digits, two presses, one login',
    async (visit, release) => {
      const { driver, site } = visit
      await fill(visit, 'Tài khoản', '9999')
      await driver.press('Control+a')
      await driver.press('Control+x')
      await press(visit, 'Số thứ 1')
      await driver.press('Control+v')
      await fill(visit, 'Tài khoản', 'demo03')
      await press(visit, 'Đăng nhập')
      await press(visit, 'Đăng nhập')
      expect(site.count(LOGIN)).toBe(0)
      release()
      await at(visit, '/home')
      const sent = site.requests.filter(({ call }) => call === LOGIN).map(({ body }) => JSON.parse(body))
      expect(sent).toEqual([{ site: 'ANNIVERSARY', username: 'demo03', lastBankNumber: '9999' }])
      expect(site.requests.filter(({ path }) => path.includes('9999'))).toEqual([])
      await press(visit, 'Quay về và đăng xuất')
      await at(visit, '/login')
    },
    { short: true },
  ),
  beforeCode(
    'it never comes, and the page says what to do',
    async (visit) => {
      await visit.driver.evaluate(() => {
        for (const waiting of document.getAnimations())
          if ((waiting as CSSAnimation).animationName === 'no-code') waiting.finish()
      })
      await see(visit, 'Tải lại trang')
      visit.site.mend(VENDOR)
      await press(visit, 'Tải lại trang')
      await takenOver(visit)
    },
    { short: true },
  ),
]

async function logIn(visit: Visit): Promise<void> {
  await visit.driver.goto(`${visit.site.url}/login`)
  await fill(visit, 'Tài khoản', visit.guest.account)
  await fill(visit, 'Số thứ 1', visit.guest.digits)
  await press(visit, 'Đăng nhập')
}

const isReady = (): boolean => Reflect.get(document.querySelector('mega-live') ?? {}, 'proven') === true

/** The walk of a member, in order: a step starts where the one before has ended. */
export const steps: readonly Step[] = [
  ...stepsBeforeCode,
  {
    name: 'landing',
    short: true,
    async run(visit) {
      await visit.driver.goto(visit.site.url)
      await press(visit, 'Đăng nhập nhận vé')
      await at(visit, '/login')
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
      await logIn(visit)
      await at(visit, '/home')
      await see(visit, 'Tổng nạp 300 điểm')
    },
  },
  // No later step needs this file, which browsers keep for ever.
  {
    name: 'a changed byte in a script of /check',
    errors: /./,
    async run(visit) {
      const files = /^\/mf-auth\/.*\/CheckPage.*\.js/
      visit.site.break(files, FAULTS['changed byte'])
      await visit.driver.goto(`${visit.site.url}/check`)
      await see(visit, 'Không thể tải phần này')
      visit.site.mend(files)
      await press(visit, 'Thử lại')
      await see(visit, 'Kiểm tra thông tin')
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
      visit.site.mend(call)
      expect(Math.max(...lines), 'lines of a code').toBeLessThanOrEqual(2)
    },
  },
  {
    name: 'logout in another tab',
    short: true,
    async run(visit) {
      await visit.driver.openTab(`${visit.site.url}/home`)
      await press(visit, 'Quay về và đăng xuất')
      await at(visit, '/login')
      await visit.driver.closeTab()
      await at(visit, '/login')
      await see(visit, 'Phiên đăng nhập đã hết hạn')
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
      await press(visit, 'Quay về')
      await at(visit, '/')
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
