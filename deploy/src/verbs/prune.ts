import { VERSION_PATTERN } from '../serve/headers.ts'
import { allRecords, type SiteRecord } from '../site/record.ts'
import { versionFolder, versionsOf } from '../site/version-folders.ts'
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
  readonly removed: readonly string[]
  readonly kept: readonly string[]
}

/**
 * Removes version folders that no kept record uses. Records themselves stay, as history; a rollback to one whose
 * versions are gone is rejected.
 */
export const prune = async (
  target: Target,
  { keep, days = PRUNE_DAYS }: PruneOptions,
  now: Date = new Date(),
): Promise<Pruned> =>
  await withLock(target, async () => {
    const records = await allRecords(target)
    const since = now.getTime() - days * 86_400_000
    const used = new Set(
      records
        // A record was live until the next one was written.
        .filter((_, n) => n >= records.length - Math.max(1, keep) || endOf(records, n) > since)
        .flatMap(versionsOf)
        .map(([name, version]) => versionFolder(name, version)),
    )
    const present = new Set((await target.list('')).map(folderOf).filter((folder) => folder !== undefined))
    const removed = [...present].filter((folder) => !used.has(folder)).sort()
    for (const folder of removed) await target.removeFolder(folder)
    return { removed, kept: [...used].filter((folder) => present.has(folder)).sort() }
  })

function endOf(records: readonly SiteRecord[], n: number): number {
  const next = records[n + 1]
  return next ? Date.parse(next.createdAt) : Number.POSITIVE_INFINITY
}

/** Version folder of a file, if it is in one. */
const folderOf = (path: string): string | undefined =>
  new RegExp(VERSION_PATTERN).exec(`/${path}`)?.[0].slice(1, -1)
