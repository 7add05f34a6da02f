import { setTimeout as sleep } from 'node:timers/promises'
import type { HostBuild } from '@anniversary/shared/contract/composition'
import type { Candidate } from '../builds/read-build.ts'
import type { Problem } from '../rejected.ts'
import { listen, siteHandler } from '../serve/server.ts'
import { applyChange, type Change } from '../site/change.ts'
import { HOST_NAME, publishedBuilds } from '../site/version-folders.ts'
import { OverlayTarget } from '../target/overlay-target.ts'
import type { Target } from '../target/target.ts'
import { type Browser, launch, type Tab } from './browser.ts'
import { findBrowser } from './find-browser.ts'
import { answerApi, isApiPath } from './smoke-api.ts'

export interface SmokeResult {
  readonly problems: readonly Problem[]
  /** Why nothing was tested. */
  readonly skipped?: string
}

/** Milliseconds to wait for late errors of a page that shows. */
const AFTERWARDS = 300

/**
 * Loads the site in a real browser as it would be after a change: each route that its candidates touch, with the real
 * headers, hashes and policy, and a typical answer to each API call. Writes nothing to the target.
 * @param patience milliseconds that a page may take; the shell's loader gives up a remote after ten seconds
 */
export async function smokeTest(target: Target, change: Change, patience = 15_000): Promise<SmokeResult> {
  const path = findBrowser()
  if (!path) return { problems: [], skipped: 'no Chromium found (CHROMIUM_PATH names one)' }
  const site = new OverlayTarget(target)
  const { record } = await applyChange(site, change)
  const host = await publishedBuilds(site).host(record.shell.version)
  const visits = visitsOf(host, change.candidates ?? [])
  if (visits.length === 0) return { problems: [], skipped: 'no route of the shell shows it yet' }

  const server = await listen('127.0.0.1', 0)
  const serveFiles = siteHandler(site)
  server.open((request, response) =>
    isApiPath(request.url ?? '') ? answerApi(request, response) : serveFiles(request, response),
  )
  const browser = await launch(path)
  try {
    const origin = `http://127.0.0.1:${server.port}`
    const problems = await Promise.all(visits.map((visit) => problemOf(browser, origin, visit, patience)))
    return { problems: problems.filter((problem) => problem !== null) }
  } finally {
    await browser.close()
    await server.close()
  }
}

interface Visit {
  readonly route: string
  /** Absent: a screen of the shell itself. */
  readonly remote?: string
  /** The version that must show; another one is the loader's fallback. */
  readonly version?: string
}

/** Routes to visit: all screens of a new shell, and the pages of new remotes. */
function visitsOf(host: HostBuild, candidates: readonly Candidate[]): Visit[] {
  const versions = new Map(candidates.map(({ build, version }) => [build.name, version]))
  return Object.entries(host.routes).flatMap(([route, { remote }]) => {
    if (remote === undefined) return versions.has(HOST_NAME) ? [{ route }] : []
    const version = versions.get(remote)
    return version === undefined ? [] : [{ route, remote, version }]
  })
}

async function problemOf(
  browser: Browser,
  origin: string,
  visit: Visit,
  patience: number,
): Promise<Problem | null> {
  const tab = await browser.open()
  const errors = await listenForErrors(tab)
  // The shell's cookie for a token on plain http: without it, a protected route redirects to /login.
  await tab.call('Network.setCookie', { name: 'anniversary-token', value: 'smoke', url: origin })
  await tab.call('Page.navigate', { url: `${origin}${visit.route}` })
  const found = await watch(tab, visit, errors, patience)
  if (!found) return null
  return {
    rule: 'smoke',
    about: visit.remote ?? HOST_NAME,
    found: `in a browser, ${visit.route} ${found}`,
    todo: 'Open the build in its harness or in `npm start` and look at the console',
  }
}

/** What is wrong with the page; null once it shows without errors. */
async function watch(
  tab: Tab,
  { remote, version }: Visit,
  errors: readonly string[],
  patience: number,
): Promise<string | null> {
  const giveUpAt = Date.now() + patience
  const failed = () => (errors.length > 0 ? `reports: ${errors[0]}` : null)
  const expression = remote ? `${marks(remote)}.at(-1)` : 'document.readyState'
  while (Date.now() < giveUpAt) {
    // A page in an endless loop never answers.
    const shown = await Promise.race([
      evaluate(tab, expression),
      sleep(giveUpAt - Date.now(), undefined, { ref: false }),
    ])
    if (remote ? shown !== undefined : shown === 'complete') {
      await sleep(AFTERWARDS)
      if (version !== undefined && shown !== version) return `shows ${shown} in place of ${version}`
      return failed()
    }
    if (errors.length > 0) return failed()
    await sleep(30)
  }
  return failed() ?? `does not show ${remote ?? 'the shell'} within ${patience / 1000} s`
}

/** Expression for the versions of a remote that the shell has shown; RemotePage of the shell sets these marks. */
const marks = (remote: string): string =>
  `performance.getEntriesByName(${JSON.stringify(`remote:${remote}:shown`)}).map(({ detail }) => detail)`

async function evaluate(tab: Tab, expression: string): Promise<unknown> {
  // Fails while the page navigates.
  const { result } = await tab.call('Runtime.evaluate', { expression }).catch(() => ({ result: undefined }))
  return valueAt(result, 'value')
}

/** Collects exceptions, `console.error`, and what the browser logs as errors: hashes, policy, missing files. */
async function listenForErrors(tab: Tab): Promise<string[]> {
  const errors: string[] = []
  const add = (...texts: unknown[]) => errors.push(texts.filter(Boolean).join(' ').split('\n')[0] ?? '')
  tab.on('Runtime.exceptionThrown', (params) =>
    add(valueAt(params, 'exceptionDetails', 'exception', 'description')),
  )
  tab.on('Runtime.consoleAPICalled', (params) => {
    if (params.type === 'error')
      add(valueAt(params, 'args', '0', 'value') ?? valueAt(params, 'args', '0', 'description'))
  })
  tab.on('Log.entryAdded', ({ entry }) => {
    if (valueAt(entry, 'level') === 'error') add(valueAt(entry, 'text'), valueAt(entry, 'url'))
  })
  for (const domain of ['Runtime', 'Log', 'Page', 'Network']) await tab.call(`${domain}.enable`)
  return errors
}

const valueAt = (value: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>(
    (at, key) => (typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined),
    value,
  )
