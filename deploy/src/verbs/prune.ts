import { withLock } from '../lock.ts'
import { allRecords, type SiteRecord } from '../record.ts'
import { HOST_NAME, versionFolder } from '../site.ts'
import type { Target } from '../target/target.ts'

export interface PruneOptions {
  /** Number of newest states whose versions stay. */
  readonly keep: number
  /** Versions that were live within so many days stay too: a page may be open that long. */
  readonly days?: number
}

export interface Pruned {
  readonly removed: readonly string[]
  readonly kept: readonly string[]
}

/**
 * Removes version folders that no kept state uses. States themselves stay, as history; one whose versions are gone
 * can no longer be rolled back to.
 */
export const prune = async (
  target: Target,
  { keep, days = 0 }: PruneOptions,
  now: Date = new Date(),
): Promise<Pruned> =>
  await withLock(target, async () => {
    const records = await allRecords(target)
    const since = now.getTime() - days * 86_400_000
    const used = new Set(
      records
        // A state was live until the next began.
        .filter((_, n) => n >= records.length - Math.max(1, keep) || endOf(records, n) > since)
        .flatMap(foldersOf),
    )
    const present = new Set((await target.list('')).map(folderOf).filter((folder) => folder !== null))
    const removed = [...present].filter((folder) => !used.has(folder)).sort()
    for (const folder of removed) await target.removeFolder(folder)
    return { removed, kept: [...used].filter((folder) => present.has(folder)).sort() }
  })

function endOf(records: readonly SiteRecord[], n: number): number {
  const next = records[n + 1]
  return next ? Date.parse(next.createdAt) : Number.POSITIVE_INFINITY
}

const foldersOf = ({ shell, remotes }: SiteRecord): string[] => [
  versionFolder(HOST_NAME, shell.version),
  ...Object.entries(remotes).flatMap(([name, { current, previous, canary }]) =>
    [current, previous, canary?.release].flatMap((release) =>
      release ? [versionFolder(name, release.version)] : [],
    ),
  ),
]

/** The version folder that a file lies in, if any. */
const folderOf = (path: string): string | null =>
  /^[a-z][a-z0-9-]*\/\d+\.\d+\.\d+[^/]*-[0-9a-f]{12}(?=\/)/.exec(path)?.[0] ?? null
