import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import type { RemoteBuild } from '@anniversary/shared/contract/composition'
import type { Candidate } from '../builds/read-build.ts'
import type { Problem } from '../rejected.ts'

const brotli = promisify(brotliCompress)

/** Brotli bytes of JavaScript that one page of a remote may load: the container's entry and the page's own chunks. */
const PAGE_BUDGET = 12_000

/** Pages of a remote that are over the budget. */
export async function sizeProblems({ build, files }: Candidate<RemoteBuild>): Promise<Problem[]> {
  const sizeOf = async (path: string) => (await brotli(files.get(path) ?? Buffer.alloc(0))).length
  const problems = await Promise.all(
    Object.entries(build.exposes).map(async ([expose, { js }]): Promise<Problem[]> => {
      const sizes = await Promise.all([...new Set([build.entry, ...js])].map(sizeOf))
      const bytes = sizes.reduce((sum, size) => sum + size, 0)
      if (bytes <= PAGE_BUDGET) return []
      return [
        {
          rule: 'size',
          about: build.name,
          found: `${expose} brings ${bytes} bytes of JavaScript (brotli), the budget is ${PAGE_BUDGET}`,
          todo: 'Move what the first view does not need into an import(), or let it through once: --force size',
        },
      ]
    }),
  )
  return problems.flat()
}
