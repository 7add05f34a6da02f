import { authorize, OLD_FILES } from '../site/caller.ts'
import { versionIn, versionsOf } from '../site/compose.ts'
import { removeExpired } from '../site/preview.ts'
import { allRecords, currentSite, newestRecord, pointerNumber } from '../site/record.ts'
import { mapsFolder } from '../site/source-maps.ts'
import { folderOf, isYoung, pathOf, publishedBuilds, SHARED, versionFolder } from '../site/version-folders.ts'
import { plainPath } from '../target/compress.ts'
import { TEMPORARY } from '../target/file-target.ts'
import { removeFolder, type Target } from '../target/target.ts'

/** Milliseconds. Records that were live so lately stay: a page may stay open that long. */
const LATELY = 7 * 86_400_000

/**
 * Removes expired previews, old records, then what no kept record and no preview uses. Keeps what one step back leads to,
 * and spares what is younger than an hour: a publish may be about to use it.
 * @param keep number of newest records that stay, with their versions
 */
export async function prune(target: Target, keep: number, now = new Date()) {
  await authorize([OLD_FILES])
  await currentSite(target)
  for (const path of await target.list(TEMPORARY))
    if (!(await isYoung(target, path))) await target.remove(path)
  const previews = await removeExpired(target, now)
  const records = await allRecords(target)
  const lately = records.filter((_, n) => {
    // A record was live until the next one was written.
    const end = Date.parse(records[n + 1]?.createdAt ?? now.toISOString())
    return n >= records.length - Math.max(1, keep) || end > now.getTime() - LATELY
  })
  const wayBack = Object.entries(records.at(-1)?.before ?? {})
  const versions = [
    ...lately.flatMap(versionsOf),
    ...previews.flatMap(({ used }) => used),
    ...wayBack.map(([name, number]): [string, string] => {
      const record = records.find((one) => one.number === number)
      return [name, (record && versionIn(record, name)) ?? '']
    }),
  ]

  // The record of the pointer stays too: a deploy that died may have left it at an old one.
  const oldest = Math.min(lately[0]?.number ?? 0, (await pointerNumber(target)) ?? 0)
  const steps = wayBack.map(([, number]) => number)
  const paths = await target.list('')
  const old = paths.filter((path) => {
    const [, records, number] = /^composition(s?)\/(\d+)/.exec(path) ?? []
    return Number(number) < oldest && !(records && steps.includes(Number(number)))
  })
  for (const path of old) await target.remove(path)

  const used = new Set(versions.map((version) => versionFolder(...version)))
  const folders = new Set(paths.flatMap((path) => folderOf(path) ?? []))
  const removed: string[] = []
  for (const folder of [...folders].sort()) {
    if (used.has(folder) || SHARED.test(folder) || (await isNeededNow(target, folder))) continue
    await removeFolder(target, mapsFolder(folder))
    await removeFolder(target, folder)
    removed.push(folder)
  }

  const shared = paths.filter((path) => SHARED.test(folderOf(path) ?? ''))
  const ages = await Promise.all(shared.map((path) => isYoung(target, path)))
  // Looked at after the ages, which take their time: a publish may have taken a file into use meanwhile.
  const builds = publishedBuilds(target)
  const named = (await target.list('')).map(async (path) => {
    const [, name = '', version = ''] = /^([^/]+)\/([^/]+)\/build\.json$/.exec(path) ?? []
    const build = version ? await builds.of(name, version) : undefined
    return build ? Object.keys(build.files).map((file) => pathOf(build, version, file)) : []
  })
  const kept = new Set((await Promise.all(named)).flat())
  const unshared = shared.filter((path, n) => !ages[n] && !kept.has(plainPath(path)))
  await Promise.all(unshared.map((path) => target.remove(path)))
  return { removed, files: old.length + unshared.length }
}

/** Looked at right before each removal, because others publish and roll back meanwhile. */
async function isNeededNow(target: Target, folder: string): Promise<boolean> {
  const newest = await newestRecord(target)
  if (newest && versionsOf(newest).some((version) => versionFolder(...version) === folder)) return true
  const young = await Promise.all((await target.list(folder)).map((path) => isYoung(target, path)))
  return young.includes(true)
}
