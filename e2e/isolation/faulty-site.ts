import { readBuildJson, versionOf } from '@anniversary/deploy/builds/read-build'
import { releaseOf, urlOf } from '@anniversary/deploy/site/compose'
import type { ComposedRemote, Composition, Release } from '@anniversary/shared/contract/composition'
import { type Report, reportSchema } from '@anniversary/shared/contract/report'
import type { Page } from '@playwright/test'
import { builtFiles } from '../src/built-files.ts'
import type { FileKind } from '../src/faults.ts'
import { type Answer, type FaultyProxy, startFaultyProxy } from '../src/faulty-proxy.ts'
import { brokenBuild, previousBuild } from './builds.ts'
import { type Change, composedPage, deployedAt, REPORT_PATH } from './composed-pages.ts'
import type { Subject } from './remotes.ts'

/** A site whose servers can be made to misbehave and whose pages can carry another composition. */
export interface FaultySite {
  /** The server of the site. */
  readonly proxy: FaultyProxy
  /** A server of another origin with the same files. */
  readonly foreign: FaultyProxy
  /**
   * Changes one remote in the composition of pages; no other remote has a previous release. With the policy `as it was`
   * the CSP stays that of the unchanged composition.
   */
  compose(
    subject: Subject,
    change: (remote: ComposedRemote) => ComposedRemote,
    policy?: Change['policy'],
  ): void
  /** The older release of a remote. It works. */
  previous(subject: Subject): Promise<Release>
  /** A release of a remote whose code misbehaves in this way (broken/rspack.config.js). */
  broken(way: string, subject: Subject): Promise<Release>
  /** A release with the URLs of another origin. */
  on(origin: string, release: Release): Release
  /** Matches the paths of a release's files of a kind, with any query. */
  urls(release: Release, subject: Subject, kind: FileKind): RegExp
  /** Failure reports from pages, oldest first. */
  reports(): readonly Report[]
  /** Reported failures as `remote phase`, each once. */
  blamed(): readonly string[]
  /** What the loader did after each reported failure. */
  nexts(): readonly (string | undefined)[]
  /** Paths of the requests for a remote's files, oldest first. */
  filesOf(remote: string): readonly string[]
  /** Navigates without waiting for the page to load. */
  open(page: Page, path: string): Promise<void>
  /** Number of requests for documents; more than one means a reload. */
  pagesLoaded(): number
  close(): Promise<void>
}

export async function startFaultySite(stackUrl: string): Promise<FaultySite> {
  const deployed = await deployedAt(stackUrl)
  let change: Change = { compose: (composition) => composition, policy: 'fits' }
  const wholes = new Map<string, Answer>()
  const proxy = await startFaultyProxy(stackUrl, {
    edit: (answer, path) =>
      wholes.get(path.replace(/\?.*/, '')) ?? composedPage(answer, path, deployed, change, wholes),
  })
  const foreign = await startFaultyProxy(stackUrl)

  /** Serves a build where `deploy` would have published it for a remote. */
  async function publish(folder: string, name: string): Promise<Release> {
    const read = await readBuildJson(folder)
    if (read.kind !== 'remote') throw new Error(`${folder} is no remote`)
    const build = { ...read, name }
    const version = versionOf(build)
    const files = [...builtFiles(folder)]
    proxy.serve(new Map(files.map(([file, answer]) => [urlOf(build, version, file), answer])))
    return releaseOf({ build, version, files: new Map(), maps: new Map() })
  }

  const reports = () =>
    proxy.requests
      .filter(({ call }) => call === `POST ${REPORT_PATH}`)
      .map(({ body }) => reportSchema.parse(JSON.parse(body)))

  return {
    proxy,
    foreign,
    compose(subject, next, policy = 'fits') {
      change = { compose: (composition) => changed(composition, subject, next), policy }
    },
    previous: ({ remote }) => publish(previousBuild(remote), remote),
    async broken(way, { remote, expose }) {
      const release = await publish(brokenBuild(way), remote)
      // Where the build lacks the expose, the composition claims it.
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
    const next = name === subject.remote ? change(alone) : alone
    // Releases that misbehave bring no routes of their own.
    return [name, { ...next, current: { ...next.current, routes: current.routes } }] as const
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
