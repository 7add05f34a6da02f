import { brotliCompressSync } from 'node:zlib'
import { Compilation } from '@rspack/core'
import { atStage } from './at-stage.ts'

/** Brotli bytes of an entry that names ten files or fewer. Upstream's runtime alone would be 25 kB. */
const MOST_BYTES = 2_600
/** The hash of one more file. */
const BYTES_PER_FILE = 70

/** Fails the build of a remote whose entry is too large, because it delays the first page of every member. */
export const limitEntrySize = (entryOf: (compilation: Compilation) => string) =>
  atStage('entry size', Compilation.PROCESS_ASSETS_STAGE_REPORT, (compilation) => {
    const entry = entryOf(compilation)
    const fault = entrySizeFault(entry, compilation.getAsset(entry)?.source.buffer())
    if (fault) throw new Error(fault)
  })

export function entrySizeFault(name: string, content: Buffer = Buffer.of()): string | undefined {
  const files = content.toString().split('sha384-').length - 1
  const most = MOST_BYTES + BYTES_PER_FILE * Math.max(0, files - 10)
  const bytes = brotliCompressSync(content).length
  if (bytes <= most) return undefined
  return `${name} has ${bytes} bytes (Brotli), more than ${most}: code that a page needs belongs behind its expose or an import(), not in the entry`
}
