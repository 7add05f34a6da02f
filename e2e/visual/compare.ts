import sharp from 'sharp'

/**
 * Compares pictures by the mean colour of small blocks. Another version of the browser, which draws letters a little
 * differently, changes a block's mean by little; what moves, grows, vanishes or changes its colour changes it by much.
 * Pictures are kept as WebP: a third of PNG.
 */

const BLOCK = 8
/** A block has changed when its mean differs by more than this, of 255, in any channel. */
const CHANGED = 24
const CHANNELS = 3

const QUALITY = { quality: 70 }
export const toWebp = (png: Buffer): Promise<Buffer> => sharp(png).webp(QUALITY).toBuffer()
/** Pictures of one size side by side. */
export const joined = (pictures: Buffer[]): Promise<Buffer> =>
  sharp(pictures, { join: { across: pictures.length } })
    .webp(QUALITY)
    .toBuffer()

/** Share of changed blocks, from 0 to 1; 1 when the sizes differ. */
export async function changedShare(kept: Buffer, shot: Buffer): Promise<number> {
  const [before, now] = [await meansOf(kept), await meansOf(shot)]
  if (before.length !== now.length) return 1
  const changed = new Set<number>()
  before.forEach((mean, at) => {
    if (Math.abs(mean - (now[at] ?? 0)) > CHANGED) changed.add(Math.floor(at / CHANNELS))
  })
  return (changed.size * CHANNELS) / now.length
}

/** Red, green and blue of each block. */
async function meansOf(picture: Buffer): Promise<Buffer> {
  const { width, height } = await sharp(picture).metadata()
  const grid = [Math.ceil(width / BLOCK), Math.ceil(height / BLOCK)] as const
  const options = { fit: 'fill', kernel: 'linear', fastShrinkOnLoad: false } as const
  return await sharp(picture)
    .removeAlpha()
    .resize(...grid, options)
    .raw()
    .toBuffer()
}
