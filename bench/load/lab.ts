import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Handler } from '@anniversary/deploy/serve/server'
import { launchChromium } from '@anniversary/e2e/browser'
import { type Account, enter } from '@anniversary/e2e/members'
import { ROOT, spawnStack } from '@anniversary/e2e/stack'
import { buildCommands } from '@anniversary/e2e/variant'
import { COOKIES } from '@anniversary/shared/contract/page-names'
import { errorMessage } from '@anniversary/shared/error-message'
import type { BrowserContext } from '@playwright/test'
import { type Load, type LoadOptions, measureLoad } from './measure.ts'
import { proxyTo, serve, siteIn, TRUST_ARG } from './serve.ts'

interface Screen {
  /** Selector of an element that shows when the page is there. */
  readonly until: string
  readonly account?: Account
}

export const PATHS = ['/', '/megalive', '/login', '/check', '/home', '/histories'] as const
export type Path = (typeof PATHS)[number]

const SCREENS: Readonly<Record<Path, Screen>> = {
  '/': { until: 'nav a img' },
  // First in the HTML, then in the embed.
  '/megalive': { until: 'main section > div, mega-live' },
  '/login': { until: 'form input' },
  '/check': { until: 'form input' },
  '/home': { until: 'main li button', account: 'demo01' },
  '/histories': { until: 'main table', account: 'demo03' },
}

/**
 * Whether the page's content comes from the API, so that it never shows without
 * code.
 */
export const needsCode = (path: Path): boolean => SCREENS[path].account !== undefined

export const FOLDER = join(ROOT, '.cache/bench')
export const FEDERATED = join(FOLDER, 'federated')

/** Starts a browser, and servers whose pages it loads. */
async function openLab(closing: (() => unknown)[]) {
  const launch = () => launchChromium({ whole: true, args: [TRUST_ARG] })
  let browser = await launch()
  closing.push(() => browser.close())
  // Earlier releases would be in the composition.
  rmSync(FEDERATED, { recursive: true, force: true })
  mkdirSync(FOLDER, { recursive: true })
  await buildCommands()
  const stack = await spawnStack(join(FOLDER, 'data'), FEDERATED, {})
  closing.push(stack.stop)
  /** Of other checkouts, by the URL of their pages. */
  const apis = new Map<string, string>()
  async function open(handler: Parameters<typeof serve>[0]): Promise<string> {
    const { url, close } = await serve(handler)
    closing.push(close)
    return url
  }

  /**
   * Saves a session as the shell does over https
   * (shell/src/session/session-store.ts).
   */
  async function logIn(context: BrowserContext, url: string, path: Path): Promise<void> {
    const { account } = SCREENS[path]
    if (!account) return
    const cookies = {
      [COOKIES.token]: await enter(context, apis.get(url) ?? stack.url, account),
      [COOKIES.username]: account,
    }
    await context.addCookies(
      Object.entries(cookies).map(([name, value]) => ({
        name: COOKIES.securePrefix + name,
        value,
        url,
      })),
    )
  }

  async function load(url: string, path: Path, options: Partial<LoadOptions> = {}): Promise<Load> {
    if (!browser.isConnected()) browser = await launch()
    return await measureLoad(browser, `${url}${path}`, {
      until: SCREENS[path].until,
      ...options,
      async prepare(context) {
        await logIn(context, url, path)
        await options.prepare?.(context)
      },
    })
  }

  return {
    load,
    /** This checkout's, as its own server serves it. */
    openOwn: () => open(proxyTo(stack.url)),
    newContext: () => browser.newContext(),
    openSite: (folder: string, around = (site: Handler): Handler => site) =>
      open(around(siteIn(folder, stack.url))),
    /**
     * Loads /login for the second time: the first visit was before a release,
     * and its files are in the cache.
     */
    async secondVisit(before: string, after: string): Promise<() => Promise<Load>> {
      const [old, released] = [siteIn(before, stack.url), siteIn(after, stack.url)]
      let site = old
      const url = await open((request, response) => site(request, response))
      const prepare = async (context: BrowserContext) => {
        site = old
        const page = await context.newPage()
        await page.goto(`${url}/login`, { waitUntil: 'networkidle' })
        await page.close()
        site = released
      }
      return () => load(url, '/login', { prepare })
    },
    /** The site, API and server of another checkout. */
    async openCheckout(root: string): Promise<string> {
      const folder = join(root, '.cache/bench')
      mkdirSync(folder, { recursive: true })
      const { url, stop } = await spawnStack(join(folder, 'data'), join(folder, 'site'), {}, root)
      closing.push(stop)
      const pages = await open(proxyTo(url))
      apis.set(pages, url)
      return pages
    },
  }
}

export type Lab = Awaited<ReturnType<typeof openLab>>

/** Runs `work` in a lab. A failure is printed as one sentence. */
export async function inLab(work: (lab: Lab) => Promise<void>): Promise<void> {
  const closing: (() => unknown)[] = []
  try {
    await work(await openLab(closing))
  } catch (error) {
    console.error(errorMessage(error))
    process.exitCode = 1
  }
  for (const close of closing.reverse()) await close()
}
