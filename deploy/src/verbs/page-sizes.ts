import type { Build } from '@anniversary/shared/contract/composition'
import { versionIn } from '../site/compose.ts'
import type { SiteState } from '../site/record.ts'
import { pathOf, publishedBuilds } from '../site/version-folders.ts'
import type { Target } from '../target/target.ts'

/** Bytes of scripts and styles that a page brings, as they are sent (brotli). */
export interface PageSize {
  readonly package: string
  /** Its expose; of the shell, what all pages load. */
  readonly page: string
  readonly bytes: number
  /** Those of the live version; null: it has no such page. */
  readonly live: number | null
}

/** Compares pages of published versions with the live ones. */
export async function pageSizes(
  target: Target,
  live: SiteState,
  versions: readonly (readonly [name: string, version: string])[],
): Promise<PageSize[]> {
  const builds = publishedBuilds(target)
  const sizes = async (name: string, version: string | undefined): Promise<Map<string, number>> => {
    if (version === undefined) return new Map()
    const build = await builds.of(name, version)
    const pages = pagesIn(build).map(async ([page, files]): Promise<[string, number]> => {
      const bytes = await Promise.all(
        [...new Set(files)].map((file) => sentBytes(target, build, version, file)),
      )
      return [page, bytes.reduce((sum, size) => sum + size, 0)]
    })
    return new Map(await Promise.all(pages))
  }
  const compared = versions.map(async ([name, version]): Promise<PageSize[]> => {
    const [now, before] = await Promise.all([sizes(name, version), sizes(name, versionIn(live, name))])
    return [...now].map(([page, bytes]) => ({ package: name, page, bytes, live: before.get(page) ?? null }))
  })
  return (await Promise.all(compared)).flat()
}

const pagesIn = (build: Build): [page: string, files: string[]][] =>
  build.kind === 'host'
    ? [['every page', [...build.entry.js, ...build.entry.css]]]
    : Object.entries(build.exposes).map(([expose, { js, css }]) => [expose, [build.entry, ...js, ...css]])

/** A small file has no compressed variant. */
async function sentBytes(target: Target, build: Build, version: string, file: string): Promise<number> {
  const compressed = await target.read(`${pathOf(build, version, file)}.br`)
  return compressed?.length ?? build.files[file]?.bytes ?? 0
}
