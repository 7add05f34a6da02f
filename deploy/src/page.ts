import type { Composition, HostBuild, Release } from '@anniversary/shared/contract/composition'
import type { PublicConfig } from '@anniversary/shared/contract/config'
import { COMPOSITION_ELEMENT_ID, CONFIG_ELEMENT_ID } from '@anniversary/shared/contract/element-ids'
import { urlOf } from './compose.ts'
import { originOf } from './headers.ts'
import { texts } from './texts.ts'

export interface PageInput {
  readonly composition: Composition
  readonly config: PublicConfig
  readonly host: HostBuild
  /** A route of the host. */
  readonly route: string
  /** HTML that stands in `#root` until the app renders; trusted, it is a file of the host's build. */
  readonly skeleton?: string
}

interface Asset {
  readonly url: string
  readonly integrity?: string
}

/** Path of a route's page in the site: `/login` → `login/index.html`. */
export const pagePath = (route: string): string => `${route.slice(1)}${route === '/' ? '' : '/'}index.html`

/**
 * The HTML of one route. It names every file that the route's first view needs, so that a browser asks for all of them
 * in one round trip; and it carries the whole composition, so that the page keeps this set for its whole life.
 */
export const renderPage = ({ composition, config, host, route, skeleton = '' }: PageInput): string => {
  const own = (file: string): Asset => {
    const integrity = host.files[file]?.integrity
    return { url: urlOf(host.name, composition.shell.version, file), ...(integrity ? { integrity } : {}) }
  }
  const { title, remote, expose } = host.routes[route] ?? {}
  const soon = host.routeAssets[route] ?? { js: [], css: [] }
  const composed = remote === undefined ? undefined : composition.remotes[remote]
  const shown =
    composed?.status === 'on' && expose !== undefined ? exposed(composed.current, expose) : NOTHING
  // Part of the visitors gets other files: for them these would be the wrong styles, so nothing is applied ahead.
  const applied = composed?.canary ? [] : shown.css

  const head = [
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">',
    `<title>${escapeHtml(title ?? texts.title)}</title>`,
    `<meta name="theme-color" content="${escapeHtml(host.page?.themeColor ?? '#7a0c14')}">`,
    ...(host.page?.icon ? [tag('link', { rel: 'icon', href: own(host.page.icon).url })] : []),
    ...[...host.entry.css, ...soon.css].map(own).concat(applied).map(stylesheet),
    // In this order: the shell's scripts come first on a connection that all of them share.
    ...host.entry.js.map(own).map(script),
    ...[...soon.js.map(own), ...shown.js].map((asset) => preload('script', asset)),
    ...(composed?.canary ? shown.css.map((asset) => preload('style', asset)) : []),
    ...(host.page?.fonts ?? []).map((font) => fontPreload(own(font).url)),
  ]
  return `<!doctype html>
<html lang="vi">
<head>
${head.join('\n')}
</head>
<body>
<div id="root">${skeleton.trim()}</div>
<noscript>${escapeHtml(texts.noScript)}</noscript>
${data(COMPOSITION_ELEMENT_ID, composition)}
${data(CONFIG_ELEMENT_ID, config)}
</body>
</html>
`
}

const NOTHING: { js: Asset[]; css: Asset[] } = { js: [], css: [] }

const exposed = (release: Release, expose: string): { js: Asset[]; css: Asset[] } => {
  const entry = { url: release.entry, integrity: release.integrity }
  const { js, css } = release.exposes[expose] ?? NOTHING
  return { js: [entry, ...js], css: [...css] }
}

/** A preload is used only if its mode is that of the request that follows: none on the same origin. */
const crossorigin = (url: string): Record<string, string> =>
  originOf(url) ? { crossorigin: 'anonymous' } : {}
const integrity = (asset: Asset): Record<string, string> =>
  asset.integrity ? { integrity: asset.integrity } : {}

const stylesheet = (asset: Asset): string =>
  tag('link', { rel: 'stylesheet', href: asset.url, ...integrity(asset), ...crossorigin(asset.url) })

const script = (asset: Asset): string =>
  `${tag('script', { defer: '', src: asset.url, ...integrity(asset), ...crossorigin(asset.url) })}</script>`

const preload = (as: 'script' | 'style', asset: Asset): string =>
  tag('link', { rel: 'preload', as, href: asset.url, ...integrity(asset), ...crossorigin(asset.url) })

/** Fonts are always fetched in CORS mode, from the same origin too. */
const fontPreload = (url: string): string =>
  tag('link', { rel: 'preload', as: 'font', type: 'font/woff2', href: url, crossorigin: 'anonymous' })

const tag = (name: string, attributes: Record<string, string>): string =>
  `<${name} ${Object.entries(attributes)
    .map(([key, value]) => (value === '' ? key : `${key}="${escapeHtml(value)}"`))
    .join(' ')}>`

/** A data block: never run as a script, so the policy allows it; `<` is escaped so that no text can end it. */
const data = (id: string, value: unknown): string =>
  `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '')
