import { expect, test } from '../src/test.ts'
import { drive, SIZES, withDriver } from './browsers.ts'
import { see, until } from './driver.ts'
import { launchOld } from './old-chromium.ts'
import { steps } from './steps.ts'
import { walk } from './walk.ts'

test.describe('old browsers', { tag: '@nightly' }, () => {
  test('the oldest supported Chromium does the journey of a member', async ({ stack, guest }) => {
    const driver = await drive(await launchOld(102), SIZES.phone)
    await withDriver(driver, SIZES.phone, () => walk(driver, steps, stack.url, guest))
  })

  for (const version of [90, 92] as const)
    test(`Chromium ${version} says that it is too old, and still logs in`, async ({
      stack,
      guest,
    }) => {
      const driver = await drive(await launchOld(version), SIZES.phone)
      await withDriver(driver, SIZES.phone, async () => {
        for (const path of ['/', '/check', '/megalive', '/login']) {
          await driver.goto(stack.url + path)
          await until('the app', () =>
            driver.evaluate(
              () => document.querySelector('#root:not([data-prerendered]) h1') !== null,
            ),
          )
          // biome-ignore lint/performance/useDomNodeTextContent: hidden text does not count
          const seen = await driver.evaluate(() => document.body.innerText)
          expect(seen).toMatch(/^Trình duyệt này quá cũ/)
          expect(seen).not.toMatch(/Trang tải lâu|Đã có lỗi/)
        }

        // Without styles nothing here has the place and size that `press`
        // expects.
        await driver.evaluate(() => document.querySelector('input')?.focus())
        await driver.type(guest.account)
        await driver.press('Tab')
        await driver.type(guest.digits)
        await driver.press('Enter')
        await see({ driver }, 'Nhiệm vụ nhận vé')
      })
    })
})
