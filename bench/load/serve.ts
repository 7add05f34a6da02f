import { execFileSync } from 'node:child_process'
import { createHash, X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { request as ask } from 'node:http'
import { createSecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { isPathOfApi } from '@anniversary/api'
import { type Handler, serveSite, siteHandler } from '@anniversary/deploy/serve/server'
import { POINTER_PATH } from '@anniversary/deploy/site/record'
import { CACHE } from '@anniversary/deploy/target/compress'
import { FileTarget } from '@anniversary/deploy/target/file-target'

/** A certificate for this run, and its key, in one text. */
const PEM = execFileSync(
  'openssl',
  'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost -keyout - -out -'.split(
    ' ',
  ),
  { stdio: ['ignore', 'pipe', 'ignore'], encoding: 'utf8' },
)
const publicKey = new X509Certificate(PEM).publicKey.export({ type: 'spki', format: 'der' })

/**
 * Lets Chromium trust this certificate. With `ignoreHTTPSErrors` it would cache
 * nothing.
 */
export const TRUST_ARG = `--ignore-certificate-errors-spki-list=${createHash('sha256').update(publicKey).digest('base64')}`

/** Serves over HTTP/2 and TLS, as the proxy in front of a site does. */
export async function serve(handler: Handler) {
  // HTTP/2 requests and responses have everything that a handler uses.
  const server = createSecureServer({ key: PEM, cert: PEM }, handler as never)
  await new Promise<void>((ready) => server.listen(0, 'localhost', ready))
  const { port } = server.address() as AddressInfo // a TCP server's address is never a string
  return { url: `https://localhost:${port}`, close: () => server.close() }
}

/**
 * Headers of a site that `deploy` did not write: hashed names are immutable,
 * everything else is revalidated.
 */
const PLAIN_RULES = [
  {
    name: 'hashed',
    pattern: '\\.[0-9a-f]{8}\\.[a-z0-9]+$',
    headers: { 'cache-control': CACHE.immutable },
  },
  { name: 'other', pattern: '', headers: { 'cache-control': CACHE.fresh } },
]

/**
 * The site in a folder, with the deploy server's headers and compression, and
 * the API of a stack behind it.
 */
export function siteIn(folder: string, stackUrl: string): Handler {
  const target = new FileTarget(folder)
  const isPublished = existsSync(join(folder, POINTER_PATH))
  const files = isPublished ? siteHandler(target) : serveSite(target, async () => PLAIN_RULES)
  const api = proxyTo(stackUrl)
  return (request, response) => (isPathOfApi(request.url ?? '/') ? api : files)(request, response)
}

/** Headers of one connection, which HTTP/2 rejects, and its pseudo headers. */
const OF_CONNECTION = /^(:.*|connection|keep-alive|transfer-encoding|host)$/
const forwardable = (headers: NodeJS.Dict<string | string[]>) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !OF_CONNECTION.test(name)))

export const proxyTo =
  (url: string): Handler =>
  (request, response) => {
    const headers = { ...forwardable(request.headers), 'x-forwarded-proto': 'https' }
    const forwarded = ask(`${url}${request.url}`, { method: request.method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, forwardable(answer.headers))
      answer.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    request.pipe(forwarded)
  }
