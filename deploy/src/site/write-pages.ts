import { posix } from 'node:path'
import type { Build } from '@anniversary/shared/contract/composition'
import { PLACE_MARKS } from '@anniversary/shared/contract/prerendered'
import { type SiteRoute, siteRoutes, skeletonOf } from '@anniversary/shared/contract/routes'
import { HOST_NAME, integrityOf } from '../builds/read-build.ts'
import { brotliPath, compressed } from '../target/compress.ts'
import { jsonBytes, type Target } from '../target/target.ts'
import { compositionOf, urlOf, versionIn, wholeFile } from './compose.ts'
import { type FirstView, pagePath, renderPage } from './page.ts'
import { type Preview, previewFolder } from './preview.ts'
import { newestRecord, POINTER_PATH, pointerNumber, readRecord, type SiteRecord } from './record.ts'
import { type PublishedBuilds, pathOf, publishedBuilds } from './version-folders.ts'

export const CONFIG_PATH = 'config.json'

/**
 * Writes the newest record's pages, public files and configuration, and the pointer last. All derive from the record, so
 * writing them twice is harmless. Repeats while another deploy has written a newer record meanwhile.
 */
export async function writeNewestPages(target: Target): Promise<void> {
  for (let written = 0; ; ) {
    const newest = await newestRecord(target)
    if (!newest || newest.number === written) return
    await writePages(target, newest, publishedBuilds(target))
    written = newest.number
  }
}

export async function writePages(
  target: Target,
  record: SiteRecord,
  builds: PublishedBuilds,
): Promise<void> {
  const shown = (await pointerNumber(target)) ?? record.number
  const files = await rootFiles(target, record, builds)
  const all = [...files]
  // The pointer comes last.
  for (const some of [all.slice(0, -1), all.slice(-1)])
    await Promise.all(some.map(([path, bytes]) => writeCompressed(target, path, bytes)))
  for (let number = Math.min(shown, record.number - 1); number < record.number; number += 1) {
    const before = await readRecord(target, number)
    // Unreadable where a build was damaged: a few files stay, which `verify` names.
    const old = before ? await pathsOf(before, builds).catch(() => []) : []
    const stale = old.filter((path) => !files.has(path)).flatMap((path) => [path, brotliPath(path)])
    await Promise.all(stale.map((path) => target.remove(path)))
  }
}

/** All files of a record outside the versions' folders. */
export async function rootFiles(
  target: Target,
  record: SiteRecord,
  builds: PublishedBuilds,
): Promise<Map<string, Buffer>> {
  const files = new Map(await pagesOf(target, record, builds))
  for (const { path, build, version, file } of await publicFilesOf(record, builds))
    files.set(path, await bytesOf(target, build, version, file))
  return files
    .set(CONFIG_PATH, jsonBytes(record.config))
    .set(POINTER_PATH, jsonBytes(compositionOf(record)))
}

