import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { type SiteRoutes, siteRoutes } from '@anniversary/shared/contract/routes'
import type { Browser, Page } from 'playwright-core'
import { type Candidate, HOST_NAME } from '../builds/read-build.ts'
import type { Problem } from '../rejected.ts'
import { listen, siteHandler } from '../serve/server.ts'
import { onBehalf } from '../site/caller.ts'
import type { SiteRecord } from '../site/record.ts'
import { type PublishedBuilds, uploadVersions } from '../site/version-folders.ts'
import { writePages } from '../site/write-pages.ts'
import { OverlayTarget } from '../target/overlay-target.ts'
import type { Target } from '../target/target.ts'
import { findBrowser } from './find-browser.ts'
import { answerApi, isApiPath } from './smoke-api.ts'

export interface SmokeResult {
  readonly problems: readonly Problem[]
  /** Why nothing was tested. */
  readonly skipped?: string
}

/** Milliseconds to wait for late errors after a page shows. */
const AFTERWARDS = 300

/** A site as it would be, and what is not in the target yet. */
export interface ProposedSite {
  readonly record: SiteRecord
  readonly builds: PublishedBuilds
  readonly candidates: readonly Candidate[]
}

/**
 * Loads a proposed site in a real browser: each route that shows a candidate, with the real headers, hashes and policy,
 * and a typical answer to each API call. Writes nothing to the target.
 * @param patience milliseconds that a page may take; the shell's loader gives up on a remote after ten seconds
 */
export async function smokeTest(
  target: Target,
  { record, builds, candidates }: ProposedSite,
  patience = 15_000,
): Promise<SmokeResult> {
  const host = await builds.host(record.shell.version)
  const visits = visitsOf(siteRoutes(host.routes, record.remotes), candidates)
  if (visits.length === 0) return { problems: [], skipped: 'no route shows it' }
  const path = findBrowser()
  if (!path) return withoutBrowser()
  const site = new OverlayTarget(target)
  const server = await listen('127.0.0.1', 0)
  // In parallel with composing the site.
  const starting = startBrowser(path)
  // The `await` below throws its failure. Until then that is no unhandled rejection.
  starting.catch(() => undefined)
  try {
    await uploadVersions(site, candidates)
    await writePages(site, record, builds)
    const serveFiles = siteHandler(site)
    server.open((request, response) =>
      isApiPath(request.url ?? '') ? answerApi(request, response) : serveFiles(request, response),
    )
    const origin = `http://127.0.0.1:${server.port}`
    const browser = await starting
    const problems = await Promise.all(visits.map((visit) => problemOf(browser, origin, visit, patience)))
    return { problems: problems.filter((problem) => problem !== null) }
  } finally {
    // Also where the browser did not start: an open server would keep this process from ending.
    await Promise.allSettled([starting.then((browser) => browser.close()), server.close()])
  }
}

/** The deploy server skips no check. */
function withoutBrowser(): SmokeResult {
  const found = 'no Chromium found (CHROMIUM_PATH names one)'
  const todo = 'Install one on the deploy server'
  return onBehalf.getStore()
    ? { problems: [{ rule: 'smoke', about: 'the deploy server', found, todo }] }
    : { problems: [], skipped: found }
}

async function startBrowser(path: string): Promise<Browser> {
  // Loaded here: it takes 0.4 s, and other verbs need no browser. By `require`, because through tsx's hooks for ES
  // modules it takes twice as long. `require` knows no types.
  const { chromium } = createRequire(import.meta.url)('playwright-core') as typeof import('playwright-core')
  // Chromium refuses to run as root with its sandbox, as in most build containers. The pages here are our own.
  return await chromium.launch({ executablePath: path, chromiumSandbox: process.getuid?.() !== 0 })
}

interface Visit {
  readonly route: string
  /** Absent: a screen of the shell itself. */
  readonly remote?: string
}

/** Routes to visit: all screens of a new shell, and the pages of new remotes. */
function visitsOf(routes: SiteRoutes, candidates: readonly Candidate[]): Visit[] {
  const names = new Set(candidates.map(({ build }) => build.name))
  return Object.entries(routes).flatMap(([route, { remote }]) =>
    names.has(remote?.name ?? HOST_NAME) ? [{ route, ...(remote && { remote: remote.name }) }] : [],
  )
}

async function problemOf(
  browser: Browser,
  origin: string,
  { route, remote }: Visit,
  patience: number,
): Promise<Problem | null> {
  const page = await browser.newPage()
  // The shell's cookie for a token on plain http: without it, a protected route redirects to /login.
  await page.context().addCookies([{ name: 'anniversary-token', value: 'smoke', url: origin }])
  const failed = firstError(page)
  const shown = page.goto(`${origin}${route}`, { waitUntil: remote ? 'commit' : 'load' }).then(async () => {
    if (remote) await isShown(page, remote)
    await sleep(AFTERWARDS)
    return null
  })
  // Playwright's own time-outs never end on a page in an endless loop.
  const never = sleep(patience, `does not show ${remote ?? 'the shell'} within ${patience / 1000} s`, {
    ref: false,
  })
  const fault = await Promise.race([failed, shown, never])
  if (fault === null) return null
  return {
    rule: 'smoke',
    about: remote ?? HOST_NAME,
    found: `in a browser, ${route} ${fault}`,
    todo: 'Open the build in its harness or in `npm start` and look at the console',
  }
}

/** Waits for an exception, `console.error`, or what the browser logs as an error: hashes, policy, missing files. */
const firstError = (page: Page): Promise<string> =>
  new Promise((resolve) => {
    const report = (text: string) => resolve(`reports: ${text.split('\n')[0]}`)
    page.on('pageerror', (error) => report(String(error)))
    page.on('console', (message) => {
      if (message.type() === 'error') report(`${message.text()} ${message.location().url}`)
    })
  })

/** Waits for the mark that the shell's RemotePage sets. */
const isShown = (page: Page, remote: string) =>
  page.waitForFunction((mark) => performance.getEntriesByName(mark).length > 0, `remote:${remote}:shown`)
