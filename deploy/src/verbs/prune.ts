import { PUBLISHED_PATTERN } from '../serve/headers.ts'
import { applyChange } from '../site/change.ts'
import { versionIn, versionsOf } from '../site/compose.ts'
import { plainPath } from '../site/compress.ts'
import { openHistory } from '../site/history.ts'
import { removeExpired } from '../site/preview.ts'
import { allRecords, pointerNumber, requireSite, type SiteRecord } from '../site/record.ts'
import { mapsFolder } from '../site/source-maps.ts'
import { pathOf, publishedBuilds, SHARED_FOLDER, versionFolder } from '../site/version-folders.ts'
import { withLock } from '../target/lock.ts'
import type { Target } from '../target/target.ts'

export interface PruneOptions {
  /** Number of newest records that stay, with their versions. */
  readonly keep: number
  /** Records that were live within so many days stay too: a page may stay open that long. Default: PRUNE_DAYS. */
  readonly days?: number
}

export const PRUNE_DAYS = 7

export interface Pruned {
  /** Version folders. */
  readonly removed: readonly string[]
  /** Number of records that were removed. */
  readonly records: number
  /** Number of shared files that were removed, compressed variants included. */
  readonly files: number
  /** Number of previews whose time was over. */
  readonly previews: number
  /** Version folders that stay. */
  readonly kept: readonly string[]
}

/**
 * Removes expired previews, and old records with the compositions of their pages; then versions that no kept record and
 * no preview uses, with their source maps; then shared files that no kept version uses. Keeps the records, and the
 * versions, to which one step leads back, and the records that changed the owners.
 */
export async function prune(
  target: Target,
  { keep, days = PRUNE_DAYS }: PruneOptions,
  now: Date = new Date(),
): Promise<Pruned> {
  target.spendReserve?.()
  await target.removeLeftovers?.()
  const { newest } = await openHistory(target)
  // A signed record vouches for what is left: nobody could check pruned changes any more (site/history.ts).
  if (newest?.owners)
    await applyChange(
      target,
      {
        verb: 'prune',
        next: (site) => ({ ...requireSite(site), summary: `keep ${keep}`, packages: [], always: true }),
      },
      () => now,
    )
  const pruned = await withLock(target, async () => {
    const records = await allRecords(target)
    const since = now.getTime() - days * 86_400_000
    const lately = records.filter((_, n) => {
      // A record was live until the next one was written.
      const end = Date.parse(records[n + 1]?.createdAt ?? now.toISOString())
      return n >= records.length - Math.max(1, keep) || end > since
    })
    const paths = await target.list('')
    const gone = await outdated(target, paths, records, lately[0]?.number ?? 0)
    for (const path of gone) await target.remove(path)
    const { valid, expired } = await removeExpired(target, now)
    const versions = [
      ...lately.flatMap(versionsOf),
      ...wayBack(records),
      ...valid.flatMap(({ used }) => used),
    ]
    const used = new Map(versions.map((version) => [versionFolder(...version), version]))
    const present = new Set(paths.flatMap((path) => folderOf(path) ?? []))
    const kept = [...used].filter(([folder]) => present.has(folder))
    const builds = publishedBuilds(target)
    const needed = await Promise.all(
      kept.map(async ([, [name, version]]) => {
        const build = await builds.of(name, version)
        return Object.keys(build.files).map((file) => pathOf(build, version, file))
      }),
    )
    const removed = [...present].filter((folder) => !used.has(folder) && !SHARED.test(folder)).sort()
    for (const folder of removed) {
      await target.removeFolder(mapsFolder(folder))
      await target.removeFolder(folder)
    }
    const files = new Set(needed.flat())
    const unused = paths.filter((path) => SHARED.test(folderOf(path) ?? '') && !files.has(plainPath(path)))
    for (const file of unused) await target.remove(file)
    return {
      removed,
      records: gone.filter(isRecord).length,
      files: unused.length,
      previews: expired.length,
      kept: kept.map(([folder]) => folder).sort(),
    }
  })
  await target.keepReserve?.()
  return pruned
}

/** The version of each package to which one step leads back. */
const wayBack = (records: readonly SiteRecord[]): [name: string, version: string][] =>
  Object.entries(records.at(-1)?.before ?? {}).flatMap(([name, number]) => {
    const record = records.find((one) => one.number === number)
    const version = record && versionIn(record, name)
    return version ? [[name, version]] : []
  })

/** Paths of the records before a number, and of the whole compositions of their pages. */
async function outdated(
  target: Target,
  paths: readonly string[],
  records: readonly SiteRecord[],
  oldest: number,
): Promise<string[]> {
  const owners = records.filter(({ change }) => change.verb === 'owners').map(({ number }) => number)
  const needed = new Set([...Object.values(records.at(-1)?.before ?? {}), ...owners])
  // The record of the pointer stays too: a deploy that died may have left it at an old one.
  const first = Math.min(oldest, (await pointerNumber(target)) ?? oldest)
  return paths.filter((path) => {
    const number = Number(/^compositions?\/(\d+)/.exec(path)?.[1] ?? first)
    return number < first && !(isRecord(path) && needed.has(number))
  })
}

const isRecord = (path: string): boolean => /^compositions\//.test(path)

/** Folder of a published file: its version's, or the one that versions share. */
const folderOf = (path: string): string | undefined =>
  new RegExp(PUBLISHED_PATTERN).exec(`/${path}`)?.[0].slice(1, -1)
const SHARED = new RegExp(`/${SHARED_FOLDER}$`)
