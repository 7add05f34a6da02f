import { ATTRIBUTES, LATE_CODE_CLASS } from '@anniversary/shared/contract/page-names'
import { expect } from '@playwright/test'
import { FAULTS, ok } from '../src/faults.ts'
import { names } from '../src/members.ts'
import { at, dialogsAre, fill, hear, listen, press, see, until, type Visit } from './driver.ts'

/**
 * With this query a page has a default policy for scripts, as an extension
 * makes one, before its first script.
 */
export const FOREIGN_POLICY = '?foreign-policy'

/** Reported on purpose; such reports may come later too. */
export const PROBLEM = 'a problem'

const PAGE = 'GET /login'
const LOGIN = 'POST /api/client/login'
const HISTORY = 'GET /api/client/history'
/** The largest script; without it nothing hydrates. */
const VENDOR = /\/vendor\.[^/]*\.js/
/** A file that no other step needs, since browsers cache it for a year. */
const CHECK_SCRIPT = /^\/mf-auth\/.*\/CheckPage.*\.js/

const isTakenOver = () => document.querySelector('#root:not([data-prerendered])') !== null
const takenOver = ({ driver }: Visit) => until('hydration', () => driver.evaluate(isTakenOver))
const isRouted = (mark: string) => document.documentElement.hasAttribute(mark)
const routerIsUp = ({ driver }: Visit) =>
  until('the router', () => driver.evaluate(isRouted, ATTRIBUTES.routerReady))

