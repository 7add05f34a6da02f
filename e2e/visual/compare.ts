import type { Browser } from '@playwright/test'

/**
 * Compares pictures by the mean colour of small blocks. Another version of the browser, which draws letters a little
 * differently, changes a block's mean by little; what moves, grows, vanishes or changes its colour changes it by much.
 * Pictures are kept as WebP: a third of PNG.
 */

/** Pixels of a block's side. */
const BLOCK = 8
/** A block has changed when its mean differs by more than this, of 255, in any channel. */
const CHANGED = 24
/** Quality of the kept pictures, of 1. */
const QUALITY = 0.7

export interface Comparer {
  /** @param png what `page.screenshot()` gives */
  toWebp(png: Buffer): Promise<Buffer>
  /** Share of changed blocks, from 0 to 1; 1 when the sizes differ. */
  compare(kept: Buffer, png: Buffer): Promise<number>
  /** The new picture of the last comparison as PNG, its changed blocks marked. */
  marked(): Promise<Buffer>
}

const dataUrl = (bytes: Buffer, type: string) => `data:image/${type};base64,${bytes.toString('base64')}`
const bytesOf = (url: string) => Buffer.from(url.slice(url.indexOf(',') + 1), 'base64')

/** Compares in a page of its own, since the browser knows both formats. */
export async function createComparer(browser: Browser): Promise<Comparer> {
  const page = await browser.newPage()
  return {
    toWebp: async (png) =>
      bytesOf(await page.evaluate(encode, { png: dataUrl(png, 'png'), quality: QUALITY })),
    compare: (kept, png) =>
      page.evaluate(difference, {
        kept: dataUrl(kept, 'webp'),
        now: dataUrl(png, 'png'),
        block: BLOCK,
        changed: CHANGED,
      }),
    marked: async () =>
      bytesOf(await page.evaluate(() => document.querySelector('canvas')?.toDataURL('image/png') ?? '')),
  }
}

/** Runs in the page. */
async function encode({ png, quality }: { png: string; quality: number }): Promise<string> {
  const image = new Image()
  image.src = png
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.width
  canvas.height = image.height
  canvas.getContext('2d')?.drawImage(image, 0, 0)
  return canvas.toDataURL('image/webp', quality)
}

/** Runs in the page, and leaves the marked picture there. */
async function difference(input: {
  kept: string
  now: string
  block: number
  changed: number
}): Promise<number> {
  const { block, changed } = input
  const draw = async (url: string) => {
    const image = new Image()
    image.src = url
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = image.width
    canvas.height = image.height
    const context = canvas.getContext('2d', { willReadFrequently: true })
    if (!context) throw new Error('This browser draws nothing')
    context.drawImage(image, 0, 0)
    return { canvas, context }
  }
  const [kept, now] = [await draw(input.kept), await draw(input.now)]
  const { width, height } = now.canvas
  document.body.replaceChildren(now.canvas)
  if (kept.canvas.width !== width || kept.canvas.height !== height) return 1

  const [before, after] = [kept, now].map(({ context }) => context.getImageData(0, 0, width, height).data)
  if (!before || !after) return 1
  const changedBlocks: [number, number][] = []
  let blocks = 0
  for (let top = 0; top < height; top += block) {
    for (let left = 0; left < width; left += block) {
      const sums = [0, 0, 0]
      let pixels = 0
      for (let y = top; y < Math.min(top + block, height); y += 1) {
        for (let x = left; x < Math.min(left + block, width); x += 1) {
          const at = (y * width + x) * 4
          for (let channel = 0; channel < 3; channel += 1)
            sums[channel] = (sums[channel] ?? 0) + (after[at + channel] ?? 0) - (before[at + channel] ?? 0)
          pixels += 1
        }
      }
      blocks += 1
      if (Math.max(...sums.map(Math.abs)) / pixels > changed) changedBlocks.push([left, top])
    }
  }
  now.context.fillStyle = '#0af8'
  for (const [left, top] of changedBlocks) now.context.fillRect(left, top, block, block)
  return changedBlocks.length / blocks
}
