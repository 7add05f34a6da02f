import { promisify } from 'node:util'
import { brotliCompress } from 'node:zlib'
import type { RemoteBuild } from '@anniversary/shared/contract/composition'
import type { Candidate } from './build-dir.ts'
import type { Problem } from './problem.ts'

const brotli = promisify(brotliCompress)

/** JavaScript that one page of a remote may bring, in brotli bytes: the container's entry and the page's own chunks. */
export const REMOTE_BUDGET = 12_000

/** Brotli bytes of JavaScript that each page of a remote brings. */
export async function pageSizes({ build, files }: Candidate<RemoteBuild>): Promise<Record<string, number>> {
  const sizes = new Map<string, number>()
  const scripts = new Set([build.entry, ...Object.values(build.exposes).flatMap(({ js }) => js)])
  await Promise.all(
    [...scripts].map(async (path) => {
      sizes.set(path, (await brotli(files.get(path) ?? Buffer.alloc(0))).length)
    }),
  )
  return Object.fromEntries(
    Object.entries(build.exposes).map(([expose, { js }]) => [
      expose,
      [...new Set([build.entry, ...js])].reduce((sum, path) => sum + (sizes.get(path) ?? 0), 0),
    ]),
  )
}

/** Pages that are over the budget. */
export async function sizeProblems(candidate: Candidate<RemoteBuild>): Promise<Problem[]> {
  const { name } = candidate.build
  return Object.entries(await pageSizes(candidate)).flatMap(([expose, bytes]): Problem[] =>
    bytes > REMOTE_BUDGET
      ? [
          {
            rule: 'size',
            about: name,
            found: `${expose} brings ${bytes} bytes of JavaScript (brotli), the budget is ${REMOTE_BUDGET}`,
            todo: 'Move what the first view does not need into an import(), or let it through once: --force size',
          },
        ]
      : [],
  )
}
