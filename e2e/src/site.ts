import { join } from 'node:path'
import { readBuild, versionOfBuild } from '@anniversary/deploy/builds/read-build'
import { pagePolicy } from '@anniversary/deploy/serve/headers'
import {
  composedReleaseOf,
  composedRemoteOf,
  compositionOf,
  withRemote,
} from '@anniversary/deploy/site/compose'
import { pathOfPage } from '@anniversary/deploy/site/page'
import { currentSiteRecord, type SiteRecord } from '@anniversary/deploy/site/record'
import { publishedBuilds, uploadVersions } from '@anniversary/deploy/site/version-folders'
import { pagesOfSite } from '@anniversary/deploy/site/write-pages'
import { FileTarget } from '@anniversary/deploy/target/file-target'
import type { ComposedRemote, Release } from '@anniversary/shared/contract/composition'
import { IDS } from '@anniversary/shared/contract/page-names'
import { reportSchema } from '@anniversary/shared/contract/report'
import type { Page } from '@playwright/test'
import { type Answer, startFaultyProxy } from './faulty-proxy.ts'
import { ROOT, type Stack } from './stack.ts'
import type { Subject } from './subjects.ts'

const REPORT_PATH = '/api/reports'

/** The release before the published one, as the global set-up has built it. */
export const previousBuild = (remote: string): string =>
  join(process.env.E2E_PREVIOUS ?? '', remote, 'dist')

export type FaultySite = Awaited<ReturnType<typeof startFaultySite>>

/**
 * Starts a site with faults: a proxy before the stack, pages that report, and
 * compositions that a test changes.
 */
export async function startFaultySite({ url: stackUrl, siteDir }: Stack) {
  const target = new FileTarget(siteDir)
  const { config, ...stored } = await currentSiteRecord(target)
  // Without the previous releases and canaries that other tests have left.
  const remotes = Object.fromEntries(
    Object.entries(stored.remotes).map(([name, { current }]) => [
      name,
      { status: 'on' as const, current },
    ]),
  )
  const deployed: SiteRecord = { ...stored, remotes, config: { ...config, reportUrl: REPORT_PATH } }
  const current = ({ remote }: Subject): Release => composedRemoteOf(deployed, remote).current

  /**
   * Returns what `deploy` would write for this record, by path, and the policy
   * of its pages.
   */
  async function write(record: SiteRecord, { remotes } = record) {
    const files = new Map(await pagesOfSite(target, record, publishedBuilds(target)))
    const policy = pagePolicy(compositionOf({ ...record, remotes }), record.config)
    return { files, policy }
  }
  let written = write(deployed)

  async function edit(answer: Answer, url: string): Promise<Answer> {
    const { files, policy } = await written
    const [path = '/'] = url.split('?')
    if (!answer.body.includes(`id="${IDS.compositionData}"`)) {
      const body = files.get(path.slice(1))
      return body ? { status: 200, headers: { 'content-type': 'application/json' }, body } : answer
    }
    const body = files.get(pathOfPage(path)) ?? files.get(pathOfPage('/')) ?? answer.body
    return { ...answer, headers: { ...answer.headers, 'content-security-policy': policy }, body }
  }
  const proxy = await startFaultyProxy(stackUrl, edit)
  const foreign = await startFaultyProxy(stackUrl)

  /**
   * Uploads a build as a version of this remote that the stack's composition
   * does not name.
   */
  async function upload(folder: string, name: string): Promise<Release> {
    const read = await readBuild(folder)
    if (read.build.kind !== 'remote') throw new Error(`${folder} is no remote`)
    const build = { ...read.build, name }
    const candidate = { ...read, build, version: versionOfBuild(build) }
    await uploadVersions(target, [candidate])
    return composedReleaseOf(candidate)
  }

  const reports = () =>
    proxy.requests
      .filter(({ call }) => call === `POST ${REPORT_PATH}`)
      .map(({ body }) => reportSchema.parse(JSON.parse(body)))

  return {
    proxy,
    /** A server of another origin with the same files. */
    foreign,
    current,
    /**
     * Changes one remote in the composition of pages, and their policy with it
     * unless that stays `as it was`.
     */
    compose(
      { remote }: Subject,
      change: Partial<ComposedRemote>,
      { policy = 'fits' }: { policy?: 'fits' | 'as it was' } = {},
    ) {
      const changed = withRemote(deployed, remote, {
        ...composedRemoteOf(deployed, remote),
        ...change,
      })
      const record = { ...deployed, ...changed }
      written = write(record, policy === 'fits' ? record : deployed)
    },
    /** Changes settings of pages, and their policy with them. */
    configure(settings: Partial<SiteRecord['config']>) {
      written = write({ ...deployed, config: { ...deployed.config, ...settings } })
    },
    previous: ({ remote }: Subject) => upload(previousBuild(remote), remote),
    /**
     * Uploads a release whose code fails in this way (broken/rspack.config.js).
     */
    async broken(way: string, subject: Subject): Promise<Release> {
      const release = await upload(join(ROOT, '.cache/isolation/broken', way), subject.remote)
      // Where the build lacks the expose, the composition still names it.
      const files = release.exposes[subject.expose] ?? Object.values(release.exposes)[0]
      const exposes = files && { exposes: { [subject.expose]: files } }
      return { ...release, ...exposes, routes: current(subject).routes }
    },
    reports,
    /** Reported failures as `remote phase`, each once. */
    blamed: () => [
      ...new Set(reports().map((report) => `${report['remote.name']} ${report['remote.phase']}`)),
    ],
    /** What the loader did after each reported failure. */
    nexts: () => reports().map((report) => report['remote.next']),
    filesOf: (remote: string) =>
      proxy.requests.map(({ path }) => path).filter((path) => path.startsWith(`/${remote}/`)),
    async open(page: Page, path: string) {
      // The landing page leads members to /home and visitors to /login.
      if (path === '/') await page.context().clearCookies()
      await page.goto(`${proxy.url}${path}`, { waitUntil: 'commit' })
    },
    /** Number of requests for documents; more than one means a reload. */
    pagesLoaded: () =>
      proxy.requests.filter(({ path }) => !/^\/api\/|\.\w+(\?|$)/.test(path)).length,
    async close() {
      await Promise.all([proxy.close(), foreign.close()])
    },
  }
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

export type FileKind = 'entry' | 'script' | 'style'

/** Matches the paths of a release's files of a kind, with any query. */
export function filesPattern(release: Release, { expose }: Subject, kind: FileKind): RegExp {
  const { js = [], css = [] } = release.exposes[expose] ?? {}
  const urls =
    kind === 'entry' ? [release.entry] : (kind === 'script' ? js : css).map(({ url }) => url)
  if (urls.length === 0) throw new Error(`${expose} has no ${kind}`)
  return new RegExp(`^(${urls.map(escaped).join('|')})(\\?|$)`)
}
