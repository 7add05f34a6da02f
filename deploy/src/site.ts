import {
  type Build,
  buildSchema,
  type HostBuild,
  type RemoteBuild,
} from '@anniversary/shared/contract/composition'
import { compositionOf } from './compose.ts'
import { variantsOf } from './compress.ts'
import { pagePath, renderPage } from './page.ts'
import { newestRecord, POINTER_PATH, readRecord, type SiteRecord } from './record.ts'
import { jsonBytes, readJson, type Target } from './target/target.ts'

export const CONFIG_PATH = 'config.json'
export const versionFolder = (name: string, version: string): string => `${name}/${version}`

/** The shell's package name; the site's folder of that name holds its versions. */
export const HOST_NAME = 'shell'

/** Reads published builds, each once: a version never changes. Of one change only, for a version may be pruned. */
export interface PublishedBuilds {
  /** Throws when the site does not have this version (any more). */
  of(name: string, version: string): Promise<Build>
  host(version: string): Promise<HostBuild>
  remote(name: string, version: string): Promise<RemoteBuild>
}

export function publishedBuilds(target: Target): PublishedBuilds {
  const known = new Map<string, Promise<Build>>()
  const of = (name: string, version: string): Promise<Build> => {
    const path = `${versionFolder(name, version)}/build.json`
    const build = known.get(path) ?? readPublished(target, path)
    known.set(path, build)
    return build
  }
  return {
    of,
    async host(version) {
      const build = await of(HOST_NAME, version)
      if (build.kind !== 'host') throw new Error(`${HOST_NAME} ${version} is not a host`)
      return build
    },
    async remote(name, version) {
      const build = await of(name, version)
      if (build.kind !== 'remote') throw new Error(`${name} ${version} is not a remote`)
      return build
    },
  }
}

async function readPublished(target: Target, path: string): Promise<Build> {
  const json = await readJson(target, path)
  if (json === null)
    throw new Error(`${target.url}/${path} is missing: this version was pruned or never published`)
  return buildSchema.parse(json)
}

/**
 * Makes the site's files show a record: public files, configuration and pages, and the pointer last. Everything is
 * derived from the record, so doing it twice does no harm, and a deploy that died half-way is mended by the next.
 * Ends when what is shown is the newest record, whoever wrote it.
 */
export async function showNewest(
  target: Target,
  builds = publishedBuilds(target),
): Promise<SiteRecord | null> {
  let shown = await newestRecord(target)
  for (;;) {
    if (!shown) return null
    await show(target, shown, builds)
    const newest = await newestRecord(target)
    if (newest?.number === shown.number) return shown
    shown = newest
  }
}

async function show(target: Target, record: SiteRecord, builds: PublishedBuilds): Promise<void> {
  const files = await filesOf(target, record, builds)
  const last = files.get(POINTER_PATH)
  files.delete(POINTER_PATH)
  await Promise.all([...files].map(([path, bytes]) => writeWithVariants(target, path, bytes)))
  if (last) await writeWithVariants(target, POINTER_PATH, last)
  await removeLeftovers(target, record, builds)
}

/** All files outside version folders that a record's site consists of. */
export async function filesOf(
  target: Target,
  record: SiteRecord,
  builds = publishedBuilds(target),
): Promise<Map<string, Buffer>> {
  const host = await builds.host(record.shell.version)
  const composition = compositionOf(record)
  const files = new Map<string, Buffer>()
  for (const { path, folder, file } of await publicFilesOf(record, builds))
    files.set(path, await fileOf(target, folder.name, folder.version, file))
  for (const route of Object.keys(host.routes)) {
    const skeleton = await skeletonOf(target, host, record.shell.version, route)
    const page = renderPage({ composition, config: record.config, host, route, skeleton })
    files.set(pagePath(route), Buffer.from(page))
  }
  files.set(CONFIG_PATH, jsonBytes(record.config))
  files.set(POINTER_PATH, jsonBytes(composition))
  return files
}

async function skeletonOf(target: Target, host: HostBuild, version: string, route: string): Promise<string> {
  const file = host.page?.skeletons?.[route]
  if (!file) return ''
  const html = (await fileOf(target, host.name, version, file)).toString('utf8')
  return html.replaceAll('%BASE%', `/${versionFolder(host.name, version)}`)
}

interface PublicFile {
  /** In the site. */
  readonly path: string
  readonly folder: { readonly name: string; readonly version: string }
  /** In the version folder. */
  readonly file: string
}

async function publicFilesOf(record: SiteRecord, builds: PublishedBuilds): Promise<PublicFile[]> {
  const folders = [
    { name: HOST_NAME, version: record.shell.version },
    ...Object.entries(record.remotes).map(([name, { current }]) => ({ name, version: current.version })),
  ]
  const found = await Promise.all(
    folders.map(async (folder) => {
      const { publicFiles = {} } = await builds.of(folder.name, folder.version)
      return Object.entries(publicFiles).map(([path, file]) => ({ path: path.slice(1), folder, file }))
    }),
  )
  return found.flat()
}

async function fileOf(target: Target, name: string, version: string, file: string): Promise<Buffer> {
  const path = `${versionFolder(name, version)}/${file}`
  const stored = await target.read(path)
  if (!stored) throw new Error(`${target.url}/${path} is missing`)
  return stored.bytes
}

async function writeWithVariants(target: Target, path: string, bytes: Buffer): Promise<void> {
  const variants = new Map(await variantsOf(path, bytes))
  await target.write(path, bytes)
  for (const variant of [`${path}.br`, `${path}.gz`]) {
    const compressed = variants.get(variant)
    if (compressed) await target.write(variant, compressed)
    // The file was larger once: its old variant would be served in its place.
    else await target.remove(variant)
  }
}

/** Removes pages and public files that the state before had and this one has not. */
async function removeLeftovers(target: Target, record: SiteRecord, builds: PublishedBuilds): Promise<void> {
  const before = record.number > 1 ? await readRecord(target, record.number - 1) : null
  // A version of the state before may have been pruned; its few files then stay, which harms nobody.
  const had = before ? await pathsOf(before, builds).catch(() => []) : []
  const kept = new Set(await pathsOf(record, builds))
  for (const path of had.filter((old) => !kept.has(old)))
    await Promise.all([path, `${path}.br`, `${path}.gz`].map((stale) => target.remove(stale)))
}

async function pathsOf(record: SiteRecord, builds: PublishedBuilds): Promise<string[]> {
  const { routes } = await builds.host(record.shell.version)
  const publicFiles = await publicFilesOf(record, builds)
  return [...Object.keys(routes).map(pagePath), ...publicFiles.map(({ path }) => path)]
}
