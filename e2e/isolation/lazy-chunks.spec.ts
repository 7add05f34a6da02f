import type { Page } from '@playwright/test'
import { answer, FAULT_NAMES, FAULTS } from '../src/faults.ts'
import { sendLogin } from '../src/test.ts'
import type { FaultySite } from './faulty-site.ts'
import { expect, inMatrix, test } from './isolation-test.ts'
import { nightlyUnless } from './matrix.ts'

/** Chunks loaded on demand: the address dialog of mf-auth, the rules of the shell. */

interface Part {
  readonly remote: string
  /** Start of its files' names. */
  readonly file: string
  ask(page: Page, site: FaultySite): Promise<void>
  shows(page: Page): Promise<void>
  /** The page says that the part did not load. */
  lost(page: Page): Promise<void>
  askAgain(page: Page): Promise<void>
}

const openRules = (page: Page) => page.getByRole('button', { name: 'Thể lệ chương trình' }).click()

const PARTS: readonly Part[] = [
  {
    remote: 'mf-auth',
    file: 'AddressDialog',
    async ask(page, site) {
      const data = { required_address: true, sign: 'of-the-test', username: 'demo02' }
      site.proxy.break('POST /api/client/login', answer({ status_code: 200, data }))
      await sendLogin(page, 'demo02', '0042')
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

for (const part of PARTS)
  for (const ending of ['js', 'css'])
    for (const fault of FAULT_NAMES) {
      const row = `lazy ${ending} ${fault}`
      const pattern = (end: string) =>
        new RegExp(`/${part.remote}/[^/]+/${part.file}\\.[0-9a-f]+\\.${ending}${end}`)
      const daily = (remote: string, name: string) => nightlyUnless(part.remote === remote && row === name)

      test(
        `${part.remote}, ${row}: first`,
        daily('shell', 'lazy css changed byte'),
        async ({ page, site }) => {
          inMatrix(row, part)
          site.proxy.break(pattern('$'), FAULTS[fault])
          await site.open(page, '/login')
          await part.ask(page, site)
          await part.shows(page)
          expect(site.blamed()).toEqual([])
        },
      )

      test(
        `${part.remote}, ${row}: until mended`,
        daily('mf-auth', 'lazy js 404'),
        async ({ page, site }) => {
          inMatrix(row, part)
          site.proxy.break(pattern(''), FAULTS[fault])
          await site.open(page, '/login')
          await part.ask(page, site)
          await part.lost(page)
          await expect.poll(site.blamed).toEqual([`${part.remote} chunk`])
          site.proxy.mend()
          await part.askAgain(page)
          await part.shows(page)
          expect(site.pagesLoaded()).toBe(1)
        },
      )
    }
