import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { controlPage } from '@anniversary/deploy-server/control/page'
import { controlNight } from '@anniversary/deploy-server/test/control-night'
import type { Page } from '@playwright/test'
import { violations } from '../src/axe.ts'
import {
  MOVING,
  mainScreens,
  openScreen,
  screens,
  typefaceArrived,
  wordings,
} from '../src/screens.ts'
import { expect, nightlyUnless, test } from '../src/test.ts'
import { differences } from './compare.ts'
import { expectReachable, moving, overflow, smallTargets } from './layout.ts'

/**
 * Visits every screen and open dialog. Compares pictures with the approved ones
 * (docs/screens, renewed by `npm run pictures`) and runs axe for WCAG 2.2 AA.
 * Clock, codes and animations stand still.
 */

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1280, height: 800 }
const DEVICES = Object.entries({ phone: PHONE, desktop: DESKTOP })
/** Windows of phones between the browser's bars. */
const PHONE_WINDOWS = [
  [360, 640],
  [375, 553],
  [375, 667],
  [390, 664],
  [360, 560],
] as const
/** The narrowest view of WCAG 1.4.10: 1280 pixels at 400 %. */
const NARROW = { width: 320, height: 640 }
/** Has every kind of control. The reach of the others is tested nightly. */
const WITH_FIELDS = 'home-share'
/** Height of the control page down to its first card. */
const CONTROL_HEIGHT = 1240
/** Taken of a screen before it counts as changed. */
const PICTURES = 10
/** Lossy: a sixth of what the same picture takes without loss. */
const WEBP = { type: 'webp', quality: 70, animations: 'disabled' } as const

for (const name of Object.keys(screens)) {
  const looks = name in wordings ? '' : 'looks as approved, '
  // spec: screens
  test(
    `${name}: ${looks}axe finds nothing, it reflows, fingers hit`,
    nightlyUnless(name in mainScreens),
    async ({ page, faulty, expectedErrors }) => {
      if (/failed|banned/.test(name)) expectedErrors.push(/./)
      const moves = MOVING.has(name)
      await page.emulateMedia({ reducedMotion: moves ? 'no-preference' : 'reduce' })
      await page.setViewportSize(PHONE)
      await openScreen(name, { page, faulty })
      // What appears with the dialog ends at once; a glow that does not pause
      // runs for six seconds.
      if (moves)
        await expect
          .poll(() => moving(page), { timeout: 4000 })
          .toMatchObject({ endless: 0, beneath: 0 })
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await expect.poll(() => moving(page)).toEqual({ ending: 0, endless: 0, beneath: 0 })

      if (looks) await expectApproved(page, name)
      await page.clock.resume()
      await expectUsable(page, name === WITH_FIELDS)
      faulty.release()
    },
  )
}

test('the landing page shows both gates whole in the windows of ordinary phones', async ({
  page,
  stack,
}) => {
  for (const [width, height] of PHONE_WINDOWS) {
    await page.setViewportSize({ width, height })
    await page.goto(stack.url)
    await expect(page.getByRole('timer')).toBeVisible()
    for (const gate of await page
      .getByRole('navigation', { name: 'Bắt đầu' })
      .getByRole('link')
      .all())
      await expect(gate, `${width}x${height}`).toBeInViewport({ ratio: 1 })
  }
})

test('the control page looks as approved', { tag: '@nightly' }, async ({ page, stack }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const caller = {
    name: 'thu@on-call',
    packages: ['*'],
    may: 'everything' as const,
    whoMay: () => [],
    isKnown: async () => true,
  }
  const body = controlPage(controlNight, caller).markup
  await page.route('**/control', (route) => route.fulfill({ contentType: 'text/html', body }))
  await page.goto(`${stack.url}/control`)
  for (const [device, { width }] of DEVICES) {
    await page.setViewportSize({ width, height: CONTROL_HEIGHT })
    await expectSame(page, `control-${device}`)
  }
})

test('a picture differs when one letter of a label has changed', async ({ page, faulty }) => {
  await openScreen('login', { page, faulty })
  let before = await page.screenshot(WEBP)
  const changed = async () => {
    const earlier = before
    before = await page.screenshot(WEBP)
    return differences(page, earlier, before)
  }
  await expect.poll(changed).toEqual([])
  await page
    .locator('label')
    .first()
    .evaluate((label) => {
      label.textContent = label.textContent.replace('n', 'm')
    })
  expect(await changed()).not.toEqual([])
})

/**
 * For axe, in each width, for fingers and, at night or if asked, with large
 * text and above a keyboard.
 */
async function expectUsable(page: Page, always = false): Promise<void> {
  await page.setViewportSize(DESKTOP)
  expect(await violations(page), 'axe, desktop').toEqual([])
  await page.setViewportSize(PHONE)
  expect(await violations(page), 'axe, phone').toEqual([])
  expect(await smallTargets(page), 'targets below 44 px').toEqual([])
  await expect(page.locator('h1')).toHaveCount(1)
  await expect(page.locator('html')).toHaveAttribute('lang', 'vi')
  await page.setViewportSize(NARROW)
  expect(await overflow(page), 'scrolls sideways at 320 px').toBe(0)
  if (process.env.NIGHTLY || always) await expectReachable(page)
}

/**
 * Takes several pictures, since a frame of another process may draw late. The
 * last one stays in `test-results` where all differ.
 */
async function expectSame(page: Page, screen: string): Promise<void> {
  const name = `${screen}.webp`
  const info = test.info()
  const approved = info.snapshotPath(name)
  const renews = ['all', 'changed'].includes(info.config.updateSnapshots)
  if (renews || !existsSync(approved))
    return expect.soft(await page.screenshot(WEBP)).toMatchSnapshot(name)

  let places: string[] = []
  for (let taken = 0; taken < PICTURES; taken++) {
    await sleep(100 * taken)
    const picture = await page.screenshot(WEBP)
    places = await differences(page, await readFile(approved), picture)
    if (places.length === 0) return
    await writeFile(info.outputPath(name), picture)
  }
  expect.soft(places, `left and top of what differs from docs/screens/${name}`).toEqual([])
}

/**
 * Compares once the typeface and the pictures in view are there, on each
 * device.
 */
async function expectApproved(page: Page, name: string): Promise<void> {
  for (const [device, size] of DEVICES) {
    await page.setViewportSize(size)
    await typefaceArrived(page)
    await page.evaluate(async () => {
      await document.fonts.ready
      const inView = [...document.images].filter((image) => {
        const { top, bottom } = image.getBoundingClientRect()
        return image.checkVisibility() && top < innerHeight && bottom > 0
      })
      await Promise.allSettled(inView.map((image) => image.decode()))
    })
    await expectSame(page, `${name}-${device}`)
  }
}
