import type { Page } from '@playwright/test'
import { card, claimButton, enter } from '../src/members.ts'
import { mainScreens, openScreen } from '../src/screens.ts'
import { expect, nightlyUnless, test } from '../src/test.ts'
import { overflow } from '../visual/layout.ts'

/** Conditions of real phones that can be emulated; docs/guides/phones.md has the others. */

const PHONE = { width: 390, height: 844 }
const LANDSCAPE = { width: 640, height: 360 }
/** What a keyboard leaves of the page (`interactive-widget=resizes-content`). */
const ABOVE_KEYBOARD = [
  { width: 390, height: 360 },
  { width: 640, height: 180 },
]
const TAKE = 'POST /api/client/take-code'

/** Everything in the open dialog, else on the page, that can be pressed, except the link to skip the header. */
async function controlsOn(page: Page) {
  const dialog = page.locator('dialog[open]')
  const root = (await dialog.count()) > 0 ? dialog.last() : page.locator('body')
  return await root
    .locator(':is(a[href]:not([href^="#"]), button, input, textarea):not(:disabled):visible')
    .all()
}

/** Sees each control scrolled to and hit. */
async function expectReachable(page: Page): Promise<void> {
  const controls = await controlsOn(page)
  expect(controls.length).toBeGreaterThan(0)
  for (const control of controls) await control.click({ trial: true })
}

/** Texts that do not fit into their box. */
const clipped = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('body *')].flatMap((element) => {
      const hasText = [...element.childNodes].some((node) => node instanceof Text && node.data.trim() !== '')
      // What is visually hidden is one pixel wide, what is inline has no width of its own.
      if (!hasText || element.clientWidth <= 1 || !element.checkVisibility()) return []
      const over = element.scrollWidth - element.clientWidth
      return over > 1 ? [`${element.textContent?.trim()}: ${over} px`] : []
    }),
  )

test.describe.configure({ mode: 'parallel' })

/** A dialog with fields has all that can be out of reach. */
const DAILY = 'home-share'
for (const name of [...Object.keys(mainScreens), 'login-address', 'rules', 'home-streak'])
  test(
    `${name}: everything can be reached in landscape, above a keyboard, and with text at 200 %`,
    nightlyUnless(name === DAILY),
    async ({ page, faulty }) => {
      await openScreen(name, { page, faulty })
      await page.setViewportSize(LANDSCAPE)
      expect(await overflow(page), 'landscape scrolls sideways').toBeLessThanOrEqual(0)
      await expectReachable(page)

      for (const size of ABOVE_KEYBOARD) {
        await page.setViewportSize(size)
        for (const control of await controlsOn(page)) {
          if (!(await control.evaluate((element) => element.matches('input, textarea')))) continue
          await control.focus()
          await expect(control).toBeInViewport({ ratio: 0.98 })
        }
        await expectReachable(page)
      }

      await page.setViewportSize(PHONE)
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%'
      })
      expect(await overflow(page), 'large text scrolls sideways').toBeLessThanOrEqual(0)
      expect(await clipped(page)).toEqual([])
      await expectReachable(page)
    },
  )

test('during a claim a pull does not reload the page; discarded and reloaded, it has the ticket', async ({
  page,
  context,
  faulty,
  guest,
}) => {
  await enter(context, faulty.url, guest)
  faulty.hold(TAKE)
  await page.clock.install()
  await page.goto(`${faulty.url}/home`)
  await expect(claimButton(page, '300')).toBeVisible()
  const gestures = () =>
    page.evaluate(() => {
      const { touchAction, overscrollBehaviorY } = getComputedStyle(document.documentElement)
      return [touchAction, overscrollBehaviorY]
    })
  expect(await gestures(), 'quick presses do not zoom').toEqual(['manipulation', 'auto'])
  await claimButton(page, '300').click()
  expect(await gestures()).toEqual(['manipulation', 'contain'])
  await page.clock.fastForward(1000)
  await expect.poll(() => faulty.count(TAKE)).toBe(1)
  faulty.release()
  await page.reload()
  await expect(card(page, '300').getByRole('button', { name: /Xem mã/ })).toBeVisible()
  expect(await gestures()).toEqual(['manipulation', 'auto'])
  expect(faulty.count(TAKE)).toBe(1)
})
