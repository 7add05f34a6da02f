import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { errorMessage } from '@anniversary/shared/error-message'
import { integrityOf } from '../builds/read-build.ts'
import type { Problem } from '../rejected.ts'
import { versionsOf } from '../site/compose.ts'
import { openHistory, verifyHistory } from '../site/history.ts'
import { allPreviews, previewRecordPath } from '../site/preview.ts'
import { currentSite, type SiteRecord } from '../site/record.ts'
import { type PublishedBuilds, pathOf, publishedBuilds, versionFolder } from '../site/version-folders.ts'
import { rootFiles, writeNewestPages } from '../site/write-pages.ts'
import { withLock } from '../target/lock.ts'
import type { Target } from '../target/target.ts'

export interface Verified {
  readonly problems: readonly Problem[]
  /** Number of files that were checked. */
  readonly files: number
}

/**
 * Checks each file, with its compressed variants, of the versions that the site or a preview uses; pages and pointer
 * against the newest record; and that no record was changed, forged or removed. Does not check a preview's own pages:
 * no record says what they were made from.
 * @param atLeast the least number that the newest record may have, as the last publish printed it
 */
export async function verify(target: Target, atLeast = 0): Promise<Verified> {
  const record = await currentSite(target)
  const previews = await allPreviews(target)
  const used = [...versionsOf(record), ...previews.flatMap((preview) => preview.used)]
  const folders = new Map(used.map((version) => [versionFolder(...version), version]))
  const builds = publishedBuilds(target, [], new Map(Object.entries(record.builds ?? {})))
  const parts = await Promise.all([
    ...[...folders.values()].map((version) => verifyVersion(target, builds, ...version)),
    verifyPages(target, record, builds),
  ])
  const old: Problem = {
    rule: 'site',
    about: target.url,
    found: `the newest composition is ${record.number}, not ${atLeast}`,
    todo: 'Look who put the site back',
  }
  const broken = previews
    .filter((preview) => preview.broken)
    .map(
      ({ id }): Problem => ({
        rule: 'site',
        about: previewRecordPath(id),
        found: 'it is no record of a preview',
        todo: `Remove it and its pages: deploy preview --stop ${id}`,
      }),
    )
  return {
    problems: [
      ...(await verifyHistory(target)),
      ...(record.number < atLeast ? [old] : []),
      ...broken,
      ...parts.flatMap(({ problems }) => problems),
    ],
    files: parts.reduce((sum, { files }) => sum + files, 0),
  }
}

/**
 * Rewrites pages, pointer and public files from the newest record. Other damage needs another publish.
 * @throws Rejected when the site has owners, and its records are not what they signed
 */
export async function repair(target: Target): Promise<void> {
  target.spendReserve?.()
  await withLock(target, async () => {
    const { builds } = await openHistory(target)
    await writeNewestPages(target, publishedBuilds(target, [], builds))
  })
}

async function verifyVersion(
  target: Target,
  builds: PublishedBuilds,
  name: string,
  version: string,
): Promise<Verified> {
  const about = versionFolder(name, version)
  const fault = (found: string, path = about): Problem => ({
    rule: 'integrity',
    about,
    found,
    todo: `Remove ${path} and publish that build again, or roll back to another version`,
  })
  const build = await builds.of(name, version).catch(errorMessage)
  if (typeof build === 'string') return { problems: [fault(build)], files: 1 }
  const problems: Problem[] = []
  for (const [file, { integrity }] of Object.entries(build.files)) {
    const path = pathOf(build, version, file)
    const isAsBuilt = (bytes: Buffer) => integrityOf(bytes) === integrity
    const faults = await faultsOf(target, path, isAsBuilt, 'differs from its hash')
    problems.push(...faults.map((found) => fault(found, path)))
  }
  return { problems, files: Object.keys(build.files).length }
}

async function verifyPages(target: Target, record: SiteRecord, builds: PublishedBuilds): Promise<Verified> {
  // Fails where a version lacks a file, which `verifyVersion` reports.
  const expected = await rootFiles(target, record, builds).catch(() => new Map<string, Buffer>())
  const problems: Problem[] = []
  for (const [about, bytes] of expected) {
    const wrong = `does not show the newest state, ${record.number}`
    const faults = await faultsOf(target, about, (stored) => stored.equals(bytes), wrong)
    const todo = 'Run `deploy verify --repair`'
    problems.push(...faults.map((found) => ({ rule: 'site' as const, about, found, todo })))
  }
  return { problems, files: expected.size }
}

const VARIANTS = { '.br': brotliDecompressSync, '.gz': gunzipSync }

/** What is wrong with a file, or with its compressed variants. */
async function faultsOf(
  target: Target,
  path: string,
  isRight: (bytes: Buffer) => boolean,
  wrong: string,
): Promise<string[]> {
  const bytes = await target.read(path)
  if (!bytes) return [`${path} is missing`]
  if (!isRight(bytes)) return [`${path} ${wrong}`]
  const faults: string[] = []
  for (const [ending, expand] of Object.entries(VARIANTS)) {
    const variant = await target.read(path + ending)
    if (!variant) continue
    try {
      if (!expand(variant).equals(bytes)) faults.push(`${path}${ending} holds other bytes`)
    } catch {
      faults.push(`${path}${ending} cannot be decompressed`)
    }
  }
  return faults
}
