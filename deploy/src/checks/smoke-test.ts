import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { siteRoutes } from '@anniversary/shared/contract/routes'
import type { Envelope, HistoryData, LoginData, MissionData } from '@anniversary/shared/contract/wire'
import type { Browser, Page } from 'playwright-core'
import { type Candidate, HOST_NAME, isHost } from '../builds/read-build.ts'
import { type Problem, problem } from '../rejected.ts'
import { listen, type SiteServer, siteHandler } from '../serve/server.ts'
import { onBehalf } from '../site/caller.ts'
import { showing, versionIn } from '../site/compose.ts'
import { readRecord, type SiteRecord, type Verdict } from '../site/record.ts'
import { type PublishedBuilds, uploadVersions } from '../site/version-folders.ts'
import { writePages } from '../site/write-pages.ts'
import { OverlayTarget } from '../target/overlay-target.ts'
import type { Target } from '../target/target.ts'
import { findBrowser } from './find-browser.ts'

interface Smoked {
  readonly problems: readonly Problem[]
  readonly verdicts: readonly Verdict[]
  readonly warnings: readonly string[]
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

interface Visit {
  readonly pair: Verdict
  readonly origin: string
  /** Whether members would see this pair of shell and remote at once. */
  readonly isLive: boolean
}

/**
 * Loads a proposed site in a real browser, with the real headers, hashes and policy, and a typical answer to each API
 * call: new remotes under the live shell and those before it; under a new shell its own screens and every live remote,
 * canaries included. Writes nothing to the target.
 * @param options.shells number of shells: the live one and those before it, to which a rollback could lead
 * @param options.budget milliseconds for all pages together
 * @param options.patience milliseconds for one; the shell's loader gives up on a remote after ten seconds
 */
export async function smokeTest(
  target: Target,
  proposed: ProposedSite,
  { shells = 2, budget = 60_000, patience = 15_000 } = {},
): Promise<Smoked> {
  const { builds, candidates } = proposed
  const sites = await sitesOf(target, proposed, shells)
  if (sites.every(({ visits }) => visits.length === 0)) return skipped('no route shows it')
  const path = findBrowser()
  if (!path) return withoutBrowser()
  const deadline = Date.now() + budget
  const servers: SiteServer[] = []
  // In parallel with composing the sites.
  const starting = startBrowser(path)
  // The `await` below throws its failure. Until then that is no unhandled rejection.
  starting.catch(() => undefined)
  try {
    const base = new OverlayTarget(target)
    await uploadVersions(base, candidates)
    const queue: Visit[] = []
    for (const { record, isLive, visits } of sites) {
      const site = new OverlayTarget(base)
      await writePages(site, record, builds)
      const server = await listen('127.0.0.1', 0)
      servers.push(server)
      const serveFiles = siteHandler(site)
      server.open((request, response) =>
        request.url?.startsWith('/api/') ? answerApi(request, response) : serveFiles(request, response),
      )
      queue.push(...visits.map((pair) => ({ pair, isLive, origin: `http://127.0.0.1:${server.port}` })))
    }
    const browser = await starting
    const waiting = queue.values()
    const visitAll = async () => {
      for (const visit of waiting) {
        const left = deadline - Date.now()
        const fault =
          left < 0
            ? 'was not reached in time (--budget)'
            : await faultOf(browser, visit, Math.min(patience, left))
        if (fault) visit.pair.fault = fault
      }
    }
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, visitAll))
    const broken = (live: boolean) =>
      queue.flatMap(({ pair, isLive }) => (pair.fault !== undefined && isLive === live ? [pair] : []))
    return {
      verdicts: queue.map(({ pair }) => pair),
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
  } finally {
    // Also where the browser did not start: an open server would keep this process from ending.
    await Promise.allSettled([
      starting.then((browser) => browser.close()),
      ...servers.map((server) => server.close()),
    ])
  }
}

async function sitesOf(target: Target, { record, builds, candidates }: ProposedSite, shells: number) {
  const isShellNew = candidates.some(isHost)
  const names = new Set(candidates.map(({ build }) => build.name))
  const siteOf = async (site: SiteRecord, isLive: boolean, isShown: (name: string) => boolean) => {
    const { routes } = await builds.host(site.shell.version)
    const visits = Object.entries(siteRoutes(routes, site.remotes)).flatMap(([route, { remote }]) => {
      const name = remote?.name ?? HOST_NAME
      const version = versionIn(site, name) ?? ''
      const isOff = site.remotes[name]?.status === 'off'
      return isShown(name) && !isOff ? [{ shell: site.shell.version, package: name, version, route }] : []
    })
    return { record: site, isLive, visits }
  }
  const live = showing(record, candidates)
  const sites = [await siteOf(live, true, (name) => isShellNew || names.has(name))]
  if (!isShellNew) {
    for (const shell of await earlierShells(target, record, shells - 1))
      sites.push(await siteOf({ ...live, shell }, false, (name) => names.has(name)))
    return sites
  }
  const canaries = Object.entries(record.remotes).flatMap(([name, { canary }]) =>
    canary && !names.has(name) ? [[name, { status: 'on' as const, current: canary.release }] as const] : [],
  )
  const withCanaries = { ...live, remotes: { ...live.remotes, ...Object.fromEntries(canaries) } }
  const isCanary = (name: string) => canaries.some(([one]) => one === name)
  return canaries.length > 0 ? [...sites, await siteOf(withCanaries, true, isCanary)] : sites
}

