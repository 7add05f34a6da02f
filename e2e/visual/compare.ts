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

export const toWebp = (png: Buffer): Promise<Buffer> => sharp(png).webp({ quality: 70 }).toBuffer()

/** Share of changed blocks, from 0 to 1; 1 when the sizes differ. */
export async function changedShare(kept: Buffer, shot: Buffer): Promise<number> {
  const [before, now] = [await blocksOf(kept), await blocksOf(shot)]
  if (before.width !== now.width || before.height !== now.height) return 1
  const count = now.means.length / CHANNELS
  const changed = Array.from({ length: count }, (_, block) =>
    [0, 1, 2].some((channel) => {
      const at = block * CHANNELS + channel
      return Math.abs((now.means[at] ?? 0) - (before.means[at] ?? 0)) > CHANGED
    }),
  )
  return changed.filter(Boolean).length / count
}

async function blocksOf(picture: Buffer) {
  const { width, height } = await sharp(picture).metadata()
  const small = sharp(picture)
    .removeAlpha()
    .resize(Math.ceil(width / BLOCK), Math.ceil(height / BLOCK), {
      fit: 'fill',
      kernel: 'linear',
      fastShrinkOnLoad: false,
    })
  return { width, height, means: await small.raw().toBuffer() }
}