/** Returns the pages of a record, and the whole composition that they name. */
export async function pagesOf(
  target: Target,
  record: SiteRecord,
  builds: PublishedBuilds,
  preview?: Preview,
): Promise<[path: string, bytes: Buffer][]> {
  const host = await builds.host(record.shell.version)
  const composition = compositionOf(record)
  const text = textReader(target)
  const own = (file: string) => text(host, record.shell.version, file)
  // The policy names the first script of the live shell; a preview may show another one.
  const script = !preview && host.firstScript ? { script: await own(host.firstScript) } : {}

  async function firstView(path: string, route: SiteRoute): Promise<FirstView> {
    const { remote: shown } = route
    const skeleton = host.page?.skeletons?.[shown ? skeletonOf(route) : path]
    const html = skeleton ? await own(skeleton) : ''
    const styles = await Promise.all(
      [...host.entry.css, ...(host.routeAssets?.[path]?.css ?? [])].map(own),
    )
    const around = { ...script, html, styles }
    if (!shown) return { ...around, ...(skeleton && { renderedBy: '' }) }
    const composed = composition.remotes[shown.name]
    if (composed?.status !== 'on') return around
    const { version, entry } = composed.current
    const build = await builds.remote(shown.name, version)
    const theirs = (file: string) => text(build, version, file)
    styles.push(...(await Promise.all((build.exposes[shown.expose]?.css ?? []).map(theirs))))
    const page = build.prerendered?.[shown.expose]
    const [start, end] = [html.indexOf(PLACE_MARKS.start), html.lastIndexOf(PLACE_MARKS.end)]
    if (!page || start < 0 || end < start) return around
    const shownHtml =
      html.slice(0, start) + (await theirs(page)) + html.slice(end + PLACE_MARKS.end.length)
    return { ...around, html: shownHtml, renderedBy: entry }
  }

  const routes = siteRoutes(host.routes, record.remotes)
  const folder = preview ? `${previewFolder(preview)}/` : ''
  /** Links of prerendered HTML lead into the preview, also before the page's code runs. */
  const linksBelow = (html: string) =>
    html.replace(/ href="(\/[^"]*)"/g, (link, to: string) =>
      routes[to] ? ` href="/${folder}${to.slice(1)}"` : link,
    )
  const pages = Object.entries(routes).map(async ([path, route]): Promise<[string, Buffer]> => {
    const view = await firstView(path, route)
    const first = { ...view, html: linksBelow(view.html) }
    const { config } = record
    const page = renderPage({
      composition,
      config,
      host,
      path,
      route,
      first,
      ...(preview && { preview }),
    })
    return [folder + pagePath(path), Buffer.from(page)]
  })
  const { path, bytes } = wholeFile(composition, preview)
  return [...(await Promise.all(pages)), [path, bytes]]
}

type TextReader = (build: Build, version: string, file: string) => Promise<string>

/** In CSS: a file of the same build, relative to the CSS file. */
const CSS_URL = /url\((?!["']?(?:data:|https?:|\/|#|%23))(["']?)([^"'()]+)\1\)/g

/** Reads HTML and styles of published builds, each file once, and fills in the URLs of the files that it names. */
function textReader(target: Target): TextReader {
  const known = new Map<string, Promise<string>>()
  const read: TextReader = async (build, version, file) => {
    const text = (await bytesOf(target, build, version, file)).toString('utf8')
    const at = (used: string) => urlOf(build, version, used)
    return file.endsWith('.css')
      ? text.replace(
          CSS_URL,
          (_, quote, used) => `url(${quote}${at(posix.join(posix.dirname(file), used))}${quote})`,
        )
      : text.replace(/%BASE%\/([\w./@+~-]+)/g, (_, used: string) => at(used))
  }
  return (build, version, file) => {
    const key = `${build.name}/${version}/${file}`
    const text = known.get(key) ?? read(build, version, file)
    known.set(key, text)
    return text
  }
}

async function publicFilesOf(record: SiteRecord, builds: PublishedBuilds) {
  const found = [HOST_NAME, ...Object.keys(record.remotes)].map(async (name) => {
    const version = versionIn(record, name) ?? ''
    const build = await builds.of(name, version)
    const files = Object.entries(build.publicFiles ?? {})
    return files.map(([path, file]) => ({ path: path.slice(1), build, version, file }))
  })
  return (await Promise.all(found)).flat()
}

async function bytesOf(
  target: Target,
  build: Build,
  version: string,
  file: string,
): Promise<Buffer> {
  const path = pathOf(build, version, file)
  const bytes = await target.read(path)
  if (!bytes) throw new Error(`${target.url}/${path} is missing`)
  if (integrityOf(bytes) !== build.files[file]?.integrity)
    throw new Error(`${target.url}/${path} differs from its hash`)
  return bytes
}

export async function writeCompressed(target: Target, path: string, bytes: Buffer): Promise<void> {
  const variant = await compressed(path, bytes)
  await target.write(path, bytes)
  if (variant) await target.write(brotliPath(path), variant)
  // Otherwise the server would send the old variant of a file that has become too small to compress.
  else await target.remove(brotliPath(path))
}

async function pathsOf(record: SiteRecord, builds: PublishedBuilds): Promise<string[]> {
  const { routes } = await builds.host(record.shell.version)
  const publicFiles = await publicFilesOf(record, builds)
  return [
    ...Object.keys(siteRoutes(routes, record.remotes)).map(pagePath),
    ...publicFiles.map(({ path }) => path),
  ]
}
