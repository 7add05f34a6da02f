import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Composition } from '@anniversary/shared/contract/composition'
import { errorMessage } from '@anniversary/shared/error-message'
import type { DevServerMiddlewareHandler } from '@rspack/core'
import { routesIn } from '../packages.ts'
import { isSitePage, overridePage } from './override-page.ts'
import { developmentPolicy } from './policy.ts'

const CSP = 'content-security-policy'

/** Pages of a deployed site with one remote taken from this dev server; everything else is for a proxy. */
export function deployedSite(site: URL, remote: string, folder: string): DevServerMiddlewareHandler {
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<boolean> {
    if (request.method !== 'GET' || !request.headers.accept?.includes('text/html')) return false

    const headers = { accept: 'text/html', cookie: request.headers.cookie ?? '' }
    const page = await ask(new URL(request.url ?? '/', site), { headers, redirect: 'manual' })
    const html = await page.text()
    if (!isSitePage(html)) return false
    response.writeHead(page.status, {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      [CSP]: developmentPolicy(page.headers.get(CSP) ?? ''),
    })
    response.end(overridePage(html, await compositionOf(site), remote, routesIn(folder)))
    return true
  }

  return (request, response, next) => {
    answer(request, response).then(
      (answered) => answered || next(),
      (error: unknown) => {
        response
          .writeHead(502, { 'content-type': 'text/plain; charset=utf-8' })
          .end(`${errorMessage(error)}\n`)
      },
    )
  }
}

const ask = (url: URL, init?: RequestInit): Promise<Response> =>
  fetch(url, init).catch((error: Error) => {
    throw new Error(`${url.origin} does not answer: ${error.cause ?? error.message}`)
  })

const compositionOf = async (site: URL): Promise<Composition> =>
  (await (await ask(new URL('/composition.json', site))).json()) as Composition // `deploy` wrote it
