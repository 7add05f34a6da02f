import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { errorMessage } from '@anniversary/shared/error-message'
import type { DevServerMiddlewareHandler } from '@rspack/core'
import { DEV_PATH, isSitePage, overridePage, withBanner } from './override-page.ts'
import { developmentPolicy } from './policy.ts'

const SWITCH_COOKIE = 'dev-override'
const CSP = 'content-security-policy'

/**
 * Pages of a deployed site with one remote taken from this dev server; everything else, `/api` included, is for a proxy.
 * @param site origin of the deployed site
 */
export const deployedSite =
  (site: URL, remote: string): DevServerMiddlewareHandler =>
  (request, response, next) => {
    answer(site, remote, request, response).then(
      (answered) => answered || next(),
      (error: unknown) => {
        response
          .writeHead(502, { 'content-type': 'text/plain; charset=utf-8' })
          .end(`${errorMessage(error)}\n`)
      },
    )
  }

/** @returns false for what is not a page */
async function answer(
  site: URL,
  remote: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const { pathname, searchParams } = new URL(request.url ?? '/', site)
  if (pathname === `${DEV_PATH}banner.js`) {
    const script = await readFile(join(import.meta.dirname, 'banner.js'))
    response.writeHead(200, { 'content-type': 'text/javascript', 'cache-control': 'no-store' }).end(script)
    return true
  }
  if (pathname === `${DEV_PATH}use`) {
    const version = searchParams.get('version') === 'deployed' ? 'deployed' : 'local'
    const cookie = `${SWITCH_COOKIE}=${version}; Path=/; SameSite=Strict`
    const location = sameSitePath(request.headers.referer) ?? '/'
    response.writeHead(303, { location, 'set-cookie': cookie, 'cache-control': 'no-store' }).end()
    return true
  }
  if (request.method !== 'GET' || !request.headers.accept?.includes('text/html')) return false

  const page = await fetch(new URL(request.url ?? '/', site), {
    headers: { accept: 'text/html', cookie: request.headers.cookie ?? '' },
    redirect: 'manual',
  }).catch((error: Error) => {
    throw new Error(`${site.origin} does not answer: ${error.cause ?? error.message}`)
  })
  const html = await page.text()
  if (!isSitePage(html)) return false
  const local = !request.headers.cookie?.includes(`${SWITCH_COOKIE}=deployed`)
  response.writeHead(page.status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    [CSP]: developmentPolicy(page.headers.get(CSP) ?? ''),
  })
  response.end(withBanner(local ? overridePage(html, remote) : html, remote, site.host, local))
  return true
}

/** The path of a referring page; its origin is dropped, so it cannot lead elsewhere. */
function sameSitePath(referer: string | undefined): string | undefined {
  return referer && URL.canParse(referer) ? new URL(referer).pathname.replace(/^\/+/, '/') : undefined
}
