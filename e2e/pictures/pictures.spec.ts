import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test } from '../src/member-test.ts'
import { openScreen, screens, typefaceArrived } from '../src/screens.ts'
import { ROOT } from '../src/stack.ts'
import { type Comparer, startComparer } from './compare.ts'

/**
 * Every screen in its main states, as it looked when it was last approved: docs/screens. `npm run pictures` renews them.
 * The clock stands still, codes are always the same, and nothing moves.
 */

const FOLDER = join(ROOT, 'docs/screens')
const WIDTHS = { phone: { width: 390, height: 844 }, desktop: { width: 1280, height: 800 } }
/**
 * Changed blocks that a picture may have. Measured: another font rendering (no hinting, no subpixels) changes up to
 * 0.6 %, a field that is 12 pixels higher 2.6 % of the screen that it disturbs least.
 */
const MAX_SHARE = 0.01
const MAX_FOLDER_BYTES = 2_500_000

let comparer: Comparer
test.beforeAll(async () => {
  comparer = await startComparer()
  await mkdir(FOLDER, { recursive: true })
})
test.afterAll(() => comparer.close())
test.use({ reducedMotion: 'reduce' })

/** The typeface is there, and every picture in view. */
async function settled(page: Page): Promise<void> {
  await typefaceArrived(page)
  await page.evaluate(async () => {
    await document.fonts.ready
    const inView = [...document.images].filter((image) => {
      const { top, bottom } = image.getBoundingClientRect()
      return image.checkVisibility() && top < innerHeight && bottom > 0
    })
    await Promise.allSettled(inView.map((image) => image.decode()))
  })
}

/** A picture that the next one repeats: what draws late, as a frame of another process does, has drawn. */
async function steady(page: Page): Promise<Buffer> {
  const shoot = () => page.screenshot({ animations: 'disabled', caret: 'hide' })
  let last = await shoot()
  for (let more = 0; more < 8; more += 1) {
    await new Promise((later) => setTimeout(later, 50))
    const next = await shoot()
    if (next.equals(last)) break
    last = next
  }
  return last
}

for (const screen of screens) {
  // spec: pictures
  test(`${screen.name} looks as approved`, async ({ page, faulty, expectedErrors }, info) => {
    if (screen.errors) expectedErrors.push(screen.errors)
    await page.setViewportSize(WIDTHS.phone)
    await openScreen(screen.name, { page, faulty })
    for (const [device, size] of Object.entries(WIDTHS)) {
      await page.setViewportSize(size)
      await settled(page)
      const png = await steady(page)
      const file = join(FOLDER, `${screen.name}-${device}.webp`)
      const known = existsSync(file)
      const renew = info.config.updateSnapshots === 'all'
      if (renew || !known) await writeFile(file, await comparer.toWebp(png))
      expect(known || renew, `${file} was not there, and is now`).toBe(true)
      const { share, marked } = await comparer.compare(await readFile(file), png)
      if (share > MAX_SHARE) {
        const picture = Buffer.from(marked.slice(marked.indexOf(',') + 1), 'base64')
        await info.attach(`${screen.name}-${device}-changes`, { body: picture, contentType: 'image/png' })
      }
      expect.soft(share, `changed share of ${screen.name}-${device}`).toBeLessThanOrEqual(MAX_SHARE)
    }
    faulty.release()
  })
}

// biome-ignore lint/correctness/noEmptyPattern: Playwright asks for a destructured first parameter
test('the folder holds these pictures, no others, and stays small', async ({}, info) => {
  const names = screens.flatMap(({ name }) => Object.keys(WIDTHS).map((device) => `${name}-${device}.webp`))
  const ours = async () => (await readdir(FOLDER)).filter((name) => name.endsWith('.webp'))
  if (info.config.updateSnapshots === 'all')
    for (const name of await ours()) if (!names.includes(name)) await rm(join(FOLDER, name))
  expect((await ours()).sort()).toEqual(names.sort())
  const sizes = await Promise.all(names.map(async (name) => (await readFile(join(FOLDER, name))).length))
  expect(sizes.reduce((sum, bytes) => sum + bytes, 0)).toBeLessThan(MAX_FOLDER_BYTES)
})
