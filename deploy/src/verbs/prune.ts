import { authorize, OLD_FILES } from '../site/caller.ts'
import { versionIn, versionsOf } from '../site/compose.ts'
import { removeExpired } from '../site/preview.ts'
import { allRecords, newestRecord, pointerNumber, type SiteRecord } from '../site/record.ts'
import { mapsFolder } from '../site/source-maps.ts'
import { folderOf, isYoung, pathOf, publishedBuilds, SHARED, versionFolder } from '../site/version-folders.ts'
import { plainPath } from '../target/compress.ts'
import type { Target } from '../target/target.ts'

export interface PruneOptions {
  /** Number of newest records that stay, with their versions. */
  readonly keep: number
  /** Records that were live within so many days stay too: a page may stay open that long. Default: PRUNE_DAYS. */
  readonly days?: number
}

export const PRUNE_DAYS = 7

export interface Pruned {
  readonly removed: readonly string[]
  /** Number of records that were removed. */
  readonly records: number
  readonly files: number
  /** Number of previews whose time was over. */
  readonly previews: number
  readonly kept: readonly string[]
}

/**
 * Removes expired previews, and old records with the compositions of their pages; then versions that no kept record and
 * no preview uses, with their source maps; then shared files that no version uses. Keeps the records, and the versions,
 * to which one step leads back, and spares what is younger than an hour: a publish may be about to use it.
 */
export async function prune(
  target: Target,
  { keep, days = PRUNE_DAYS }: PruneOptions,
  now: Date = new Date(),
): Promise<Pruned> {
  authorize([OLD_FILES])
  await target.removeLeftovers?.()
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
  const versions = [...lately.flatMap(versionsOf), ...wayBack(records), ...valid.flatMap(({ used }) => used)]
  const used = new Set(versions.map((version) => versionFolder(...version)))
  const present = new Set(paths.flatMap((path) => folderOf(path) ?? []))
  const unused = [...present].filter((folder) => !used.has(folder) && !SHARED.test(folder)).sort()
  const removed: string[] = []
  for (const folder of unused) {
    if (await isNeededNow(target, folder)) continue
    await target.removeFolder(mapsFolder(folder))
    await target.removeFolder(folder)
    removed.push(folder)
  }
  const names = new Set([...present].map((folder) => folder.split('/')[0] ?? ''))
  const files = await Promise.all([...names].map((name) => removeUnshared(target, name)))
  return {
    removed,
    records: gone.filter(isRecord).length,
    files: files.reduce((sum, count) => sum + count, 0),
    previews: expired.length,
    kept: [...present].filter((folder) => !removed.includes(folder) && !SHARED.test(folder)).sort(),
  }
}

/** Looked at right before each removal, because others publish and roll back meanwhile. */
async function isNeededNow(target: Target, folder: string): Promise<boolean> {
  const newest = await newestRecord(target)
  if (newest && versionsOf(newest).some((version) => versionFolder(...version) === folder)) return true
  const young = await Promise.all((await target.list(folder)).map((path) => isYoung(target, path)))
  return young.includes(true)
}

/**
 * Removes the shared files of a package that no `build.json` names, with their compressed variants.
 * @returns how many
 */
async function removeUnshared(target: Target, name: string): Promise<number> {
  const paths = await target.list(name)
  const folders = new Set(paths.flatMap((path) => folderOf(path) ?? []))
  const versions = [...folders].filter(
    (folder) => !SHARED.test(folder) && paths.includes(`${folder}/build.json`),
  )
  const builds = publishedBuilds(target)
  const needed = await Promise.all(
    versions.map(async (folder) => {
      const version = folder.slice(name.length + 1)
      const build = await builds.of(name, version)
      return Object.keys(build.files).map((file) => pathOf(build, version, file))
    }),
  )
  const kept = new Set(needed.flat())
  const unused = paths.filter((path) => SHARED.test(folderOf(path) ?? '') && !kept.has(plainPath(path)))
  const removed = await Promise.all(
    unused.map(async (path) => {
      if (await isYoung(target, path)) return []
      await target.remove(path)
      return [path]
    }),
  )
  return removed.flat().length
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
  const needed = new Set(Object.values(records.at(-1)?.before ?? {}))
  // The record of the pointer stays too: a deploy that died may have left it at an old one.
  const first = Math.min(oldest, (await pointerNumber(target)) ?? oldest)
  return paths.filter((path) => {
    const number = Number(/^compositions?\/(\d+)/.exec(path)?.[1] ?? first)
    return number < first && !(isRecord(path) && needed.has(number))
  })
}

const isRecord = (path: string): boolean => /^compositions\//.test(path)
