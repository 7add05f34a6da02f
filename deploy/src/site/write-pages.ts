import { isDeepStrictEqual } from 'node:util'
import type { Build } from '@anniversary/shared/contract/composition'
import { type SiteRoutes, siteRoutes } from '@anniversary/shared/contract/routes'
import { HOST_NAME } from '../builds/read-build.ts'
import { brotliPath, compressedVariant } from '../target/compress.ts'
import { jsonBytes, settleWrites, type Target } from '../target/target.ts'
import { compositionFile, compositionOf, isShown, pointerTo, versionInSite } from './compose.ts'
import { firstViewsOfPages, readPublishedFile } from './first-view.ts'
import { noticeIn } from './notice.ts'
import { pathOfPage, renderPage } from './page.ts'
import { keepPageSources } from './page-sources.ts'
import { type Preview, previewFolder } from './preview.ts'
import {
  newestRecord,
  POINTER_PATH,
  readRecord,
  recordNumbers,
  type SitePointer,
  type SiteRecord,
} from './record.ts'
import { type PublishedBuilds, publishedBuilds } from './version-folders.ts'

export const CONFIG_PATH = 'config.json'

/** Calls of a bucket are slow and may be refused. */
interface AlreadyRead {
  readonly before?: SiteRecord | null
  readonly record?: SiteRecord
  readonly builds?: PublishedBuilds
}

/**
 * Repeats while other deploys write newer records.
 * @param shown what all files show; null: each file is written
 */
export async function writeNewestPages(
  target: Target,
  shown: SitePointer | null,
  { before = null, record, builds = publishedBuilds(target) }: AlreadyRead = {},
): Promise<void> {
  const isAhead = record !== undefined && record.number > (shown?.number ?? 0)
  let newest = isAhead ? record : await newestRecord(target)
  let written = shown
  while (newest && !isShown(newest, written)) {
    await writeSitePages(target, newest, builds, shown, before)
    written = pointerTo(newest)
    await keepPageSources(target, builds)
    if ((await recordNumbers(target)).at(-1) === newest.number) return
    newest = await newestRecord(target)
  }
}

export async function writeSitePages(
  target: Target,
  record: SiteRecord,
  builds: PublishedBuilds,
  shown: SitePointer | null,
  before: SiteRecord | null = null,
): Promise<void> {
  const { number } = record
  const since = Math.min(shown?.number ?? number, number - 1)
  const numbers = Array.from({ length: number - since }, (_, n) => since + n)
  const recordOf = async (one: number) => {
    if (before?.number === one) return before
    return await readRecord(target, one)
  }
  const read = await Promise.all(numbers.map(recordOf))
  const earlier = read.filter((one) => one !== null)
  // A deploy of a lost or damaged record may have written anything.
  const isKnown = earlier.length === read.length && earlier[0]?.createdAt === shown?.createdAt

  const files = await publicRootFiles(target, record, builds, isKnown ? earlier : [])
  const all = [...files]
  const write = (some: typeof all) =>
    settleWrites(some.map(([path, bytes]) => writeCompressed(target, path, bytes)))
  // All pages name the first file.
  await write(all.slice(0, 1))
  await write(all.slice(1, -1))

  const kept = new Set(await pathsOf(record, builds))
  for (const one of earlier) {
    // A damaged build leaves a few files, which `verify` names.
    const old = await pathsOf(one, builds).catch(() => [])
    const stale = old.filter((path) => !kept.has(path)).flatMap((path) => [path, brotliPath(path)])
    await settleWrites(stale.map((path) => target.remove(path)))
  }
  // The pointer comes last: it says that nothing is left to do.
  await write(all.slice(-1))
}

/** @param earlier records whose files are there: what all share is left out */
export async function publicRootFiles(
  target: Target,
  record: SiteRecord,
  builds: PublishedBuilds,
  earlier: readonly SiteRecord[] = [],
): Promise<Map<string, Buffer>> {
  const files = new Map(await pagesOfSite(target, record, builds))
  const isThere = (isSame: (one: SiteRecord) => boolean) =>
    earlier.length > 0 && earlier.every(isSame)
  for (const { name, path, build, version, file } of await publicFilesOf(record, builds))
    if (!isThere((one) => versionInSite(one, name) === version))
      files.set(path, await readPublishedFile(target, build, version, file))
  if (!isThere(({ config }) => isDeepStrictEqual(config, record.config)))
    files.set(CONFIG_PATH, jsonBytes(record.config))

  const pointer = { ...compositionOf(record), ...noticeIn(record) }
  return files.set(POINTER_PATH, jsonBytes(pointer))
}

/** The first file is the composition, which all pages name. */
export async function pagesOfSite(
  target: Target,
  record: SiteRecord,
  builds: PublishedBuilds,
  preview?: Preview,
): Promise<[path: string, bytes: Buffer][]> {
  const host = await builds.host(record.shell.version)
  const composition = compositionOf(record)
  const firstView = firstViewsOfPages(target, composition, builds)
  const routes = siteRoutes(host.routes, record.remotes)
  const folder = preview ? `${previewFolder(preview)}/` : ''

  const pages = Object.entries(routes).map(async ([path, route]): Promise<[string, Buffer]> => {
    const view = await firstView(host, path, route)
    const page = renderPage({
      composition,
      notice: record.notice,
      config: record.config,
      host,
      path,
      route,
      first: { ...view, html: linksBelow(folder, routes, view.html) },
      preview,
    })
    return [folder + pathOfPage(path), Buffer.from(page)]
  })
  const { path, bytes } = compositionFile(composition, preview)
  return [[path, bytes], ...(await Promise.all(pages))]
}

/** Links must stay in a preview before the page's code runs. */
const linksBelow = (folder: string, routes: SiteRoutes, html: string) =>
  html.replace(/ href="(\/[^"]*)"/g, (link, to: string) => {
    if (!routes[to]) return link
    return ` href="/${folder}${to.slice(1)}"`
  })

interface PublicFile {
  readonly name: string
  readonly version: string
  readonly path: string
  readonly build: Build
  readonly file: string
}

async function publicFilesOf(record: SiteRecord, builds: PublishedBuilds): Promise<PublicFile[]> {
  const found = [HOST_NAME, ...Object.keys(record.remotes)].map(async (name) => {
    const version = versionInSite(record, name) ?? ''
    const build = await builds.of(name, version)
    const files = Object.entries(build.publicFiles ?? {})
    return files.map(([path, file]) => ({ name, version, path: path.slice(1), build, file }))
  })
  return (await Promise.all(found)).flat()
}

export async function writeCompressed(target: Target, path: string, bytes: Buffer): Promise<void> {
  if (target.isBucket) return await target.write(path, bytes)
  const variant = await compressedVariant(path, bytes)
  await target.write(path, bytes)
  if (variant) await target.write(brotliPath(path), variant)
  // The server would send the old variant of a file that became too small to
  // compress.
  else await target.remove(brotliPath(path))
}

async function pathsOf(record: SiteRecord, builds: PublishedBuilds): Promise<string[]> {
  const { routes } = await builds.host(record.shell.version)
  const publicFiles = await publicFilesOf(record, builds)
  return [
    ...Object.keys(siteRoutes(routes, record.remotes)).map(pathOfPage),
    ...publicFiles.map(({ path }) => path),
  ]
}