/** The shells to which rollbacks would lead, the newest first. */
async function earlierShells(
  target: Target,
  { before }: SiteRecord,
  most: number,
): Promise<SiteRecord['shell'][]> {
  const shells: SiteRecord['shell'][] = []
  for (let number = before[HOST_NAME]; number !== undefined && shells.length < most; ) {
    const older = await readRecord(target, number)
    if (!older) break
    shells.push(older.shell)
    number = older.before[HOST_NAME]
  }
  return shells
}

/** A warning for a person. A pipeline, and the deploy server, skip no check. */
function withoutBrowser(): Smoked {
  const found = 'no Chromium found (CHROMIUM_PATH names one)'
  const where = onBehalf.getStore() ? 'the deploy server' : process.env.CI && 'this pipeline'
  if (!where) return skipped(found)
  return { ...skipped(found), problems: [problem('smoke', where, found, 'Install one there')] }
}

const skipped = (why: string): Smoked => ({
  problems: [],
  verdicts: [],
  warnings: [`smoke test skipped: ${why}`],
})

async function startBrowser(path: string): Promise<Browser> {
  // Loaded here, since other verbs need no browser; by `require`, which tsx's hooks do not slow down, but which knows no types.
  const { chromium } = createRequire(import.meta.url)('playwright-core') as typeof import('playwright-core')
  // Chromium refuses to run as root with its sandbox, as in most build containers. The pages here are our own.
  return await chromium.launch({ executablePath: path, chromiumSandbox: process.getuid?.() !== 0 })
}

async function faultOf(
  browser: Browser,
  { origin, pair: { route, package: name } }: Visit,
  patience: number,
): Promise<string | undefined> {
  const page = await browser.newPage()
  // The shell's cookie for a token on plain http: without it, a protected route redirects to /login.
  await page.context().addCookies([{ name: 'anniversary-token', value: 'smoke', url: origin }])
  const isShell = name === HOST_NAME
  const shown = page.goto(`${origin}${route}`, { waitUntil: isShell ? 'load' : 'commit' }).then(async () => {
    // The mark that the shell's RemotePage sets.
    const isMarked = (mark: string) => performance.getEntriesByName(mark).length > 0
    if (!isShell) await page.waitForFunction(isMarked, `remote:${name}:shown`)
    await sleep(AFTERWARDS)
    return undefined
  })
  // Playwright's own time-outs never end on a page in an endless loop.
  const never = sleep(patience, `does not show ${name} within ${(patience / 1000).toFixed(1)} s`, {
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

/*
 * The API of the smoke test: each call of the specification's section 7 gets a typical answer, so that a page shows its
 * content and not an error.
 */
const CODE = 'A51C-20QB-17CB'
const MISSIONS: MissionData[] = [
  { event_code_detail: 'NAP_300', name: 'Tổng nạp 300 điểm', code: '', claimed: 2, tickets: 1 },
  { event_code_detail: 'NAP_15000', name: 'Tổng nạp 15.000 điểm', code: CODE, claimed: 1, tickets: 1 },
  { event_code_detail: 'CHIASE', name: 'Chia sẻ bài viết lên Facebook', code: null, claimed: 2 },
]
const CLAIMED = { event_code_detail: 'NAP_15000', name: 'Tổng nạp', code: [CODE] }
const HISTORY: HistoryData = {
  code_details: [{ ...CLAIMED, claimed_at: '2025-08-20T20:00:00+07:00' }],
  giftcode_trade: [{ giftcode: '999K-DEMO', traded_at: '2025-08-20T21:00:00+07:00' }],
}
const LOGIN: LoginData = { required_address: false, sign: 'smoke', username: 'smoke' }

const ANSWERS: Record<string, unknown> = {
  '/client/login': LOGIN,
  '/client/info': MISSIONS,
  '/client/history': HISTORY,
  '/client/update-info': true,
  '/client/take-code': [CODE],
}

function answerApi(request: IncomingMessage, response: ServerResponse): void {
  const path = (request.url ?? '').replace(/^\/api|\?.*$/g, '')
  const answer: Envelope<unknown> = { status_code: 200, data: ANSWERS[path] ?? null }
  response.writeHead(200, { 'content-type': 'application/json', 'cache-control': 'no-store' })
  response.end(JSON.stringify(answer))
}
