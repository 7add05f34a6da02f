import { posix } from 'node:path'
import type { Build, Composition, HostBuild } from '@anniversary/shared/contract/composition'
import { PLACE_MARKS } from '@anniversary/shared/contract/prerendered'
import { type SiteRoute, skeletonOf } from '@anniversary/shared/contract/routes'
import { integrityOf } from '../builds/read-build.ts'
import type { Files, Target } from '../target/target.ts'
import { fileUrlOf } from './compose.ts'
import type { FirstView } from './page.ts'
import { type PublishedBuilds, versionPathOf } from './version-folders.ts'

export function firstViewsOfPages(
  target: Target,
  composition: Composition,
  builds: PublishedBuilds,
) {
  const text = textReader(builds.filesIn(target))
  const { version } = composition.shell

  return async function firstView(
    host: HostBuild,
    path: string,
    route: SiteRoute,
  ): Promise<FirstView> {
    const own = (file: string) => text(host, version, file)
    const { remote: shown } = route
    const skeleton = host.page?.skeletons?.[shown ? skeletonOf(route) : path]
    const html = skeleton ? await own(skeleton) : ''
    const files = [...host.entry.css, ...(host.routeAssets?.[path]?.css ?? [])]
    const styles = await Promise.all(files.map(own))
    const around = {
      ...(host.firstScript && { script: await own(host.firstScript) }),
      html,
      styles,
    }
    if (!shown) return { ...around, ...(skeleton && { renderedBy: '' }) }

    const composed = composition.remotes[shown.name]
    if (composed?.status !== 'on') return around
    const { current } = composed
    const build = await builds.remote(shown.name, current.version)
    const theirs = (file: string) => text(build, current.version, file)
    styles.push(...(await Promise.all((build.exposes[shown.expose]?.css ?? []).map(theirs))))

    const page = build.prerendered?.[shown.expose]
    if (!page) return around
    const placed = placeIn(html, await theirs(page))
    if (!placed) return around
    return { ...around, html: placed, renderedBy: current.entry }
  }
}

function placeIn(skeleton: string, page: string): string | undefined {
  const start = skeleton.indexOf(PLACE_MARKS.start)
  const end = skeleton.lastIndexOf(PLACE_MARKS.end)
  if (start < 0 || end < start) return undefined
  return skeleton.slice(0, start) + page + skeleton.slice(end + PLACE_MARKS.end.length)
}

type TextReader = (build: Build, version: string, file: string) => Promise<string>

const CSS_URL = /url\((?!["']?(?:data:|https?:|\/|#|%23))(["']?)([^"'()]+)\1\)/g

function textReader(target: Files): TextReader {
  const known = new Map<string, Promise<string>>()
  const read: TextReader = async (build, version, file) => {
    const text = (await readPublishedFile(target, build, version, file)).toString('utf8')
    const at = (used: string) => fileUrlOf(build, version, used)
    if (!file.endsWith('.css'))
      return text.replace(/%BASE%\/([\w./@+~-]+)/g, (_, used: string) => at(used))
    const folder = posix.dirname(file)
    return text.replace(
      CSS_URL,
      (_, quote, used) => `url(${quote}${at(posix.join(folder, used))}${quote})`,
    )
  }
  return (build, version, file) => {
    const key = `${build.name}/${version}/${file}`
    const text = known.get(key) ?? read(build, version, file)
    known.set(key, text)
    return text
  }
}

/** @throws Error when the file is missing or was changed */
export async function readPublishedFile(
  target: Files,
  build: Build,
  version: string,
  file: string,
): Promise<Buffer> {
  const path = versionPathOf(build, version, file)
  const bytes = await target.read(path)
  if (!bytes) throw new Error(`${target.url}/${path} is missing`)
  if (integrityOf(bytes) !== build.files[file]?.integrity)
    throw new Error(`${target.url}/${path} differs from its hash`)
  return bytes
}
