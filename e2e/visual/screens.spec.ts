import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { controlPage } from '@anniversary/deploy-server/control/page'
import { controlNight } from '@anniversary/deploy-server/test/control-night'
import type { Page, PageScreenshotOptions } from '@playwright/test'
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
    await expectBothSame(page, `control-${device}`)
  }
})

for (const [screen, text] of [
  ['login', 'label'],
  ['home', 'main li span'],
] as const)
  test(`a picture of ${screen} differs when one letter has changed`, async ({ page, faulty }) => {
    await openScreen(screen, { page, faulty })
    await arrived(page)
    const frame = (await below(page)) ?? WEBP
    let before = await page.screenshot(frame)
    const changed = async () => {
      const earlier = before
      before = await page.screenshot(frame)
      return differences(page, earlier, before)
    }
    await expect.poll(changed).toEqual([])
    await page
      .locator(text)
      .last()
      .evaluate((element) => {
        element.textContent = element.textContent.replace(/n|q/, 'm')
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
async function expectSame(
  page: Page,
  screen: string,
  frame: PageScreenshotOptions = WEBP,
): Promise<void> {
  const name = `${screen}.webp`
  const info = test.info()
  const approved = info.snapshotPath(name)
  const renews = ['all', 'changed'].includes(info.config.updateSnapshots)
  if (renews || !existsSync(approved))
    return expect.soft(await page.screenshot(frame)).toMatchSnapshot(name)

  let places: string[] = []
  for (let taken = 0; taken < PICTURES; taken++) {
    await sleep(100 * taken)
    const picture = await page.screenshot(frame)
    places = await differences(page, await readFile(approved), picture)
    if (places.length === 0) return
    await writeFile(info.outputPath(name), picture)
  }
  expect.soft(places, `left and top of what differs from docs/screens/${name}`).toEqual([])
}

/** Compares the first window, and then what lies below it. */
async function expectBothSame(page: Page, screen: string): Promise<void> {
  await expectSame(page, screen)
  const frame = await below(page)
  if (frame) await expectSame(page, `${screen}-below`, frame)
}

async function expectApproved(page: Page, name: string): Promise<void> {
  for (const [device, size] of DEVICES) {
    await page.setViewportSize(size)
    await arrived(page)
    await expectBothSame(page, `${name}-${device}`)
  }
}

/** Waits for the typeface and all pictures. */
async function arrived(page: Page): Promise<void> {
  await typefaceArrived(page)
  await page.evaluate(async () => {
    await document.fonts.ready
    const visible = [...document.images].filter((image) => image.checkVisibility())
    for (const image of visible) image.loading = 'eager'
    await Promise.allSettled(visible.map((image) => image.decode()))
  })
}

/**
 * Returns how to take a picture of the part of a page below its first window;
 * null if there is none. A dialog that scrolls gets a window as high as it is.
 */
async function below(page: Page): Promise<PageScreenshotOptions | null> {
  const { width, height } = page.viewportSize() ?? PHONE
  const isDialog = (await page.locator('dialog[open]').count()) > 0
  const hidden = await page.locator(isDialog ? 'dialog[open] *' : 'html').evaluateAll((parts) => {
    const scrolls = (part: Element) =>
      part.matches('html') || /auto|scroll/.test(getComputedStyle(part).overflowY)
    const heights = parts.filter(scrolls).map((part) => part.scrollHeight - part.clientHeight)
    return Math.max(...heights)
  })
  if (hidden <= 0) return null
  if (!isDialog)
    return { ...WEBP, fullPage: true, clip: { x: 0, y: height, width, height: hidden } }
  await page.setViewportSize({ width, height: height + hidden })
  return WEBP
}
