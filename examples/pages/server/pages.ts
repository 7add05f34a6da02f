import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type Handler, typeOf } from './http.ts'
import { pinned } from './site.ts'

const folders = join(import.meta.dirname, '..')
const require = createRequire(import.meta.url)

/** Path → name. Those without a folder of their own are one bundle in `bundled/index.html`. */
export const EXAMPLES: Readonly<Record<string, string>> = {
  'plain-html': 'HTML thuần',
  jquery: 'Trang thời jQuery',
  react18: 'React 18',
  react19: 'React 19',
  vue3: 'Vue 3',
  'strict-csp': 'CSP nghiêm ngặt',
  'server-rendered': 'Dựng trên máy chủ',
  'federated-react18': 'Module federation, React 18',
  'federated-react19': 'Module federation, React 19',
}

export type Bundles = (request: IncomingMessage, response: ServerResponse, next: () => void) => unknown

interface Origins {
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

const index = () => `<!doctype html><html lang="vi"><meta charset="utf-8"><title>mega-live: trang mẫu</title>
<ul>${Object.entries(EXAMPLES)
  .map(([path, name]) => `<li><a href="/${path}/">${name}</a></li>`)
  .join('')}</ul>`

/**
 * A page with one embed and the attributes of its query, for trying servers out:
 * `/try?src=…&timeout=2000&require-ready`. `policy` is sent as its content security policy.
 */
function tryOut(url: URL, { site }: Origins) {
  const attributes = [...url.searchParams]
    .filter(([name]) => name !== 'policy')
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
  return `<!doctype html><html lang="vi"><meta charset="utf-8"><title>Bí mật của trang</title>
    <script src="${site}/embed/mega-live.js"></script><mega-live${attributes.join('')}></mega-live>`
}

/** @param bundles answers requests below `/bundles/` */
export const pages =
  (origins: Origins, bundles: Bundles): Handler =>
  async (request, response, url) => {
    const { site, live } = origins
    const [, folder = '', file = ''] = url.pathname.split('/')
    const send = (body: string | Buffer, type: string) => response.setHeader('content-type', type).end(body)

    if (url.pathname === '/') return send(index(), typeOf('.html'))
    if (url.pathname === '/try') {
      const policy = url.searchParams.get('policy')
      if (policy) response.setHeader('content-security-policy', policy)
      return send(tryOut(url, origins), typeOf('.html'))
    }
    if (url.pathname === '/vendor/jquery.js')
      return send(await readFile(require.resolve('jquery')), typeOf('.js'))
    if (folder === 'bundles') return bundles(request, response, () => response.writeHead(404).end())
    const name = EXAMPLES[folder]
    if (!name) return response.writeHead(404).end()
    if (file) return send(await readFile(join(folders, folder, file)), typeOf(file))

    const { path, integrity } = await pinned()
    const policy = strictPolicy(origins)
    const values: Record<string, string> = {
      site,
      live,
      integrity,
      pinned: path,
      policy,
      name,
      bundle: folder,
    }
    if (folder === 'server-rendered') {
      const { render } = await import('../server-rendered/render.tsx')
      values.rendered = render(`${live}/`)
    }
    if (folder === 'strict-csp') response.setHeader('content-security-policy', policy)
    const own = join(folders, folder, 'index.html')
    const page = existsSync(own) ? own : join(folders, 'bundled/index.html')
    const html = (await readFile(page, 'utf8')).replace(
      /\{\{(\w+)\}\}/g,
      (_match, value: string) => values[value] ?? '',
    )
    return send(html, folder === 'jquery' ? 'text/html; charset=windows-1252' : typeOf('.html'))
  }
