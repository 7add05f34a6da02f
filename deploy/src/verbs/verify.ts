import { isDeepStrictEqual } from 'node:util'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { errorMessage } from '@anniversary/shared/error-message'
import { HOST_NAME, integrityOf } from '../builds/read-build.ts'
import { siteProblems } from '../checks/compatibility.ts'
import type { Problem } from '../rejected.ts'
import { authorize, OLD_FILES } from '../site/caller.ts'
import { compositionOf, releaseOf, releasesOf, shellOf, versionsOf, wholeFile } from '../site/compose.ts'
import { allPreviews, type Preview, previewFolder, previewRecordPath } from '../site/preview.ts'
import { allRecords, currentSite, recordPath, type SiteRecord } from '../site/record.ts'
import {
  buildPath,
  folderOf,
  isYoung,
  type PublishedBuilds,
  pathOf,
  publishedBuilds,
  versionFolder,
} from '../site/version-folders.ts'
import { rootFiles, writeNewestPages } from '../site/write-pages.ts'
import { plainPath } from '../target/compress.ts'
import type { Target } from '../target/target.ts'

export interface Verified {
  readonly problems: readonly Problem[]
  readonly files: number
}

/**
 * Checks each file of the versions that the site or a preview uses; pages and pointer against the newest record; its
 * releases against their builds, and the rules of a change; then names every file that nobody published. Does not check a
 * preview's own pages: no record says what they were made from.
 */
export async function verify(target: Target): Promise<Verified> {
  const record = await currentSite(target)
  const previews = await allPreviews(target)
  const used = [...versionsOf(record), ...previews.flatMap((preview) => preview.used)]
  const folders = new Map(used.map((version) => [versionFolder(...version), version]))
  const builds = publishedBuilds(target)
  // Fails where a version lacks a file, which `verifyVersion` reports.
  const pages = await rootFiles(target, record, builds).catch(() => new Map<string, Buffer>())
  const parts = await Promise.all([
    ...[...folders.values()].map((version) => verifyVersion(target, builds, ...version)),
    verifyPages(target, record, pages),
  ])
  const damage = parts.flatMap(({ problems }) => problems)
  const broken = previews
    .filter((preview) => preview.broken)
    .map(({ id }): Problem => {
      const todo = `Remove it and its pages: deploy preview --stop ${id}`
      return { rule: 'site', about: previewRecordPath(id), found: 'it is no record of a preview', todo }
    })
  return {
    problems: [
      ...broken,
      ...damage,
      ...(await releaseProblems(record, builds)),
      ...(await siteProblems(record, builds).catch(() => [])),
      // Whoever removes what is named here must not remove what only looks unknown because a build cannot be read.
      ...(damage.length === 0 ? await strangers(target, builds, pages, previews) : []),
    ],
    files: parts.reduce((sum, { files }) => sum + files, 0),
  }
}

/** Rewrites pages, pointer and public files from the newest record. Other damage needs another publish. */
export async function repair(target: Target): Promise<void> {
  authorize([OLD_FILES])
  await writeNewestPages(target)
}

/** Releases whose code is not that of their build: somebody else has written the record. */
async function releaseProblems({ shell, remotes }: SiteRecord, builds: PublishedBuilds): Promise<Problem[]> {
  const host = await builds.host(shell.version).catch(() => null)
  const faults = Object.entries(remotes).flatMap(([name, remote]) =>
    releasesOf(remote).map(async (release) => {
      const { version } = release
      const build = await builds.remote(name, version).catch(() => null)
      return build && !isDeepStrictEqual(release, releaseOf({ build, version })) ? [[name, version]] : []
    }),
  )
  const forged = (await Promise.all(faults)).flat()
  if (host && !isDeepStrictEqual(shell, shellOf({ build: host, version: shell.version })))
    forged.push([HOST_NAME, shell.version])
  return forged.map(([about = '', version]) => ({
    rule: 'integrity',
    about,
    found: `the composition names other files or routes for ${version} than its build.json`,
    todo: `Publish it again, or \`deploy rollback ${about}\``,
  }))
}

/** Files that no record, no build and no preview accounts for. */
async function strangers(
  target: Target,
  builds: PublishedBuilds,
  pages: ReadonlyMap<string, Buffer>,
  previews: readonly Preview[],
): Promise<Problem[]> {
  const records = await allRecords(target)
  const versions = [...records.flatMap(versionsOf), ...previews.flatMap(({ used }) => used)]
  const published = versions.map(async ([name, version]) => {
    // Old records may name versions that are pruned.
    const build = await builds.of(name, version).catch(() => undefined)
    return build
      ? [buildPath(name, version), ...Object.keys(build.files).map((file) => pathOf(build, version, file))]
      : []
  })
  const known = new Set([
    ...pages.keys(),
    ...records.flatMap((record) => [recordPath(record.number), wholeFile(compositionOf(record)).path]),
    ...(await Promise.all(published)).flat(),
  ])
  const folders = ['.deploy/', ...previews.map((preview) => `${previewFolder(preview)}/`)]
  const problems = (await target.list('')).map(async (about): Promise<Problem[]> => {
    if (known.has(plainPath(about)) || folders.some((folder) => about.startsWith(folder))) return []
    // A publish that has no record yet.
    if (folderOf(about) && (await isYoung(target, about))) return []
    const todo = 'Remove it, and look who wrote it'
    return [{ rule: 'site', about, found: 'nobody has published this file', todo }]
  })
  return (await Promise.all(problems)).flat()
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

async function verifyPages(
  target: Target,
  { number }: SiteRecord,
  pages: ReadonlyMap<string, Buffer>,
): Promise<Verified> {
  const problems: Problem[] = []
  for (const [about, bytes] of pages) {
    const wrong = `does not show the newest state, ${number}`
    const faults = await faultsOf(target, about, (stored) => stored.equals(bytes), wrong)
    const todo = 'Run `deploy verify --repair`'
    problems.push(...faults.map((found) => ({ rule: 'site' as const, about, found, todo })))
  }
  return { problems, files: pages.size }
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
