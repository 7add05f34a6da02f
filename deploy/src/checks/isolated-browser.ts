import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { Browser, Route } from 'playwright-core'
import { createRejection } from '../rejected.ts'
import { type Handler, listenForRequests } from '../serve/server.ts'
import { answerApi } from './typical-answers.ts'
import { networkWaysOut, type SiteBrowser } from './ways-out.ts'

const WITHOUT_NETWORK = join(import.meta.dirname, 'chromium-without-network')

interface IsolatedBrowser extends SiteBrowser {
  close(): Promise<void>
}

/**
 * Opens a browser without a network: the driver's pipe carries all requests.
 * @param isForeign pages of a caller
 * @throws Rejected when these would get no sandbox or proven isolation
 */
export async function openBrowser(path: string, isForeign: boolean) {
  const isRoot = process.getuid?.() === 0
  // The rest of the environment has keys.
  const { PATH = '' } = process.env
  const env = { PATH, ...(isRoot && isForeign && { AS_NOBODY: '1' }) }
  const fault = namespaceFault(env)
  if (fault && isForeign)
    throw createRejection(
      'smoke',
      'the deploy server',
      `its browser cannot run without a network here (${fault})`,
      'Let its user make user and network namespaces (`unshare -cn true`)',
    )

  const sites = new Map<string, Handler>()
  const server = await listenForRequests('127.0.0.1', 0)
  server.open((request, response) => {
    // Pages may use other origins, and Chromium logs a failed request as an error.
    const site = sites.get(String(request.headers[ORIGIN])) ?? answerApi
    site(request, response)
  })
  const { warnings, ...way } = wayToStart(path, fault)
  const browser = await launch({
    ...way,
    env: { ...env, CHROMIUM: path },
    // As root, usual in build containers, or without namespaces, Chromium has no sandbox.
    chromiumSandbox: isForeign || (!isRoot && !fault),
  }).catch(async (error: unknown) => {
    await server.close()
    throw error
  })

  const isolated: IsolatedBrowser = {
    serve(handler) {
      const origin = `http://site-${sites.size}.localhost`
      sites.set(origin, handler)
      return origin
    },
    async openPage() {
      const context = await browser.newContext()
      await context.route('**/*', (route) => answer(route, server.port))
      return await context.newPage()
    },
    async close() {
      // An open server would keep this process from ending.
      await Promise.allSettled([browser.close(), server.close()])
    },
  }
  if (isForeign) await proveIsolation(isolated)
  return { ...isolated, warnings }
}

function wayToStart(path: string, fault: string | undefined) {
  if (!fault) return { executablePath: WITHOUT_NETWORK, args: [], warnings: [] }
  const warnings = [`the browser of the smoke test has a network (${fault})`]
  return { executablePath: path, args: FLAGS, warnings }
}

/** @throws Rejected when a page reaches this machine */
export async function proveIsolation(isolated: IsolatedBrowser, patience?: number): Promise<void> {
  const found = await networkWaysOut(isolated, patience).catch(async (error: unknown) => {
    await isolated.close()
    throw error
  })
  if (found.length === 0) return
  await isolated.close()
  throw createRejection(
    'smoke',
    'the deploy server',
    `its browser reaches this machine by ${found.join(', ')}, so it judges no code of others`,
    'Install another version of Chromium, and tell whoever runs the server',
  )
}

function namespaceFault(env: NodeJS.ProcessEnv): string | undefined {
  const { status, stderr, error } = spawnSync(WITHOUT_NETWORK, [], {
    env: { ...env, CHROMIUM: 'true' },
    encoding: 'utf8',
  })
  if (status === 0) return undefined
  return (stderr || String(error)).trim()
}

/**
 * Stops most requests of a browser that has a network. Debian's two Chromium
 * packages know one WebRTC flag each.
 */
const FLAGS = [
  '--proxy-server=http://127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--webrtc-ip-handling-policy=disable_non_proxied_udp',
]

const ORIGIN = 'x-origin'
/** Hop-by-hop headers, and those of a body that passes decoded. */
const OF_CONNECTION =
  /^(:.*|host|connection|keep-alive|transfer-encoding|content-length|accept-encoding|content-encoding)$/

const passed = (headers: Iterable<[string, string]>): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !OF_CONNECTION.test(name)))

/** A page that left takes no answer. */
async function answer(route: Route, port: number): Promise<void> {
  const request = route.request()
  const { origin, pathname, search } = new URL(request.url())
  const body = request.postDataBuffer()
  try {
    const headers = passed(Object.entries(await request.allHeaders()))
    const response = await fetch(`http://127.0.0.1:${port}${pathname}${search}`, {
      method: request.method(),
      headers: { ...headers, [ORIGIN]: origin },
      ...(body && { body: new Uint8Array(body) }),
      redirect: 'manual',
    })
    await route.fulfill({
      status: response.status,
      headers: passed(response.headers),
      body: Buffer.from(await response.arrayBuffer()),
    })
  } catch {
    await route.abort().catch(() => undefined)
  }
}

async function launch(
  options: Parameters<typeof import('playwright-core')['chromium']['launch']>[0],
): Promise<Browser> {
  // Other commands need no browser. `require` is fast under tsx, but untyped.
  const { chromium } = createRequire(import.meta.url)(
    'playwright-core',
  ) as typeof import('playwright-core')
  return await chromium.launch(options)
}