/** Opens /login, whose code is held back until `letCodeCome`. */
async function openWithoutCode(visit: Visit): Promise<void> {
  const { site } = visit
  // A new URL each time, since browsers cache a file for a year.
  const query = `?${site.requests.length}`
  site.break(PAGE, async (_request, response, upstream) => {
    const { status, headers, body } = await upstream()
    response
      .writeHead(status, headers)
      .end(String(body).replace(/vendor\.[^"/]*\.js/g, `$&${query}`))
  })
  site.hold(VENDOR)
  await openHtml(visit)
}

async function openHtml({ driver, site }: Visit): Promise<void> {
  await driver.goto(`${site.url}/login`)
  await until('the page', () =>
    driver.evaluate(() => {
      document.documentElement.dataset.held = ''
      return document.querySelector('[data-prerendered] h1') !== null
    }),
  )
}

/** In the page: lets the time pass after which the message shows. */
function endWaiting(name: string): boolean {
  const waiting = document
    .getAnimations()
    .find((animation) => (animation as CSSAnimation).animationName === name)
  waiting?.finish()
  return waiting !== undefined
}

async function reloadIsOffered(visit: Visit): Promise<void> {
  await until('the message', () => visit.driver.evaluate(endWaiting, LATE_CODE_CLASS))
  await see(visit, 'Tải lại trang')
}

function letCodeCome({ site }: Visit): void {
  site.restore(PAGE)
  site.restore(VENDOR)
  site.release()
}

/** The journey of a member: each step starts where the one before has ended. */
export const steps = {
  async 'no key is lost while the page hydrates'(visit: Visit) {
    const { driver } = visit
    await openWithoutCode(visit)
    await fill(visit, 'Tài khoản', 'Nguye')
    // Telex keyboards delete the letter and type it again with its mark.
    for (const letter of ['ê', 'ễ']) {
      await driver.press('Backspace')
      await driver.type(letter)
    }
    await driver.type('n')
    letCodeCome(visit)
    do {
      await driver.type('a')
      await driver.press('Backspace')
    } while (!(await driver.evaluate(isTakenOver)))
    await driver.type('!')
    const value = await driver.evaluate(() => (document.activeElement as HTMLInputElement).value)
    expect(value).toBe('Nguyễn!')
  },

  async 'pasted digits and two early clicks send one login'(visit: Visit) {
    const { driver, site } = visit
    await openWithoutCode(visit)
    await fill(visit, 'Tài khoản', '9999')
    await driver.press('Control+a')
    await driver.press('Control+x')
    await press(visit, 'Chữ số thứ 1')
    await driver.press('Control+v')
    await fill(visit, 'Tài khoản', 'demo03')
    await press(visit, names.login)
    await press(visit, names.login)
    expect(site.count(LOGIN)).toBe(0)
    letCodeCome(visit)
    await at(visit, '/home')
    const sent = site.requests
      .filter(({ call }) => call === LOGIN)
      .map(({ body }) => JSON.parse(body))
    expect(sent).toEqual([{ site: 'ANNIVERSARY', username: 'demo03', lastBankNumber: '9999' }])
    expect(site.requests.filter(({ path }) => path.includes('9999'))).toEqual([])
    await press(visit, 'Quay về và đăng xuất')
    await at(visit, '/login')
  },

  async 'a page whose code never comes offers a reload'(visit: Visit) {
    await openWithoutCode(visit)
    await reloadIsOffered(visit)
    visit.site.restore(VENDOR)
    await press(visit, 'Tải lại trang')
    await takenOver(visit)
    letCodeCome(visit)
  },

  async 'a page whose HTML stalls offers a reload'(visit: Visit) {
    const { site } = visit
    site.break(PAGE, async (_request, response, upstream) => {
      const { status, headers, body } = await upstream()
      const [begun] = String(body).split('</form>')
      response.writeHead(status, headers).write(`${begun}</form>`)
    })
    await openHtml(visit)
    await reloadIsOffered(visit)
    site.restore(PAGE)
    await press(visit, 'Tải lại trang')
    await takenOver(visit)
  },

  async 'a foreign style element and a broken stored value change nothing'(visit: Visit) {
    const { driver, site } = visit
    site.break(PAGE, async (_request, response, upstream) => {
      const { status, headers, body } = await upstream()
      // The text of the page's own element, which its policy allows.
      response
        .writeHead(status, headers)
        .end(String(body).replace('<title>', '<style>/**/</style>$&'))
    })
    await driver.evaluate(() => sessionStorage.setItem('anniversary-toasts', 'null'))
    await driver.goto(`${site.url}/login`)
    await takenOver(visit)
    const rules = await driver.evaluate(() =>
      [...document.styleSheets].map(({ cssRules }) => cssRules.length),
    )
    // The third is the typeface's.
    const [foreign, own] = rules
    expect(foreign).toBe(0)
    expect(own).toBeGreaterThan(0)
    site.restore(PAGE)
  },

  async 'the landing page leads to /login, and console errors are collected'(visit: Visit) {
    await visit.driver.goto(visit.site.url)
    await problemsAreCollected(visit)
    await press(visit, names.toLogin)
    await at(visit, '/login')
    // Until then, the landing page has a button of the same name as the next.
    await see(visit, 'Tài khoản')
  },

  async 'the rules open at their title and return the focus'(visit: Visit) {
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
    expect([focused, scrolled]).toEqual(['h2', []])
    await visit.driver.press('Escape')
    await dialogsAre(visit, 0)
    const back = await visit.driver.evaluate(() => document.activeElement?.textContent)
    expect(back).toBe('Thể lệ chương trình')
  },

  async 'an address that is being typed survives the end of the page'(visit: Visit) {
    const { driver, site } = visit
    site.break(LOGIN, ok({ required_address: 1, sign: 's', username: 'demo02' }))
    await driver.goto(`${site.url}/login`)
    await fill(visit, 'Tài khoản', 'demo02')
    await fill(visit, 'Chữ số thứ 1', '0042')
    await press(visit, names.login)
    await see(visit, 'Thông tin nhận thưởng')
    await fill(visit, 'Họ và tên', 'An')
    await driver.goto(`${site.url}/login`)
    await see(visit, 'Thông tin nhận thưởng')
    const typed = await driver.evaluate(
      () => document.querySelector<HTMLInputElement>('dialog input')?.value,
    )
    expect(typed).toBe('An')
    await driver.evaluate(() => sessionStorage.clear())
    site.restore(LOGIN)
  },

  async 'a browser that refuses cookies says so at the login'(visit: Visit) {
    await visit.driver.goto(`${visit.site.url}/login`)
    await takenOver(visit)
    await visit.driver.evaluate(() => {
      Object.defineProperty(document, 'cookie', { get: () => '', set: () => undefined })
    })
    await fill(visit, 'Tài khoản', visit.guest.account)
    await fill(visit, 'Chữ số thứ 1', visit.guest.digits)
    await press(visit, names.login)
    await see(visit, /đang chặn cookie.*cho phép cookie/)
  },

  async "a guest logs in, and the page follows the event's clock"(visit: Visit) {
    await visit.driver.goto(`${visit.site.url}/login`)
    await fill(visit, 'Tài khoản', visit.guest.account)
    await fill(visit, 'Chữ số thứ 1', visit.guest.digits)
    await press(visit, names.login)
    await at(visit, '/home')
    await see(visit, 'Tổng nạp 300 điểm')
    // The clock of this machine is months away.
    await see(visit, 'Giai đoạn 1 kết thúc sau')
  },

  async 'a script of /check with a changed byte is not run'(visit: Visit) {
    visit.site.break(CHECK_SCRIPT, FAULTS['changed byte'])
    await visit.driver.goto(`${visit.site.url}/check`)
    await see(visit, 'Không thể tải phần này')
    visit.site.restore(CHECK_SCRIPT)
    await press(visit, 'Thử lại')
    await see(visit, 'Kiểm tra thông tin')
  },

  async 'a claimed ticket is in the history, back and forward'(visit: Visit) {
    await visit.driver.goto(`${visit.site.url}/home`)
    await press(visit, 'Nhận vé', '300')
    const code = String(await see(visit, /[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/))
    await visit.driver.press('Escape')
    await dialogsAre(visit, 0)
    await press(visit, 'Lịch sử')
    await at(visit, '/histories')
    await see(visit, new RegExp(code.replaceAll('-', '-\\s?')))
    await visit.driver.evaluate(() => void setTimeout(() => history.back()))
    await at(visit, '/home')
    await visit.driver.evaluate(() => void setTimeout(() => history.forward()))
    await at(visit, '/histories')
  },

  async 'without clipboard and storage a code is copied, and Back closes its dialog'(visit: Visit) {
    const { driver, site } = visit
    await driver.goto(`${site.url}/home`)
    await see(visit, 'Tổng nạp 300 điểm')
    await driver.evaluate(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })
      Storage.prototype.getItem = Storage.prototype.setItem = () => {
        throw new DOMException('blocked', 'SecurityError')
      }
    })
    await press(visit, 'Đã nhận · Xem mã', '300')
    const code = await until('the code', () =>
      driver.evaluate(() => document.querySelector('dialog [translate=no]')?.textContent ?? null),
    )
    await listen(visit)
    await press(visit, `Sao chép mã ${code}`)
    await hear(visit, 'Đã sao chép mã dự thưởng!')
    await driver.evaluate(() => void setTimeout(() => history.back()))
    await dialogsAre(visit, 0)
    await at(visit, '/home')
  },

  async 'a wide code takes one line'(visit: Visit) {
    const code = ['WMWM-MWMW-WMWM', 'A51C-20QB-17C0']
    const ticket = { event_code_detail: 'NAP_300', code, claimed_at: '2025-08-18T20:05:30+07:00' }
    visit.site.break(HISTORY, ok({ code_details: [ticket], giftcode_trade: [] }))
    await visit.driver.goto(`${visit.site.url}/histories`)
    await see(visit, 'WMWM')
    const lines = await visit.driver.evaluate(() =>
      [...document.querySelectorAll('td [translate="no"] > span')].map((part) => {
        const { height } = part.getBoundingClientRect()
        return Math.round(height / Number.parseFloat(getComputedStyle(part).lineHeight))
      }),
    )
    visit.site.restore(HISTORY)
    expect(lines).toEqual([1, 1])
  },

  async 'a foreign policy, a scroll lock and a history that throws stop no move'(visit: Visit) {
    const { driver, site } = visit
    await driver.goto(`${site.url}/home${FOREIGN_POLICY}`)
    await routerIsUp(visit)
    await driver.evaluate(() => {
      document.body.style.overflow = 'hidden'
    })
    await press(visit, 'Lịch sử')
    await see(visit, 'Lịch sử nhận vé')
    const [loaded, locked] = await driver.evaluate(() => {
      history.pushState = () => {
        throw new DOMException('too many', 'SecurityError')
      }
      const [page] = performance.getEntriesByType('navigation')
      return [page?.name, document.body.style.overflow] as const
    })
    expect([loaded, locked]).toEqual([`${site.url}/home${FOREIGN_POLICY}`, ''])
    await press(visit, 'Quay về')
    await at(visit, '/home')
  },

  async 'a logout in another tab logs this tab out'(visit: Visit) {
    // Without the router this tab would load /login, and forget what it has said.
    await routerIsUp(visit)
    await listen(visit)
    await visit.driver.evaluate(
      () => void Object.assign(window, { other: window.open('/home', 'other') }),
    )
    await until('the other tab', () =>
      visit.driver.evaluate(() => {
        const { other } = window as never as { other: Window } // set above
        const buttons = [...other.document.querySelectorAll('button')]
        const back = buttons.find(({ textContent }) => textContent?.includes('Quay về'))
        back?.click()
        return back !== undefined
      }),
    )
    await hear(visit, 'Bạn đã đăng xuất.')
    await at(visit, '/login')
    await visit.driver.evaluate(() => Reflect.get(window, 'other').close())
  },

  async '/megalive shows the sample page'(visit: Visit) {
    await visit.driver.goto(`${visit.site.url}/megalive`)
    await sampleIsReady(visit)
    await press(visit, 'Quay về')
    await at(visit, '/')
  },
}

/**
 * Waits for the message of the embedded page, whose policy allows its script by
 * hash.
 */
const sampleIsReady = ({ driver }: Visit) =>
  until('the embedded page is ready', () =>
    driver.evaluate(
      () => Reflect.get(document.querySelector('mega-live') ?? {}, 'proven') === true,
    ),
  )

/** Reports problems until one comes; no other has come since the last call. */
async function problemsAreCollected({ driver, takeProblems }: Visit): Promise<void> {
  const seen: string[] = []
  const report = (problem: string) => console.error(problem)
  // On a busy machine, WebKit has lost the beacon of a page that had just
  // loaded.
  await until(
    'the problem',
    async () => {
      await driver.evaluate(report, PROBLEM)
      seen.push(...takeProblems())
      return seen.includes(PROBLEM)
    },
    0,
  )
  expect(seen.filter((problem) => problem !== PROBLEM)).toEqual([])
}

/** The embed on the pages of `npm run examples`. */
export const embedSteps = Object.fromEntries(
  ['plain', 'strict', 'react18', 'federated'].map((example) => [
    `embed: ${example}`,
    async (visit: Visit) => {
      await visit.driver.goto(`${visit.site.url}/${example}.html`)
      await sampleIsReady(visit)
      await problemsAreCollected(visit)
    },
  ]),
)
