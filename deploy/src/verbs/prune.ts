import { PUBLISHED_PATTERN } from '../serve/headers.ts'
import { versionsOf } from '../site/compose.ts'
import { plainPath } from '../site/compress.ts'
import { allRecords, type SiteRecord } from '../site/record.ts'
import { pathOf, publishedBuilds, SHARED_FOLDER, versionFolder } from '../site/version-folders.ts'
import { withLock } from '../target/lock.ts'
import type { Target } from '../target/target.ts'

export interface PruneOptions {
  /** Number of newest records whose versions stay. */
  readonly keep: number
  /** Versions that were live within so many days stay too: a page may stay open that long. Default: PRUNE_DAYS. */
  readonly days?: number
}

export const PRUNE_DAYS = 7

export interface Pruned {
  /** Version folders. */
  readonly removed: readonly string[]
  /** Number of shared files that were removed, compressed variants included. */
  readonly files: number
  /** Version folders. */
  readonly kept: readonly string[]
}

/**
 * Removes version folders that no kept record uses, then shared files that no kept version uses. Records themselves
 * stay, as history; a rollback to one whose versions are gone is rejected.
 */
export async function prune(
  target: Target,
  { keep, days = PRUNE_DAYS }: PruneOptions,
  now: Date = new Date(),
): Promise<Pruned> {
  target.spendReserve?.()
  await target.removeLeftovers?.()
  const pruned = await withLock(target, async () => {
    const records = await allRecords(target)
    const since = now.getTime() - days * 86_400_000
    const used = new Map(
      records
        // A record was live until the next one was written.
        .filter((_, n) => n >= records.length - Math.max(1, keep) || endOf(records, n) > since)
        .flatMap(versionsOf)
        .map((version) => [versionFolder(...version), version]),
    )
    const paths = await target.list('')
    const present = new Set(paths.flatMap((path) => folderOf(path) ?? []))
    const kept = [...used].filter(([folder]) => present.has(folder))
    const needed = await filesOf(
      target,
      kept.map(([, version]) => version),
    )
    const removed = [...present].filter((folder) => !used.has(folder) && !SHARED.test(folder)).sort()
    for (const folder of removed) await target.removeFolder(folder)
    const files = paths.filter((path) => SHARED.test(folderOf(path) ?? '') && !needed.has(plainPath(path)))
    for (const file of files) await target.remove(file)
    return { removed, files: files.length, kept: kept.map(([folder]) => folder).sort() }
  })
  await target.keepReserve?.()
  return pruned
}

function endOf(records: readonly SiteRecord[], n: number): number {
  const next = records[n + 1]
  return next ? Date.parse(next.createdAt) : Number.POSITIVE_INFINITY
}

/** Folder of a published file: of its version, or of all versions. */
const folderOf = (path: string): string | undefined =>
  new RegExp(PUBLISHED_PATTERN).exec(`/${path}`)?.[0].slice(1, -1)
const SHARED = new RegExp(`/${SHARED_FOLDER}$`)

/** Paths in the site of all files of these versions, without compressed variants. */
async function filesOf(
  target: Target,
  versions: readonly [name: string, version: string][],
): Promise<Set<string>> {
  const builds = publishedBuilds(target)
  const paths = await Promise.all(
    versions.map(async ([name, version]) => {
      const build = await builds.of(name, version)
      return Object.keys(build.files).map((file) => pathOf(build, version, file))
    }),
  )
  return new Set(paths.flat())
}
