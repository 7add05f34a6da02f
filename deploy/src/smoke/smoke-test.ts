import { setTimeout as sleep } from 'node:timers/promises'
import type { HostBuild } from '@anniversary/shared/contract/composition'
import type { Candidate } from '../build-dir.ts'
import { applyChange } from '../change.ts'
import type { Problem } from '../problem.ts'
import { type PublishOptions, publishPlan, upload } from '../publish.ts'
import { listen, siteHandler } from '../server.ts'
import { HOST_NAME, publishedBuilds } from '../site.ts'
import { OverlayTarget } from '../target/overlay-target.ts'
import type { Target } from '../target/target.ts'
import { answerApi, isApiPath } from './answers.ts'
import { type Browser, launch, type Tab } from './browser.ts'
import { findBrowser } from './find-browser.ts'

export interface SmokeResult {
  readonly problems: readonly Problem[]
  /** Why nothing was tested, if so. */
  readonly skipped?: string
  readonly routes: readonly string[]
}

/** Milliseconds in which a page that stands may still fail. */
const AFTERWARDS = 300

/**
 * Loads the site as it would be in a real browser: each route that the candidates touch, with the headers, hashes and
 * policy of the real site and a typical answer to each API call. Nothing is written to the target.
 * @param patience milliseconds that a page may take; the shell's loader gives up a remote after ten seconds
 */
export async function smokeTest(
  target: Target,
  candidates: readonly Candidate[],
  options: PublishOptions,
  patience = 15_000,
): Promise<SmokeResult> {
  const path = findBrowser()
  if (!path) return { problems: [], skipped: 'no Chromium found (CHROMIUM_PATH names one)', routes: [] }
  const site = new OverlayTarget(target)
  await Promise.all(candidates.map((candidate) => upload(site, candidate)))
  const { record } = await applyChange(site, publishPlan(candidates, options))
  const host = await publishedBuilds(site).host(record.shell.version)
  const visits = visitsOf(host, candidates)
  if (visits.length === 0) return { problems: [], skipped: 'no route of the shell shows it yet', routes: [] }

  const server = await listen('127.0.0.1', 0)
  const serveFiles = siteHandler(site)
  server.open((request, response) =>
    isApiPath(request.url ?? '') ? answerApi(request, response) : serveFiles(request, response),
  )
  const browser = await launch(path)
  try {
    const origin = `http://127.0.0.1:${server.port}`
    const problems = await Promise.all(visits.map((visit) => problemOf(browser, origin, visit, patience)))
    return { problems: problems.filter((p) => p !== null), routes: visits.map(({ route }) => route) }
  } finally {
    await browser.close()
    await server.close()
  }
}

interface Visit {
  readonly route: string
  /** Absent: a screen of the shell itself. */
  readonly remote?: string
  /** Known for the candidates; a page that shows another has fallen back to it. */
  readonly version?: string
}

/** All routes for a shell; for a remote those that show it. */
function visitsOf(host: HostBuild, candidates: readonly Candidate[]): Visit[] {
  const versions = new Map(candidates.map(({ build, version }) => [build.name, version]))
  return Object.entries(host.routes).flatMap(([route, { remote }]) => {
    if (remote === undefined) return versions.has(HOST_NAME) ? [{ route }] : []
    const version = versions.get(remote)
    if (version !== undefined) return [{ route, remote, version }]
    return []
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
  // The shell's own name for a session's token on plain http: without one, a protected route goes to /login.
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

/** What is wrong, or null once the page stands. */
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
    // A page that is busy for ever never answers.
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

/** Versions of the remote whose page the shell has shown (shell: RemotePage). */
const marks = (remote: string): string =>
  `performance.getEntriesByName(${JSON.stringify(`remote:${remote}:shown`)}).map(({ detail }) => detail)`

async function evaluate(tab: Tab, expression: string): Promise<unknown> {
  // While the page navigates there is nothing to ask.
  const { result } = await tab.call('Runtime.evaluate', { expression }).catch(() => ({ result: undefined }))
  return typeof result === 'object' && result !== null && 'value' in result ? result.value : undefined
}

/** Exceptions, `console.error`, and what the browser itself complains of: hashes, policy, missing files. */
async function listenForErrors(tab: Tab): Promise<string[]> {
  const errors: string[] = []
  const add = (text: unknown) => errors.push(String(text).split('\n')[0] ?? '')
  tab.on('Runtime.exceptionThrown', (params) =>
    add(textAt(params, 'exceptionDetails', 'exception', 'description')),
  )
  tab.on('Runtime.consoleAPICalled', (params) => {
    if (params.type === 'error')
      add(textAt(params, 'args', '0', 'value') || textAt(params, 'args', '0', 'description'))
  })
  tab.on('Log.entryAdded', (params) => {
    if (textAt(params, 'entry', 'level') !== 'error') return
    add([textAt(params, 'entry', 'text'), textAt(params, 'entry', 'url')].filter(Boolean).join(' '))
  })
  for (const domain of ['Runtime', 'Log', 'Page', 'Network']) await tab.call(`${domain}.enable`)
  return errors
}

function textAt(value: unknown, ...path: string[]): string {
  let at = value
  for (const key of path) at = typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined
  return at === undefined ? '' : String(at)
}
