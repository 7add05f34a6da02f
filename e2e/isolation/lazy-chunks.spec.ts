import type { Page } from '@playwright/test'
import { WHOLE } from './cells.ts'
import { FAULT_NAMES, FAULTS, isSlow } from './faults.ts'
import { expect, inMatrix, type Lab, test } from './lab.ts'

/** Parts that a page loads when they are wanted: the address dialog of mf-auth, the rules of the shell. */

interface Part {
  readonly remote: string
  /** Beginning of its files' names. */
  readonly file: string
  ask(page: Page, lab: Lab): Promise<void>
  shows(page: Page): Promise<void>
  /** The page says that it has not come. */
  lost(page: Page): Promise<void>
  askAgain(page: Page): Promise<void>
}

const openRules = (page: Page) => page.getByRole('button', { name: 'Thể lệ chương trình' }).click()

const PARTS: readonly Part[] = [
  {
    remote: 'mf-auth',
    file: 'AddressDialog',
    async ask(page, lab) {
      const data = { required_address: true, sign: 'of-the-test', username: 'demo02' }
      lab.front.answer('POST /api/client/login', { status_code: 200, data })
      await page.getByLabel('Tài khoản', { exact: true }).fill('demo02')
      await page.getByRole('textbox', { name: 'Số thứ 1' }).click()
      await page.keyboard.type('0042')
      await page.getByRole('button', { name: 'Đăng nhập', exact: true }).click()
    },
    shows: (page) => expect(page.getByRole('dialog').getByLabel(/Họ/)).toBeVisible(),
    lost: (page) => expect(page.getByText('Chưa mở được biểu mẫu địa chỉ').first()).toBeVisible(),
    askAgain: (page) => page.getByRole('main').getByRole('button', { name: 'Thử lại' }).click(),
  },
  {
    remote: 'shell',
    file: 'rules',
    ask: openRules,
    shows: (page) => expect(page.getByRole('dialog').getByRole('heading').first()).toBeVisible(),
    lost: (page) => expect(page.getByText('Không thể tải thể lệ. Vui lòng thử lại!').first()).toBeVisible(),
    askAgain: openRules,
  },
]

test.describe.configure({ mode: 'parallel' })

for (const [p, part] of PARTS.entries())
  for (const [e, ending] of ['js', 'css'].entries())
    for (const [f, fault] of FAULT_NAMES.entries()) {
      // Without `ISOLATION=whole`, two of them, none slow.
      if (!WHOLE && (isSlow(fault) || p !== e || f !== p * 6)) continue
      const row = `lazy ${ending} ${fault}`
      const pattern = (end: string) =>
        new RegExp(`/${part.remote}/[^/]+/${part.file}\\.[0-9a-f]+\\.${ending}${end}`)

      test(`${part.remote}, ${row}: first`, async ({ page, lab }) => {
        inMatrix(row, part)
        lab.front.break(pattern('$'), FAULTS[fault])
        await lab.open(page, '/login')
        await part.ask(page, lab)
        await part.shows(page)
        expect(lab.told()).toEqual([])
      })

      test(`${part.remote}, ${row}: until mended`, async ({ page, lab }) => {
        inMatrix(row, part)
        lab.front.break(pattern(''), FAULTS[fault])
        await lab.open(page, '/login')
        await part.ask(page, lab)
        await part.lost(page)
        await expect.poll(lab.told).toEqual([`${part.remote} chunk`])
        lab.front.mend()
        await part.askAgain(page)
        await part.shows(page)
        expect(lab.pagesLoaded()).toBe(1)
      })
    }
