import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { enter, TOKEN_COOKIE, USERNAME_COOKIE } from '@anniversary/e2e/member-test'
import { ROOT, spawnStack } from '@anniversary/e2e/stack'
import { launchWhole } from '@anniversary/tools/test/browser'
import type { Browser, BrowserContext } from '@playwright/test'
import { type Load, type LoadOptions, measureLoad } from './measure.ts'
import { type Path, SCREENS } from './screens.ts'
import { proxyTo, serve, siteIn, TRUST_ARG } from './serve.ts'

/** Folder of what the benchmarks of loads publish and serve. */
export const FOLDER = join(ROOT, '.cache/bench')
/** The site of this checkout. */
export const FEDERATED = join(FOLDER, 'federated')

/** A browser, and servers whose pages it loads; the API is that of this checkout. */
interface Lab {
  readonly browser: Browser
  /** Serves the site in a folder; `swap` puts another one in its place, at the same URL. */
  openSite(folder: string): Promise<{ readonly url: string; swap(folder: string): void }>
  /** Starts another checkout and serves what it serves; resolves with its URL. */
  openCheckout(root: string): Promise<string>
  /** Loads one of the screens, logged in where it is protected. */
  load(url: string, path: Path, options?: Partial<LoadOptions>): Promise<Load>
  close(): Promise<void>
}

/** @param http1 serves over HTTP/1.1 instead of HTTP/2 */
export async function openLab(http1 = false): Promise<Lab> {
  // As after a first publish: earlier ones would be in its composition.
  rmSync(FEDERATED, { recursive: true, force: true })
  const stack = await spawnStack(join(FOLDER, 'data'), FEDERATED, {})
  const browser = await launchWhole({ args: [TRUST_ARG] })
  const closing: (() => unknown)[] = [stack.stop, () => browser.close()]
  const open = async (handler: Parameters<typeof serve>[0]) => {
    const { url, close } = await serve(handler, http1)
    closing.push(close)
    return url
  }

  const tokens = new Map<string, Promise<string>>()
  /** Saves a session as the shell does over https (shell/src/session/session-cookies.ts). */
  async function logIn(context: BrowserContext, url: string, path: Path): Promise<void> {
    const { account } = SCREENS[path]
    if (!account) return
    const token = tokens.get(account) ?? enter(context, stack.url, account)
    tokens.set(account, token)
    const cookies = { [TOKEN_COOKIE]: await token, [USERNAME_COOKIE]: account }
    await context.addCookies(
      Object.entries(cookies).map(([name, value]) => ({ name: `__Host-${name}`, value, url })),
    )
  }

  return {
    browser,
    async openSite(folder) {
      let handler = siteIn(folder, stack.url)
      return {
        url: await open((request, response) => handler(request, response)),
        swap(other) {
          handler = siteIn(other, stack.url)
        },
      }
    },
    async openCheckout(root) {
      const { url, stop } = await spawnStack(
        join(root, '.cache/bench/data'),
        join(root, '.cache/bench/site'),
        {},
        root,
      )
      closing.push(stop)
      return await open(proxyTo(url))
    },
    load: (url, path, options = {}) =>
      measureLoad(browser, `${url}${path}`, {
        until: SCREENS[path].until,
        ...options,
        async prepare(context) {
          await logIn(context, url, path)
          await options.prepare?.(context)
        },
      }),
    async close() {
      for (const close of closing.reverse()) await close()
    },
  }
}
