import { readFile } from 'node:fs/promises'
import {
  createServer,
  type IncomingMessage,
  request as requestHttp,
  type Server,
  type ServerResponse,
} from 'node:http'
import { request as requestHttps } from 'node:https'
import { join } from 'node:path'
import {
  DEV_PATH,
  isSitePage,
  type Override,
  overridePage,
  overridePolicy,
  withBanner,
} from './override-page.ts'

const SWITCH_COOKIE = 'dev-override'
const CSP = 'content-security-policy'

/**
 * A local server that shows a deployed site with one remote from a dev server: pages are rewritten on their way,
 * everything else, `/api` included, is passed through.
 *
 * @param site origin of the deployed site
 */
export function createFront(site: URL, override: Override): Server {
  return createServer((request, response) => {
    answer(site, override, request, response).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : String(error)
      response.writeHead(502, { 'content-type': 'text/plain; charset=utf-8' }).end(`${why}\n`)
    })
  })
}

async function answer(site: URL, override: Override, request: IncomingMessage, response: ServerResponse) {
  const url = new URL(request.url ?? '/', 'http://front')
  if (url.pathname === `${DEV_PATH}banner.js`) {
    const script = await readFile(join(import.meta.dirname, 'banner.js'))
    response
      .writeHead(200, { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-store' })
      .end(script)
    return
  }
  if (url.pathname === `${DEV_PATH}use`) {
    const local = url.searchParams.get('version') !== 'deployed'
    response
      .writeHead(303, {
        location: sameSitePath(request.headers.referer) ?? '/',
        'set-cookie': `${SWITCH_COOKIE}=${local ? 'local' : 'deployed'}; Path=/; SameSite=Strict`,
        'cache-control': 'no-store',
      })
      .end()
    return
  }
  const upstream = await ask(site, request)
  const type = upstream.headers['content-type'] ?? ''
  const headers = { ...upstream.headers }
  // The front speaks http on the loopback.
  delete headers['strict-transport-security']
  if (!type.startsWith('text/html')) {
    response.writeHead(upstream.statusCode ?? 502, headers)
    upstream.pipe(response)
    return
  }
  const html = await text(upstream)
  const local = !/(^|; )dev-override=deployed(;|$)/.test(request.headers.cookie ?? '')
  const isPage = isSitePage(html)
  const shown = !isPage
    ? html
    : withBanner(local ? overridePage(html, override) : html, override, site.host, local)
  const policy = headers[CSP]
  // The banner asks the dev server how it is, also while the deployed remote shows.
  if (isPage && typeof policy === 'string') headers[CSP] = overridePolicy(policy, override)
  for (const name of ['content-length', 'content-encoding', 'etag', 'last-modified', 'transfer-encoding'])
    delete headers[name]
  response.writeHead(upstream.statusCode ?? 502, { ...headers, 'cache-control': 'no-store' }).end(shown)
}

/** The path of a referring page; its origin is dropped, so it cannot lead elsewhere. */
function sameSitePath(referer: string | undefined): string | undefined {
  return referer && URL.canParse(referer) ? new URL(referer).pathname.replace(/^\/+/, '/') : undefined
}

/** Passes a request on to the site, which is asked for plain text so that pages can be rewritten. */
function ask(site: URL, request: IncomingMessage): Promise<IncomingMessage> {
  const target = new URL(request.url ?? '/', site)
  const send = site.protocol === 'https:' ? requestHttps : requestHttp
  const {
    host: _host,
    'accept-encoding': _encoding,
    'if-none-match': _etag,
    connection: _connection,
    ...headers
  } = request.headers
  return new Promise((resolve, reject) => {
    const passed = send(target, { method: request.method, headers: { ...headers, host: site.host } }, resolve)
    passed.on('error', (error) => reject(new Error(`${site.origin} does not answer: ${error.message}`)))
    request.pipe(passed)
  })
}

async function text(stream: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}
