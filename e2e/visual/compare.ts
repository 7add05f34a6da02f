import sharp from 'sharp'

/**
 * Compares pictures by the mean colour of small blocks. Another version of the browser, which draws letters a little
 * differently, changes a block's mean by little; what moves, grows, vanishes or changes its colour changes it by much.
 * Pictures are kept as WebP: a third of PNG.
 */

/** Pixels of a block's side. */
const BLOCK = 8
/** A block has changed when its mean differs by more than this, of 255, in any channel. */
const CHANGED = 24

export const toWebp = (png: Buffer): Promise<Buffer> => sharp(png).webp({ quality: 70 }).toBuffer()

export interface Comparison {
  /** Share of changed blocks, from 0 to 1; 1 when the sizes differ. */
  readonly share: number
  /** The new picture as PNG, its changed blocks marked. */
  marked(): Promise<Buffer>
}

/** @param png what `page.screenshot()` gives */
export async function compare(kept: Buffer, png: Buffer): Promise<Comparison> {
  const [before, now] = [await blocksOf(kept), await blocksOf(png)]
  const { width, height, columns, rows } = now
  if (before.width !== width || before.height !== height) return { share: 1, marked: async () => png }
  const changed = Array.from({ length: columns * rows }, (_, block) =>
    [0, 1, 2].some((channel) => {
      const at = block * 3 + channel
      return Math.abs((now.means[at] ?? 0) - (before.means[at] ?? 0)) > CHANGED
    }),
  )
  return {
    share: changed.filter(Boolean).length / changed.length,
    async marked() {
      const mask = Buffer.from(changed.flatMap((is) => [0, 170, 255, is ? 136 : 0]))
      const marks = sharp(mask, { raw: { width: columns, height: rows, channels: 4 } })
      const input = await marks.resize(width, height, { fit: 'fill', kernel: 'nearest' }).png().toBuffer()
      return await sharp(png).composite([{ input }]).png().toBuffer()
    },
  }
}

/** The means, three channels a block: the picture, scaled down. */
async function blocksOf(picture: Buffer) {
  const { width, height } = await sharp(picture).metadata()
  const [columns, rows] = [Math.ceil(width / BLOCK), Math.ceil(height / BLOCK)]
  const small = sharp(picture).removeAlpha().resize(columns, rows, {
    fit: 'fill',
    kernel: 'linear',
    fastShrinkOnLoad: false,
  })
  return { width, height, columns, rows, means: await small.raw().toBuffer() }
}
