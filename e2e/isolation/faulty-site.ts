import { readBuildJson, versionOf } from '@anniversary/deploy/builds/read-build'
import { releaseOf } from '@anniversary/deploy/site/compose'
import type { ComposedRemote, Composition, Release } from '@anniversary/shared/contract/composition'
import { type Report, reportSchema } from '@anniversary/shared/contract/report'
import type { Page } from '@playwright/test'
import { builtFiles } from '../src/built-files.ts'
import type { FileKind } from '../src/faults.ts'
import { type FaultyProxy, startFaultyProxy } from '../src/faulty-proxy.ts'
import { brokenBuild, previousBuild } from './builds.ts'
import { type Change, composedPage, hostOf, REPORT_PATH } from './composed-pages.ts'
import type { Subject } from './remotes.ts'

/** A site whose servers can be made to misbehave and whose pages can carry another composition. */
export interface FaultySite {
  /** The server of the site. */
  readonly proxy: FaultyProxy
  /** A server of another origin with the same files. */
  readonly foreign: FaultyProxy
  /** Pages carry this remote in that state; the others as they are, without a second chance. */
  compose(subject: Subject, change: (remote: ComposedRemote) => ComposedRemote): void
  /** Pages carry this composition, by a policy that was written for it or for the one before. */
  composeAll(compose: Change['compose'], policy?: Change['policy']): void
  /** The older release of a remote, which works. */
  previous(subject: Subject): Promise<Release>
  /** A release in a remote's name whose code misbehaves in the given way (broken/rspack.config.js). */
  broken(way: string, subject: Subject): Promise<Release>
  /** A release as it is where its team has a server of its own. */
  on(origin: string, release: Release): Release
  /** Pattern of the paths of a release's files of a kind, with any query. */
  urls(release: Release, subject: Subject, kind: FileKind): RegExp
  /** What pages have reported, oldest first. */
  reports(): readonly Report[]
  /** Remotes and phases that were reported, as `remote phase`, each once. */
  blamed(): readonly string[]
  /** What the loader did next, by each report. */
  nexts(): readonly (string | undefined)[]
  /** Paths of a remote's files that were asked for, oldest first. */
  filesOf(remote: string): readonly string[]
  /** Opens a page as a document. */
  open(page: Page, path: string): Promise<void>
  /** Documents that were asked for: more than one means that a page was reloaded. */
  pagesLoaded(): number
  close(): Promise<void>
}

export async function startFaultySite(stackUrl: string): Promise<FaultySite> {
  const host = await hostOf(stackUrl)
  let change: Change = { compose: (composition) => composition, policy: 'fits' }
  const proxy = await startFaultyProxy(stackUrl, {
    edit: (answer, path) => composedPage(answer, path, host, change),
  })
  const foreign = await startFaultyProxy(stackUrl)

  /** Serves a build as if it had been published in a remote's name. */
  async function publish(folder: string, name: string): Promise<Release> {
    const read = await readBuildJson(folder)
    if (read.kind !== 'remote') throw new Error(`${folder} is no remote`)
    const build = { ...read, name }
    const version = versionOf(build)
    const files = builtFiles(folder)
    proxy.serve(`/${name}/${version}`, files)
    return releaseOf({ build, version, files: new Map() })
  }

  const reports = () =>
    proxy.requests
      .filter(({ call }) => call === `POST ${REPORT_PATH}`)
      .map(({ body }) => reportSchema.parse(JSON.parse(body)))

  return {
    proxy,
    foreign,
    compose(subject, next) {
      change = { compose: (composition) => changed(composition, subject, next), policy: 'fits' }
    },
    composeAll(compose, policy = 'fits') {
      change = { compose, policy }
    },
    previous: ({ remote }) => publish(previousBuild(remote), remote),
    async broken(way, { remote, expose }) {
      const release = await publish(brokenBuild(way), remote)
      // A build that lacks the expose: the composition says that it has it.
      const files = release.exposes[expose] ?? Object.values(release.exposes)[0]
      return { ...release, ...(files && { exposes: { [expose]: files } }) }
    },
    on: relocated,
    urls: (release, { expose }, kind) => filesPattern(release, expose, kind),
    reports,
    blamed: () => [
      ...new Set(reports().map((report) => `${report['remote.name']} ${report['remote.phase']}`)),
    ],
    nexts: () => reports().map((report) => report['remote.next']),
    filesOf: (remote) =>
      proxy.requests.map(({ path }) => path).filter((path) => path.startsWith(`/${remote}/`)),
    async open(page, path) {
      await page.goto(`${proxy.url}${path}`, { waitUntil: 'commit' })
    },
    pagesLoaded: () => proxy.requests.filter(({ path }) => !/^\/api\/|\.\w+(\?|$)/.test(path)).length,
    async close() {
      await Promise.all([proxy.close(), foreign.close()])
    },
  }
}

function changed(
  composition: Composition,
  subject: Subject,
  change: (remote: ComposedRemote) => ComposedRemote,
): Composition {
  const remotes = Object.entries(composition.remotes).map(([name, { current }]) => {
    const alone: ComposedRemote = { status: 'on', current }
    return [name, name === subject.remote ? change(alone) : alone] as const
  })
  return { ...composition, remotes: Object.fromEntries(remotes) }
}

function relocated(origin: string, release: Release): Release {
  const file = <T extends { url: string }>({ url, ...rest }: T) => ({ ...rest, url: origin + url })
  return {
    ...release,
    entry: origin + release.entry,
    exposes: Object.fromEntries(
      Object.entries(release.exposes).map(([expose, { js, css }]) => [
        expose,
        { js: js.map(file), css: css.map(file) },
      ]),
    ),
  }
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

function filesPattern(release: Release, expose: string, kind: FileKind): RegExp {
  const { js = [], css = [] } = release.exposes[expose] ?? {}
  const urls = kind === 'entry' ? [release.entry] : (kind === 'script' ? js : css).map(({ url }) => url)
  if (urls.length === 0) throw new Error(`${expose} has no ${kind}`)
  return new RegExp(`^(${urls.map(escaped).join('|')})(\\?|$)`)
}
