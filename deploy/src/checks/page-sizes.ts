import type { Build, RemoteBuild } from '@anniversary/shared/contract/composition'
import type { Candidate } from '../builds/read-build.ts'
import { type Problem, problem } from '../rejected.ts'
import { versionIn } from '../site/compose.ts'
import type { SiteRecord } from '../site/record.ts'
import { pathOf, publishedBuilds } from '../site/version-folders.ts'
import { brotliPath, compressed } from '../target/compress.ts'
import type { Target } from '../target/target.ts'

/** Brotli bytes of JavaScript that one page of a remote may load: the container's entry and the page's own chunks. */
const PAGE_BUDGET = 12_000

export interface PageSize {
  readonly package: string
  readonly page: string
  readonly bytes: number
  readonly live: number | null
}

export async function sizeProblems({ build, files }: Candidate<RemoteBuild>): Promise<Problem[]> {
  const sizes = await sizesOf(build, async (file) => {
    const bytes = files.get(file) ?? Buffer.alloc(0)
    return ((await compressed(file, bytes)) ?? bytes).length
  })
  return [...sizes]
    .filter(([, bytes]) => bytes > PAGE_BUDGET)
    .map(([expose, bytes]) =>
      problem(
        'size',
        build.name,
        `${expose} brings ${bytes} bytes of JavaScript (brotli), the budget is ${PAGE_BUDGET}`,
        'Move what the first view does not need into an import(), or let it through once: --force size',
      ),
    )
}

export async function pageSizes(
  target: Target,
  live: SiteRecord,
  { build, version }: Candidate,
): Promise<PageSize[]> {
  const stored = (of: Build, version: string) =>
    sizesOf(of, async (file) => {
      const path = pathOf(of, version, file)
      return ((await target.read(brotliPath(path))) ?? (await target.read(path)))?.length ?? 0
    })
  const { name } = build
  const old = versionIn(live, name)
  const before =
    old === undefined ? null : await stored(await publishedBuilds(target).of(name, old), old)
  const sizes = await stored(build, version)
  return [...sizes].map(([page, bytes]) => ({
    package: name,
    page,
    bytes,
    live: before?.get(page) ?? null,
  }))
}

async function sizesOf(build: Build, sizeOf: (file: string) => Promise<number>) {
  const [first, pages] =
    build.kind === 'host' ? [[], { 'every page': build.entry }] : [[build.entry], build.exposes]
  const sizes = new Map<string, number>()
  for (const [page, { js }] of Object.entries(pages)) {
    let bytes = 0
    for (const file of new Set([...first, ...js])) bytes += await sizeOf(file)
    sizes.set(page, bytes)
  }
  return sizes
}
