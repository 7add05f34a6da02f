import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { join, normalize } from 'node:path'
import { type Handler, typeOf } from './http.ts'
import { pinned } from './site.ts'

const folders = join(import.meta.dirname, '..')
const require = createRequire(import.meta.url)

/** Every example: folder, and what it shows. */
export const EXAMPLES = [
  { path: 'plain-html', name: 'HTML thuần', about: 'Hai dòng mã, script đến sau thẻ.' },
  {
    path: 'jquery',
    name: 'Trang thời jQuery',
    about: 'CSS toàn cục hung hăng, bảng mã windows-1252, thẻ chèn bằng chuỗi.',
  },
  { path: 'react18', name: 'React 18', about: 'Gói npm, component MegaLive.' },
  { path: 'react19', name: 'React 19', about: 'Gói npm, component MegaLive, StrictMode.' },
  { path: 'vue3', name: 'Vue 3', about: 'Gói npm, thẻ dùng thẳng trong Vue.' },
  {
    path: 'strict-csp',
    name: 'CSP nghiêm ngặt',
    about: 'Script ghim phiên bản và integrity, Trusted Types, màu riêng.',
  },
  { path: 'server-rendered', name: 'Dựng trên máy chủ', about: 'HTML từ máy chủ, React 19 tiếp quản sau.' },
  {
    path: 'federated-react18',
    name: 'Module federation, React 18',
    about: 'Host ngoài, lấy ./MegaLive lúc chạy.',
  },
  {
    path: 'federated-react19',
    name: 'Module federation, React 19',
    about: 'Host ngoài, lấy ./MegaLive lúc chạy.',
  },
] as const

export type Bundles = (request: IncomingMessage, response: ServerResponse, next: () => void) => unknown

export interface Origins {
  /** The published site: script, remote, composition. */
  readonly site: string
  /** The provider of the embedded page. */
  readonly live: string
}

/** What a page with a strict policy must allow for the embed, and nothing else. */
const strictPolicy = ({ site, live }: Origins): string =>
  [
    "default-src 'none'",
    `script-src ${site}`,
    "style-src 'self'",
    `frame-src ${live}`,
    `object-src ${live}`,
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types mega-live',
  ].join('; ')

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)

const index = () => `<!doctype html>
<html lang="vi">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>mega-live: trang mẫu</title>
    <link rel="stylesheet" href="/index.css" />
  </head>
  <body>
    <h1>mega-live trên mọi trang</h1>
    <ul>
      ${EXAMPLES.map(({ path, name, about }) => `<li><a href="/${path}/">${name}</a><p>${about}</p></li>`).join('\n      ')}
    </ul>
  </body>
</html>`

/**
 * A page with one embed and the attributes of its query, for trying servers out:
 * `/try?src=…&timeout=2000&require-ready`. `policy` is sent as its content security policy.
 */
function tryOut(url: URL, { site }: Origins) {
  const attributes = [...url.searchParams]
    .filter(([name]) => !name.startsWith('policy'))
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
  return `<!doctype html><html lang="vi"><meta charset="utf-8"><title>Bí mật của trang</title>
    <script src="${site}/embed/mega-live.js"></script><mega-live${attributes.join('')}></mega-live>`
}

/** @param bundles answers requests below `/bundles/` */
export const pages =
  (origins: () => Origins, bundles: Bundles): Handler =>
  async (request, response, url) => {
    const { site, live } = origins()
    const [, folder = '', file = ''] = url.pathname.split('/')
    const send = (body: string | Buffer, type: string) => response.setHeader('content-type', type).end(body)

    if (url.pathname === '/') return send(index(), typeOf('.html'))
    if (url.pathname === '/index.css')
      return send(await readFile(join(import.meta.dirname, 'index.css')), typeOf('.css'))
    if (url.pathname === '/try') {
      const policy = url.searchParams.get('policy')
      if (policy) response.setHeader('content-security-policy', policy)
      return send(tryOut(url, origins()), typeOf('.html'))
    }
    if (url.pathname === '/vendor/jquery.js')
      return send(await readFile(require.resolve('jquery')), typeOf('.js'))
    if (folder === 'bundles') return bundles(request, response, () => response.writeHead(404).end())
    const example = EXAMPLES.find(({ path }) => path === folder)
    if (!example) return response.writeHead(404).end()
    if (file) return send(await readFile(join(folders, folder, normalize(`/${file}`))), typeOf(file))

    const source = folder.replace(/-?react1[89]$/, '') || 'react'
    const { path, integrity } = await pinned()
    const policy = strictPolicy(origins())
    const values: Record<string, string> = { site, live, integrity, pinned: path, bundle: folder, policy }
    if (folder === 'server-rendered') {
      const { render } = await import('../server-rendered/render.tsx')
      values.rendered = render(`${live}/`)
    }
    if (folder === 'strict-csp') response.setHeader('content-security-policy', policy)
    const html = (await readFile(join(folders, source, 'index.html'), 'utf8')).replace(
      /\{\{(\w+)\}\}/g,
      (_match, name: string) => values[name] ?? '',
    )
    return send(html, folder === 'jquery' ? 'text/html; charset=windows-1252' : typeOf('.html'))
  }
