import { expect } from '@playwright/test'
import { FAULTS } from '../src/faults.ts'
import { at, fill, press, type Step, see, type Visit } from './actions.ts'
import { until } from './driver.ts'

/** The largest file of the code; without it nothing takes over. */
const VENDOR = /\/vendor\.[^/]*\.js/
const PAGE = 'GET /login'
const ENTRY = /^\/mf-auth\/.*\/entry\.[^?]*$/
const LOGIN = 'POST /api/client/login'

const isTakenOver = () => document.querySelector('#root:not([data-prerendered])') !== null
const takenOver = ({ driver }: Visit) => until('the code takes over', () => driver.evaluate(isTakenOver))
const values = ({ driver }: Visit) =>
  driver.evaluate(() => [...document.querySelectorAll('input')].map(({ value }) => value))

/**
 * A step on the login page, which shows and whose code does not come before `release` is called.
 * @param missing is answered with 404
 */
const beforeCode = (
  name: string,
  run: (visit: Visit, release: () => void) => Promise<void>,
  { missing, short }: { missing?: RegExp; short?: true } = {},
): Step => ({
  name: `before the code: ${name}`,
  ...(short && { short }),
  ...(missing && { errors: /./ }),
  async run(visit) {
    if (missing) visit.site.break(missing, FAULTS['404'])
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
      for (const target of [PAGE, VENDOR, missing]) if (target) visit.site.mend(target)
    }
  },
})

/** What a member does on a page that is only HTML yet. First in the walk: later the browser has kept the files. */
export const stepsBeforeCode: readonly Step[] = [
  beforeCode(
    'what is typed stays while a file fails and comes',
    async (visit, release) => {
      await fill(visit, 'Tài khoản', 'demo03')
      await fill(visit, 'Số thứ 1', '99')
      release()
      await takenOver(visit)
      await visit.driver.type('42')
      expect(await values(visit)).toEqual(['demo03', '9', '9', '4', '2'])
      expect(visit.site.requests.map(({ path }) => path)).toContainEqual(expect.stringMatching(/entry.*\?r=/))
    },
    { missing: ENTRY },
  ),
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
      await press(visit, 'Quay về')
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
