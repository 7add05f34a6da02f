import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { compositionSchema } from '@anniversary/shared/contract/composition'
import { publicConfigSchema } from '@anniversary/shared/contract/config'
import { pathOfPage } from '../site/page.ts'
import { PREVIEW_SEGMENT } from '../site/preview.ts'
import { POINTER_PATH } from '../site/record.ts'
import { CONFIG_PATH } from '../site/write-pages.ts'
import { brotliPath, contentTypeOf } from '../target/compress.ts'
import { readJsonFile, sha256, type Target } from '../target/target.ts'
import { pageTexts } from '../texts.ts'
import { type HeaderRule, headerRules, headersFor, httpsHeadersFor } from './headers.ts'
import { WORKER_REMOVER } from './worker-remover.ts'

export type Handler = (request: IncomingMessage, response: ServerResponse) => unknown

export type SiteServer = Awaited<ReturnType<typeof listenForRequests>>

export const answerUnavailable: Handler = (_, response) => {
  response.setHeader('retry-after', '2')
  sendPlainText(response, 503, pageTexts.unavailable)
}

/** A taken port fails before any work. Answers 503 until `open`. */
export async function listenForRequests(host: string, port: number) {
  let handler: Handler = answerUnavailable
  const server = createServer((request, response) => handler(request, response))
  // Longer than proxies keep connections, which otherwise send on a closing
  // one.
  server.keepAliveTimeout = 65_000
  // Node silently drops headers beyond a limit. Their size stays limited to 16
  // kB.
  server.maxHeadersCount = 0
  await once(server.listen(port, host), 'listening')
  return {
    // Only the address of a pipe is a string.
    port: (server.address() as AddressInfo).port,
    open(opened: Handler): void {
      handler = opened
    },
    /** Cuts answers off after `within` milliseconds. */
    async close(within = 2000): Promise<void> {
      const force = setTimeout(() => server.closeAllConnections(), within)
      await new Promise((resolve) => server.close(resolve))
      clearTimeout(force)
    },
  }
}

export function siteHandler(target: Target): Handler {
  const serve = serveSite(target, currentRules(target))
  return (request, response) => {
    serve(request, response).catch((error: unknown) => {
      console.error(error)
      if (response.headersSent) response.destroy()
      else sendPlainText(response, 500, pageTexts.failed)
    })
  }
}

/** A deploy by another process must show soon. */
function currentRules(target: Target): () => Promise<readonly HeaderRule[]> {
  let rules: Promise<readonly HeaderRule[]>
  let readAt = 0
  const read = async () =>
    headerRules(
      compositionSchema.parse(await readJsonFile(target, POINTER_PATH)),
      publicConfigSchema.parse(await readJsonFile(target, CONFIG_PATH)),
    )
  return () => {
    if (Date.now() - readAt > 1000) {
      readAt = Date.now()
      rules = read()
    }
    return rules
  }
}

/** Node sends no body in the answer to HEAD. */
export const READING_METHODS = ['GET', 'HEAD']

type Readable = Pick<Target, 'read' | 'isBucket'>

/**
 * Reads each file whole and once, so that an answer belongs to one version;
 * sirv and send stat a file, then open it.
 */
export const serveSite =
  (target: Readable, rules: () => Promise<readonly HeaderRule[]>) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { method = '', url = '/', headers: asked } = request
    if (!READING_METHODS.includes(method)) {
      response.setHeader('allow', READING_METHODS.join(', '))
      return sendPlainText(response, 405, pageTexts.methodNotAllowed)
    }
    if (asked['service-worker']) return sendWorkerRemover(response)
    const path = sitePath(url)
    if (path === null) return sendPlainText(response, 400, pageTexts.badRequest)
    const found = await find(target, path, acceptsBrotli(asked['accept-encoding']))
    if (!found) return sendPlainText(response, 404, pageTexts.notFound)
    const { file, bytes, type } = found
    const etag = `"${sha256(bytes).slice(0, 32)}"`
    const headers = {
      ...headersFor(await rules(), `/${file}`),
      ...httpsHeadersFor(request),
      etag,
      vary: 'Accept-Encoding',
    }
    if (asked['if-none-match'] === etag) response.writeHead(304, headers).end()
    else response.writeHead(200, { ...headers, ...type, 'content-length': bytes.length }).end(bytes)
  }

function sitePath(url: string): string | null {
  try {
    const decoded = decodeURIComponent(url.replace(/[?#].*$/s, ''))
    if (!/^\/[^\0\\]*$/.test(decoded)) return null
    const segments = decoded.split('/').filter((segment) => !['', '.'].includes(segment))
    if (segments.includes('..')) return null
    return segments.join('/')
  } catch {
    return null
  }
}

/** Past records name their authors. */
const isHidden = (path: string) =>
  /(^|\/)\.(?!well-known\/)/.test(path) || path.startsWith('compositions/')

const acceptsBrotli = (header = '') =>
  header.split(',').some((part) => {
    const [coding, quality = '1'] = part.trim().split(/\s*;\s*q=/i)
    return coding === 'br' && Number(quality) > 0
  })

/**
 * The first page's router decides about unknown routes; in a preview, none
 * does.
 */
function filesFor(path: string): string[] {
  if (isHidden(path)) return []
  if (/\.[^/]+$/.test(path)) return [path]
  const page = pathOfPage(`/${path}`)
  if (path.startsWith(`${PREVIEW_SEGMENT}/`)) return [page]
  return [page, 'index.html']
}

async function find(target: Readable, path: string, takesBrotli: boolean) {
  for (const file of filesFor(path)) {
    const type = { 'content-type': contentTypeOf(file) }
    const compressed = takesBrotli && !target.isBucket && (await target.read(brotliPath(file)))
    if (compressed) return { file, bytes: compressed, type: { ...type, 'content-encoding': 'br' } }
    const bytes = await target.read(file)
    if (bytes) return { file, bytes, type }
  }
  return null
}

/** The next deploy may bring a missing chunk. */
const UNCACHED = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

function sendWorkerRemover(response: ServerResponse): void {
  response.writeHead(200, {
    ...UNCACHED,
    'content-type': 'text/javascript; charset=utf-8',
    'content-length': WORKER_REMOVER.length,
  })
  response.end(WORKER_REMOVER)
}

function sendPlainText(response: ServerResponse, status: number, text: string): void {
  const bytes = Buffer.from(`${text}\n`)
  response.writeHead(status, {
    ...UNCACHED,
    'content-type': 'text/plain; charset=utf-8',
    'content-length': bytes.length,
  })
  response.end(bytes)
}
