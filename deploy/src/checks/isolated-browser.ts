import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { type Handler, listen } from '../serve/server.ts'

const AS_NOBODY = join(import.meta.dirname, 'chromium-as-nobody')

/**
 * Opens a browser that reaches the sites that it is given and nothing else: each request, also to loopback and to
 * link-local addresses, goes to a proxy that knows these sites alone.
 * @param isForeign the pages are those of a caller, so the browser has its sandbox in any case
 */
export async function openBrowser(executablePath: string, isForeign: boolean) {
  const sites = new Map<string, Handler>()
  const proxy = await listen('127.0.0.1', 0)
  proxy.open((request, response) => {
    const url = URL.canParse(request.url ?? '') ? new URL(request.url ?? '') : null
    const site = url && sites.get(url.origin)
    if (!site) return response.writeHead(403).end()
    request.url = url.pathname + url.search
    site(request, response)
  })
  const isRoot = process.getuid?.() === 0
  const browser = await launch(executablePath, {
    asNobody: isRoot && isForeign,
    // As root, as in most build containers, Chromium has no sandbox. There the pages are the user's own.
    chromiumSandbox: !isRoot || isForeign,
    args: [
      `--proxy-server=http://127.0.0.1:${proxy.port}`,
      '--proxy-bypass-list=<-loopback>',
      '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    ],
  }).catch(async (error: unknown) => {
    await proxy.close()
    throw error
  })
  return {
    browser,
    /** Adds a site. @returns its origin */
    serve(handler: Handler): string {
      const origin = `http://site-${sites.size}.localhost`
      sites.set(origin, handler)
      return origin
    },
    async close(): Promise<void> {
      // An open server would keep this process from ending.
      await Promise.allSettled([browser.close(), proxy.close()])
    },
  }
}

interface Launch {
  readonly asNobody: boolean
  readonly chromiumSandbox: boolean
  readonly args: string[]
}

async function launch(path: string, { asNobody, ...options }: Launch): Promise<Browser> {
  // Loaded here, since other commands need no browser; by `require`, which tsx's hooks do not slow down, but which knows no types.
  const { chromium } = createRequire(import.meta.url)(
    'playwright-core',
  ) as typeof import('playwright-core')
  // The environment of this process has keys, which the browser does not get.
  const env = { PATH: process.env.PATH ?? '', CHROMIUM: path }
  return await chromium.launch({ ...options, env, executablePath: asNobody ? AS_NOBODY : path })
}
