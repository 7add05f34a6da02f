import type { ComposedRemote } from '@anniversary/shared/contract/composition'
import { siteRoutes } from '@anniversary/shared/contract/routes'
import { errorMessage } from '@anniversary/shared/error-message'
import pLimit from 'p-limit'
import { findBrowser } from '../browser/find-browser.ts'
import { type Candidate, HOST_NAME, isHostBuild } from '../builds/read-build.ts'
import { createProblem, createRejection, type Problem, type SmokeResult } from '../rejected.ts'
import { siteHandler } from '../serve/server.ts'
import { showingBuilds, versionInSite } from '../site/compose.ts'
import type { Context } from '../site/context.ts'
import { earlierRecords, recordsBefore } from '../site/history.ts'
import type { SiteRecord } from '../site/record.ts'
import { type PublishedBuilds, uploadVersions } from '../site/version-folders.ts'
import { writeSitePages } from '../site/write-pages.ts'
import { OverlayTarget } from '../target/overlay-target.ts'
import type { Target } from '../target/target.ts'
import { createCallQueue } from './call-queue.ts'
import { openBrowser } from './isolated-browser.ts'
import { answerApi } from './typical-answers.ts'
import { pageFaultOf } from './visit-page.ts'
import type { SiteBrowser } from './ways-out.ts'

export interface SmokeReport {
  readonly problems: readonly Problem[]
  readonly results: readonly SmokeResult[]
  readonly warnings: readonly string[]
}

export interface SmokeLimits {
  /** Milliseconds for all pages together. */
  readonly budget?: number
  /**
   * Milliseconds for one page. The shell's loader gives up on a remote after
   * ten seconds.
   */
  readonly pageTimeout?: number
}

interface ProposedSite {
  readonly record: SiteRecord
  readonly builds: PublishedBuilds
  readonly candidates: readonly Candidate[]
}

const PAGES_AT_ONCE = 4
const visitInTurn = createCallQueue({ ofCaller: 2, ofAll: 8 })

interface Site {
  readonly files: Target
  readonly isLive: boolean
  readonly pairs: readonly SmokeResult[]
}

/**
 * Loads new remotes under the live shell and the one before; under a new shell,
 * all live remotes, canaries and its own screens.
 */
export async function smokeTest(
  { target, caller }: Context,
  proposed: ProposedSite,
  { budget = 120_000, pageTimeout = 15_000 }: SmokeLimits = {},
): Promise<SmokeReport> {
  const warnings: string[] = []
  const all = await sitesOf(target, proposed, warnings)
  const sites = all.filter(({ pairs }) => pairs.length > 0)
  if (sites.length === 0) return skipped('no route shows it')
  const path = findBrowser()
  if (!path) return skipped('no Chromium found (CHROMIUM_PATH names one)', unattendedPlace(caller))
  const visit = () => visitSites(sites, path, { caller, budget, pageTimeout })
  const visited = caller ? await visitInTurn(caller.name, visit) : await visit()
  if (!visited)
    throw createRejection(
      'smoke',
      'the deploy server',
      `too many calls wait for its browser, or two of ${caller?.name}`,
      'Try again in a minute',
    )
  return reportOf(sites, visited.results, [...warnings, ...visited.warnings])
}

interface Visit extends Required<SmokeLimits>, Pick<Context, 'caller'> {}

async function visitSites(
  sites: readonly Site[],
  path: string,
  { caller, budget, pageTimeout }: Visit,
) {
  const browser = await openBrowser(path, caller !== null)
  try {
    const visits = serveSites(sites, browser)
    const deadline = Date.now() + budget
    const inTurn = pLimit(PAGES_AT_ONCE)
    const visiting = visits.map(([pair, origin]) =>
      inTurn(async (): Promise<[SmokeResult, SmokeResult]> => {
        const left = Math.min(pageTimeout, deadline - Date.now())
        if (left < 0) return [pair, { ...pair, fault: 'was not reached in time' }]
        const fault = await pageFaultOf(browser, origin, pair, left)
        return [pair, { ...pair, ...(fault !== undefined && { fault }) }]
      }),
    )
    return { results: new Map(await Promise.all(visiting)), warnings: browser.warnings }
  } finally {
    await browser.close()
  }
}

