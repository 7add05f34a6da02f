import type { Page } from '@playwright/test'

/**
 * Pixels of a side. A word that changes fills much of a tile, and little of a
 * page.
 */
const TILE = 24
/**
 * Difference of a colour channel. Text that meets WCAG's contrast differs more
 * from its ground.
 */
const VISIBLE = 60
/**
 * Pixels. Chromium 150 to 156, with and without a window, differ in at most
 * three of a tile.
 */
const TOLERATED = 8

/**
 * Returns the places, in pixels, at which two pictures look different. The
 * browser decodes them.
 */
export async function differences(page: Page, approved: Buffer, picture: Buffer) {
  const canvas = await page.context().newPage()
  const sources = [approved, picture].map((each) => each.toString('base64'))
  try {
    return await canvas.evaluate(differentTiles, { sources, TILE, VISIBLE, TOLERATED })
  } finally {
    await canvas.close()
  }
}

interface Comparison {
  readonly sources: readonly string[]
  readonly TILE: number
  readonly VISIBLE: number
  readonly TOLERATED: number
}

async function differentTiles({ sources, TILE, VISIBLE, TOLERATED }: Comparison) {
  const decode = async (source: string) => {
    const image = new Image()
    image.src = `data:image/webp;base64,${source}`
    await image.decode()
    const context = new OffscreenCanvas(image.width, image.height).getContext('2d')
    context?.drawImage(image, 0, 0)
    return context?.getImageData(0, 0, image.width, image.height)
  }
  const [before, after] = await Promise.all(sources.map(decode))
  if (!before || !after) return ['the browser has no canvas']
  const { width, height } = before
  if (after.width !== width || after.height !== height)
    return [`${after.width}x${after.height} in place of ${width}x${height}`]

  const counts = new Map<string, number>()
  for (let index = 0; index < before.data.length; index++) {
    if (Math.abs((before.data[index] ?? 0) - (after.data[index] ?? 0)) <= VISIBLE) continue
    const pixel = Math.floor(index / 4)
    const x = Math.floor((pixel % width) / TILE) * TILE
    const y = Math.floor(pixel / width / TILE) * TILE
    counts.set(`${x},${y}`, (counts.get(`${x},${y}`) ?? 0) + 1)
    // Counts a pixel once: the loop goes on with the next one.
    index = pixel * 4 + 3
  }
  return [...counts].flatMap(([tile, count]) => (count > TOLERATED ? [tile] : []))
}
