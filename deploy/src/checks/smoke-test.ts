import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ComposedRemote } from '@anniversary/shared/contract/composition'
import { shownMark, TOKEN_COOKIE } from '@anniversary/shared/contract/page-signals'
import { siteRoutes } from '@anniversary/shared/contract/routes'
import type { Envelope, HistoryData, MissionData } from '@anniversary/shared/contract/wire'
import type { Browser, Page } from 'playwright-core'
import { findBrowser } from '../browser/find-browser.ts'
import { type Candidate, HOST_NAME, isHost } from '../builds/read-build.ts'
import { type Problem, problem } from '../rejected.ts'
import { listen, type SiteServer, siteHandler } from '../serve/server.ts'
import { showing, versionIn } from '../site/compose.ts'
import type { Context } from '../site/context.ts'
import { earlierRecords, type SiteRecord } from '../site/record.ts'
import { type PublishedBuilds, uploadVersions } from '../site/version-folders.ts'
import { writePages } from '../site/write-pages.ts'
import type { SmokeResult } from '../smoke-result.ts'
import { OverlayTarget } from '../target/overlay-target.ts'
import type { Target } from '../target/target.ts'

export interface SmokeReport {
  readonly problems: readonly Problem[]
  readonly results: readonly SmokeResult[]
  readonly warnings: readonly string[]
}

export interface SmokeLimits {
  /** Number of shells: the live one and those before it, to which a rollback could lead. */
  readonly shells?: number
  /** Milliseconds for all pages together. */
  readonly budget?: number
  /** Milliseconds for one page. The shell's loader gives up on a remote after ten seconds. */
  readonly pageTimeout?: number
}

/** A site as it would be, and what is not in the target yet. */
interface ProposedSite {
  readonly record: SiteRecord
  readonly builds: PublishedBuilds
  readonly candidates: readonly Candidate[]
}

const SIDE_BY_SIDE = 4
/** Milliseconds to wait for late errors after a page shows. */
const AFTERWARDS = 300

/** A composition to look at in the browser, and the pairs of shell and remote to look at there. */
interface Site {
  readonly record: SiteRecord
  /** Whether members would see it at once. */
  readonly isLive: boolean
  readonly pairs: readonly SmokeResult[]
}

/**
 * Loads a proposed site in a real browser, with the real headers, hashes and policy, and typical answers of the API:
 * new remotes under the live shell and those before it; under a new shell its own screens and every live remote,
 * canaries included. Writes nothing to the target.
 */
export async function smokeTest(
  { target, caller }: Context,
  proposed: ProposedSite,
  { shells = 2, budget = 60_000, pageTimeout = 15_000 }: SmokeLimits = {},
): Promise<SmokeReport> {
  const sites = (await sitesOf(target, proposed, shells)).filter(({ pairs }) => pairs.length > 0)
  if (sites.length === 0) return skipped('no route shows it')
  const path = findBrowser()
  if (!path)
    return skipped(
      'no Chromium found (CHROMIUM_PATH names one)',
      caller ? 'the deploy server' : process.env.CI && 'this pipeline',
    )
  const deadline = Date.now() + budget
  // Loaded here, since other verbs need no browser; by `require`, which tsx's hooks do not slow down, but which knows no types.
  const { chromium } = createRequire(import.meta.url)('playwright-core') as typeof import('playwright-core')
  // Chromium refuses to run as root with its sandbox, as in most build containers. The pages here are our own.
  const browser = await chromium.launch({
    executablePath: path,
    chromiumSandbox: process.getuid?.() !== 0,
    // Loopback goes past the proxy; where a page leads elsewhere, nobody is asked.
    args: ['--proxy-server=http://127.0.0.1:9'],
  })
  const servers: SiteServer[] = []
  try {
    const base = new OverlayTarget(target)
    await uploadVersions(base, proposed.candidates)
    const visits: [pair: SmokeResult, origin: string][] = []
    for (const { record, pairs } of sites) {
      const site = new OverlayTarget(base)
      await writePages(site, record, proposed.builds)
      const server = await listen('127.0.0.1', 0)
      servers.push(server)
      const serveFiles = siteHandler(site)
      server.open((request, response) =>
        request.url?.startsWith('/api/') ? answerApi(request, response) : serveFiles(request, response),
      )
      for (const pair of pairs) visits.push([pair, `http://127.0.0.1:${server.port}`])
    }
    const waiting = visits.values()
    const visitAll = async () => {
      for (const [pair, origin] of waiting) {
        const left = Math.min(pageTimeout, deadline - Date.now())
        const fault =
          left < 0 ? 'was not reached in time (--budget)' : await faultOf(browser, origin, pair, left)
        if (fault) pair.fault = fault
      }
    }
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, visitAll))
  } finally {
    // An open server would keep this process from ending.
    await Promise.allSettled([browser, ...servers].map((open) => open.close()))
  }
  const pairsOf = (some: readonly Site[]) => some.flatMap(({ pairs }) => pairs)
  const broken = (live: boolean) =>
    pairsOf(sites.filter(({ isLive }) => isLive === live)).filter(({ fault }) => fault !== undefined)
  return {
    results: pairsOf(sites),
    problems: broken(true).map(({ package: about, route, fault }) =>
      problem(
        'smoke',
        about,
        `in a browser, ${route} ${fault}`,
        'Open the build in its harness or in `npm start` and look at the console',
      ),
    ),
    warnings: broken(false).map(
      ({ shell, package: name, route, fault }) => `under shell ${shell}, ${route} of ${name} ${fault}`,
    ),
  }
}

