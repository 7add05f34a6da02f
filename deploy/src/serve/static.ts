import type { IncomingMessage, ServerResponse } from 'node:http'
import { ENCODINGS } from '../site/compress.ts'
import { PREVIEW_SEGMENT } from '../site/preview.ts'
import { typeOf } from '../target/content-type.ts'
import { sha256, type Target } from '../target/target.ts'
import { texts } from '../texts.ts'
import { type HeaderRule, HTTPS_HEADERS, headersFor } from './headers.ts'

type Readable = Pick<Target, 'read'>

/**
 * Serves a site's files as nginx does with our template. Reads each file whole and once, so that length, hash and bytes
 * of an answer belong to one version while a deploy replaces files. No library: the usual ones stat a file, then open
 * it, and answer with the old length and the new bytes when a deploy gets in between.
 *
 * @param rules the current headers, which depend on the site's configuration
 */
export const serveSite =
  (target: Readable, rules: () => Promise<readonly HeaderRule[]>) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.setHeader('allow', 'GET, HEAD')
      return plain(request, response, 405, texts.methodNotAllowed)
    }
    const path = sitePath(request.url ?? '/')
    if (path === null) return plain(request, response, 400, texts.badRequest)
    const found = isHidden(path) ? null : await find(target, path, accepted(request))
    if (!found) return plain(request, response, 404, texts.notFound)
    const headers: Record<string, string> = {
      ...headersFor(await rules(), `/${found.path}`),
      ...(isHttps(request) ? HTTPS_HEADERS : {}),
      'content-type': typeOf(found.path),
      etag: `"${sha256(found.bytes).slice(0, 32)}"`,
      vary: 'Accept-Encoding',
    }
    if (found.encoding) headers['content-encoding'] = found.encoding
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value)
    if (isUnchanged(request, headers.etag)) {
      response.removeHeader('content-type')
      response.removeHeader('content-encoding')
      response.writeHead(304).end()
      return
    }
    response.setHeader('content-length', found.bytes.length)
    response.writeHead(200).end(request.method === 'HEAD' ? undefined : found.bytes)
  }

/** Path in the site for a request's URL, without a leading slash; null when the URL is malformed. */
function sitePath(url: string): string | null {
  try {
    const decoded = decodeURIComponent(url.replace(/[?#].*$/s, ''))
    if (/[\0\\]/.test(decoded) || !decoded.startsWith('/')) return null
    const segments = decoded.split('/').filter((segment) => segment !== '' && segment !== '.')
    return segments.includes('..') ? null : segments.join('/')
  } catch {
    return null
  }
}

/** Not public: deploy's own files, and past records, which name their authors. */
const isHidden = (path: string): boolean =>
  /(^|\/)\.(?!well-known\/)/.test(path) || path.startsWith('compositions/')

interface Found {
  readonly path: string
  readonly bytes: Buffer
  readonly encoding?: string
}

/** A path without an ending is a route. An unknown one gets the first page, whose router decides; in a preview, none. */
async function find(target: Readable, path: string, encodings: readonly string[]): Promise<Found | null> {
  if (/\.[^/]+$/.test(path)) return await read(target, path, encodings)
  const page = path === '' ? 'index.html' : `${path}/index.html`
  const found = await read(target, page, encodings)
  if (found || path.startsWith(`${PREVIEW_SEGMENT}/`)) return found
  return await read(target, 'index.html', encodings)
}

async function read(target: Readable, path: string, encodings: readonly string[]): Promise<Found | null> {
  for (const { name, ending } of ENCODINGS) {
    const bytes = encodings.includes(name) ? await target.read(`${path}${ending}`) : null
    if (bytes) return { path, bytes, encoding: name }
  }
  const bytes = await target.read(path)
  return bytes && { path, bytes }
}

/** Encodings that the browser accepts; `q=0` rejects one. */
const accepted = (request: IncomingMessage): string[] =>
  String(request.headers['accept-encoding'] ?? '')
    .split(',')
    .map((item) => item.trim().toLowerCase())
    .filter((item) => !/;\s*q=0(\.0*)?$/.test(item))
    .map((item) => item.replace(/\s*;.*$/, ''))

const isUnchanged = (request: IncomingMessage, etag: string | undefined): boolean =>
  String(request.headers['if-none-match'] ?? '')
    .split(',')
    .map((item) => item.trim().replace(/^W\//, ''))
    .some((item) => item === '*' || item === etag)

/** As the proxy that ends TLS says. */
const isHttps = (request: IncomingMessage): boolean => request.headers['x-forwarded-proto'] === 'https'

/** Not cached: the next deploy may bring a missing chunk. */
export function plain(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  text: string,
): void {
  const bytes = Buffer.from(`${text}\n`)
  response.writeHead(status, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': bytes.length,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  response.end(request.method === 'HEAD' ? undefined : bytes)
}