function serveSites(sites: readonly Site[], { serve }: Pick<SiteBrowser, 'serve'>) {
  return sites.flatMap(({ files, pairs }) => {
    const serveFiles = siteHandler(files)
    const origin = serve((request, response) => {
      if (request.url?.startsWith('/api/')) answerApi(request, response)
      else serveFiles(request, response)
    })
    return pairs.map((pair) => [pair, origin] as const)
  })
}

function reportOf(
  sites: readonly Site[],
  results: ReadonlyMap<SmokeResult, SmokeResult>,
  warnings: readonly string[],
): SmokeReport {
  const report = {
    results: [] as SmokeResult[],
    problems: [] as Problem[],
    warnings: [...warnings],
  }
  for (const { pairs, isLive } of sites)
    for (const pair of pairs) {
      const result = results.get(pair) ?? pair
      const { shell, package: name, route, fault } = result
      report.results.push(result)
      if (fault === undefined) continue
      if (isLive)
        report.problems.push(
          createProblem('smoke', name, `in a browser, ${route} ${fault}`, adviceFor(fault)),
        )
      else report.warnings.push(`under shell ${shell}, ${route} of ${name} ${fault}`)
    }
  return report
}

function adviceFor(fault: string): string {
  if (/trusted ?type|createPolicy/i.test(fault))
    return 'A library makes a Trusted Types policy: declare its name in package.json (`"trustedTypes": ["vue"]`) and build again'
  return 'Open the build in its harness, or inside the site by `npm run dev -- --site`, and look at the console'
}

async function sitesOf(
  target: Target,
  { record, builds, candidates }: ProposedSite,
  warnings: string[],
): Promise<Site[]> {
  const base = new OverlayTarget(target)
  await uploadVersions(base, candidates)
  const siteOf = async (record: SiteRecord, isLive: boolean, packages: readonly string[]) => {
    const { routes } = await builds.host(record.shell.version)
    const pairs = Object.entries(siteRoutes(routes, record.remotes)).flatMap(
      ([route, { remote }]) => {
        const name = remote?.name ?? HOST_NAME
        const version = versionInSite(record, name) ?? ''
        if (!packages.includes(name)) return []
        if (record.remotes[name]?.status === 'off') return []
        return [{ shell: record.shell.version, package: name, version, route }]
      },
    )
    const files = new OverlayTarget(base)
    if (pairs.length > 0) await writeSitePages(files, record, builds, null)
    return { files, isLive, pairs }
  }
  const live = showingBuilds(record, candidates)
  const names = candidates.map(({ build }) => build.name)
  if (candidates.some(isHostBuild)) {
    const canaries: Record<string, ComposedRemote> = {}
    for (const [name, { canary }] of Object.entries(record.remotes))
      if (canary && !names.includes(name))
        canaries[name] = { status: 'on', current: canary.release }
    const remotes = { ...live.remotes, ...canaries }
    return [
      await siteOf(live, true, [HOST_NAME, ...Object.keys(remotes)]),
      await siteOf({ ...live, remotes }, true, Object.keys(canaries)),
    ]
  }
  // A rollback would lead to the second shell.
  const sites = [await siteOf(live, true, names)]
  const before = recordsBefore(target, record.number)
  const { value: earlier } = await earlierRecords(before, record, HOST_NAME).next()
  if (!earlier) return sites
  const { shell } = earlier
  try {
    sites.push(await siteOf({ ...live, shell }, false, names))
  } catch (error) {
    warnings.push(`not tested under the earlier shell ${shell.version}: ${errorMessage(error)}`)
  }
  return sites
}

/** Pipelines and the deploy server skip no check; a person is only warned. */
function unattendedPlace(caller: Context['caller']): string | undefined {
  if (caller) return 'the deploy server'
  if (process.env.CI) return 'this pipeline'
  return undefined
}

function skipped(why: string, where?: string): SmokeReport {
  const problems = where ? [createProblem('smoke', where, why, 'Install one there')] : []
  return { problems, results: [], warnings: [`smoke test skipped: ${why}`] }
}
