import { EventEmitter, once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Handler, typeOf } from './http.ts'

const publicFolder = join(import.meta.dirname, '../../../mf-megalive/public')

const page = (title: string, body = '') =>
  `<!doctype html><html lang="vi"><meta charset="utf-8"><title>${title}</title><h1>${title}</h1>${body}`
const READY = "<script>parent.postMessage({ type: 'mega-live:ready' }, '*')</script>"

/** Opened by `/_open`, for good. */
const gate = new EventEmitter()
const isOpen = once(gate, 'open')

const pages: Readonly<Record<string, Handler>> = {
  '/silent': (_, response) => response.end(page('Trang không nói gì')),
  '/ready': (_, response) => response.end(page('Trang biết nói', READY)),
  '/xfo': (_, response) => response.setHeader('x-frame-options', 'DENY').end(page('Trang cấm nhúng')),
  '/ancestors': (_, response) =>
    response.setHeader('content-security-policy', "frame-ancestors 'none'").end(page('Trang cấm nhúng')),
  '/hang': () => undefined,
  '/500': (_, response) => response.writeHead(500).end(page('Lỗi 500')),
  '/500-empty': (_, response) => response.writeHead(500).end(),
  '/drop': (request) => request.socket.destroy(),
  '/gate': (_, response) => isOpen.then(() => response.end()),
  '/_open': (_, response) => {
    gate.emit('open')
    response.end()
  },
  '/image-gate': (_, response) =>
    response.end(page('Trang có ảnh đến muộn', '<img src="/gate" alt=""><input id="name">')),
  // Head and text come, one picture never ends: the browser never fires `load`.
  '/image': (_, response) =>
    response.end(page('Trang thiếu ảnh', '<img src="/hang" alt=""><input id="name">')),
}

/**
 * The provider of the embedded page, with every way in which such a server succeeds or fails.
 * Pages post 'ready' as docs/guides/embed.md says.
 */
export const live: Handler = async (request, response, url) => {
  response.setHeader('content-type', 'text/html; charset=utf-8')
  const found = pages[url.pathname]
  if (found) return found(request, response, url)
  const name = url.pathname === '/' ? '/megalive-sample.html' : url.pathname
  if (!/^\/megalive-sample\.\w+$/.test(name)) return response.writeHead(404).end()
  response.setHeader('content-type', typeOf(name))
  return response.end(await readFile(join(publicFolder, name)))
}
