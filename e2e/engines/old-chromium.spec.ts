import { expect, test } from '../src/test.ts'
import { drive, SIZES, withDriver } from './browsers.ts'
import { see } from './driver.ts'
import { launchOld } from './old-chromium.ts'
import { steps } from './steps.ts'
import { walk } from './walk.ts'

test.describe('old browsers', { tag: '@nightly' }, () => {
  test('the oldest supported Chromium does the journey of a member', async ({ stack, guest }) => {
    const driver = await drive(await launchOld(102), SIZES.phone)
    await withDriver(driver, SIZES.phone, () => walk(driver, steps, stack.url, guest))
  })

  for (const version of [90, 92] as const)
    test(`Chromium ${version} says that it is too old`, async ({ stack }) => {
      const driver = await drive(await launchOld(version), SIZES.phone)
      await withDriver(driver, SIZES.phone, async () => {
        for (const path of ['/', '/check', '/megalive', '/login']) {
          await driver.goto(stack.url + path)
          const { input } = await see({ driver }, /^Trình duyệt này quá cũ/)
          expect(input).not.toMatch(/Trang tải lâu/)
        }
      })
    })
})
