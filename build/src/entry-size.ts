import { brotliCompressSync } from 'node:zlib'
import { Compilation } from '@rspack/core'
import { atCompilationStage } from './at-stage.ts'

/**
 * Brotli bytes of an entry with ten files. Upstream's runtime alone would be 25
 * kB.
 */
const MOST_BYTES = 2_600
const BYTES_PER_FILE = 70
/** Brotli bytes of JavaScript of one page, with its entry. */
const MOST_PAGE_BYTES = 12_000

/** A large entry delays the first page of every member. */
export const limitEntrySize = (entryOf: (compilation: Compilation) => string) =>
  atCompilationStage('entry size', Compilation.PROCESS_ASSETS_STAGE_REPORT, (compilation) => {
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

/** `PAGE_BYTES=13000` sets another limit for one build. */
export const limitPageSizes = (
  pagesOf: (compilation: Compilation) => Readonly<Record<string, readonly string[]>>,
) =>
  atCompilationStage('page sizes', Compilation.PROCESS_ASSETS_STAGE_REPORT, (compilation) => {
    const sizeOf = (file: string) =>
      brotliCompressSync(compilation.getAsset(file)?.source.buffer() ?? '').length
    const most = Number(process.env.PAGE_BYTES || MOST_PAGE_BYTES)
    if (Number.isNaN(most))
      throw new Error(`PAGE_BYTES is '${process.env.PAGE_BYTES}': set a number of bytes like 13000`)
    for (const [page, files] of Object.entries(pagesOf(compilation))) {
      const bytes = [...new Set(files)].map(sizeOf).reduce((sum, size) => sum + size, 0)
      if (bytes > most)
        throw new Error(
          `${page} loads ${bytes} bytes of JavaScript (Brotli), more than ${most}: move what the first view does not need into an import()`,
        )
    }
  })
