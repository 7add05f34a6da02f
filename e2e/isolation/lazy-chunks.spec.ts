import type { Page } from '@playwright/test'
import { answer, FAULT_NAMES, FAULTS } from '../src/faults.ts'
import { sendLogin } from '../src/members.ts'
import type { FaultySite } from '../src/site.ts'
import { expect, nightlyUnless, test } from '../src/test.ts'

/** A chunk that is loaded on demand: the address dialog of mf-auth. One plugin of the build loads them all. */

test.describe.configure({ mode: 'parallel' })

async function askForIt(page: Page, site: FaultySite): Promise<void> {
  const data = { required_address: true, sign: 'of-the-test', username: 'demo02' }
  site.proxy.break('POST /api/client/login', answer({ status_code: 200, data }))
  await site.open(page, '/login')
  await sendLogin(page, 'demo02', '0042')
}
const shows = (page: Page) => expect(page.getByRole('dialog').getByLabel(/Họ/)).toBeVisible()

for (const ending of ['js', 'css'])
  for (const fault of FAULT_NAMES) {
    const file = `/mf-auth/[^/]+/AddressDialog\\.[0-9a-f]+\\.${ending}`

    const daily = ending === 'css' && fault === 'changed byte'
    test(`${ending} ${fault}: first request`, nightlyUnless(daily), async ({ page, site }) => {
      site.proxy.break(new RegExp(`${file}$`), FAULTS[fault])
      await askForIt(page, site)
      await shows(page)
      expect(site.blamed()).toEqual([])
    })

    test(
      `${ending} ${fault}: until mended`,
      nightlyUnless(ending === 'js' && fault === '404'),
      async ({ page, site }) => {
        site.proxy.break(new RegExp(file), FAULTS[fault])
        await askForIt(page, site)
        await expect(page.getByText('Chưa mở được biểu mẫu địa chỉ').first()).toBeVisible()
        await expect.poll(site.blamed).toEqual(['mf-auth chunk'])
        site.proxy.mend()
        await page.getByRole('main').getByRole('button', { name: 'Thử lại' }).click()
        await shows(page)
        expect(site.pagesLoaded()).toBe(1)
      },
    )
  }