async function sitesOf(
  target: Target,
  { record, builds, candidates }: ProposedSite,
  most: number,
): Promise<Site[]> {
  const siteOf = async (record: SiteRecord, isLive: boolean, packages: readonly string[]) => {
    const { routes } = await builds.host(record.shell.version)
    const pairs = Object.entries(siteRoutes(routes, record.remotes)).flatMap(([route, { remote }]) => {
      const name = remote?.name ?? HOST_NAME
      const version = versionIn(record, name) ?? ''
      const isShown = packages.includes(name) && record.remotes[name]?.status !== 'off'
      return isShown ? [{ shell: record.shell.version, package: name, version, route }] : []
    })
    return { record, isLive, pairs }
  }
  const live = showing(record, candidates)
  const names = candidates.map(({ build }) => build.name)
  if (candidates.some(isHost)) {
    const canaries = Object.entries(record.remotes).flatMap(
      ([name, { canary }]): [string, ComposedRemote][] =>
        canary && !names.includes(name) ? [[name, { status: 'on', current: canary.release }]] : [],
    )
    const remotes = { ...live.remotes, ...Object.fromEntries(canaries) }
    const theirs = canaries.map(([name]) => name)
    return [
      await siteOf(live, true, [HOST_NAME, ...Object.keys(remotes)]),
      await siteOf({ ...live, remotes }, true, theirs),
    ]
  }
  // Under the live shell, and under those to which rollbacks would lead, the newest first.
  const sites = [await siteOf(live, true, names)]
  for await (const { shell } of earlierRecords(target, record, HOST_NAME)) {
    if (sites.length >= most) break
    sites.push(await siteOf({ ...live, shell }, false, names))
  }
  return sites
}

/** A warning for a person. A pipeline, and the deploy server, skip no check. */
function skipped(why: string, where?: string): SmokeReport {
  const problems = where ? [problem('smoke', where, why, 'Install one there')] : []
  return { problems, results: [], warnings: [`smoke test skipped: ${why}`] }
}

async function faultOf(
  browser: Browser,
  origin: string,
  { route, package: name }: SmokeResult,
  timeout: number,
): Promise<string | undefined> {
  const page = await browser.newPage()
  // The shell's cookie for a token on plain http: without it, a protected route redirects to /login.
  await page.context().addCookies([{ name: TOKEN_COOKIE, value: 'smoke', url: origin }])
  const isShell = name === HOST_NAME
  const shown = page.goto(`${origin}${route}`, { waitUntil: isShell ? 'load' : 'commit' }).then(async () => {
    const isMarked = (mark: string) => performance.getEntriesByName(mark).length > 0
    if (!isShell) await page.waitForFunction(isMarked, shownMark(name))
    await sleep(AFTERWARDS)
    return undefined
  })
  // Playwright's own time-outs never end on a page in an endless loop.
  const never = sleep(timeout, `does not show ${name} within ${(timeout / 1000).toFixed(1)} s`, {
    ref: false,
  })
  const fault = await Promise.race([firstError(page), shown, never])
  // What it still does is of no interest, and a page in an endless loop never closes.
  page
    .context()
    .close()
    .catch(() => undefined)
  return fault
}

/**
 * Waits for an exception, `console.error`, or what the browser logs as an error: hashes, policy, missing files. Also for a
 * page that leaves: a reload for ever would look like one that shows.
 */
const firstError = (page: Page): Promise<string> =>
  new Promise((resolve) => {
    let loads = 0
    page.on('request', (request) => {
      if (request.isNavigationRequest() && request.frame() === page.mainFrame() && ++loads > 1)
        resolve(`goes by itself to ${request.url()}`)
    })
    const report = (text: string) => resolve(`reports: ${text.split('\n')[0]}`)
    page.on('pageerror', (error) => report(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') report(`${message.text()} ${message.location().url}`)
    })
  })

/** What a page may ask for while it loads, with typical answers, so that it shows its content and not an error. */
const CLAIMED = { event_code_detail: 'NAP_15000', name: 'Tổng nạp 15.000 điểm' }
const CODE = 'A51C-20QB-17CB'
const MISSIONS: MissionData[] = [
  { event_code_detail: 'NAP_300', name: 'Tổng nạp 300 điểm', code: '', claimed: 2, tickets: 1 },
  { ...CLAIMED, code: CODE, claimed: 1, tickets: 1 },
  { event_code_detail: 'CHIASE', name: 'Chia sẻ bài viết lên Facebook', code: null, claimed: 2 },
]
const HISTORY: HistoryData = {
  code_details: [{ ...CLAIMED, code: [CODE], claimed_at: '2025-08-20T20:00:00+07:00' }],
  giftcode_trade: [{ giftcode: '999K-DEMO', traded_at: '2025-08-20T21:00:00+07:00' }],
}
const ANSWERS: Record<string, unknown> = { '/client/info': MISSIONS, '/client/history': HISTORY }

function answerApi(request: IncomingMessage, response: ServerResponse): void {
  const path = (request.url ?? '').replace(/^\/api|\?.*$/g, '')
  const answer: Envelope<unknown> = { status_code: 200, data: ANSWERS[path] ?? null }
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(answer))
}
