import type {
  Composition,
  HostBuild,
  PageComposition,
  SiteNotice,
} from '@anniversary/shared/contract/composition'
import type { PublicConfig } from '@anniversary/shared/contract/config'
import { dataBlock, IDS, LATE_CODE_CLASS } from '@anniversary/shared/contract/page-names'
import { PRERENDERED } from '@anniversary/shared/contract/prerendered'
import type { SiteRoute } from '@anniversary/shared/contract/routes'
import { escapeHtml } from '@anniversary/shared/html-template'
import { integrityOf } from '../builds/read-build.ts'
import { pageTexts } from '../texts.ts'
import { absoluteUrl, compositionFile, fileUrlOf, pagePartFor } from './compose.ts'
import {
  type Asset,
  metaTag,
  openGraphTag,
  preloadLink,
  scriptElement,
  startTag,
  stylesheetLink,
} from './elements.ts'
import { FIRST_STYLE, STYLES_SCRIPT } from './first-styles.ts'
import { type Preview, previewParts } from './preview.ts'

export interface PageInput {
  readonly composition: Composition
  readonly notice?: SiteNotice | undefined
  readonly config: PublicConfig
  readonly host: HostBuild
  readonly path: string
  readonly route: SiteRoute
  /** Unset in development, where the host's files are linked. */
  readonly first?: FirstView
  readonly preview?: Preview | undefined
}

/** Not escaped, because it comes from builds. */
export interface FirstView {
  readonly html: string
  /**
   * Entry of the release that rendered it; empty: the host. Unset for a
   * skeleton, which the app replaces.
   */
  readonly renderedBy?: string
  readonly styles: readonly string[]
  /** Unset: the page links the host's first script. */
  readonly script?: string
}

/** `/login` → `login/index.html` */
export const pathOfPage = (route: string): string => `${route}/index.html`.replace(/^\/+/, '')

/** All files of the first view are requested in one round trip. */
export function renderPage(input: PageInput): string {
  const { composition, notice, config, host, path, route, first, preview } = input
  const own = (file: string): Asset => ownAsset(input, file)
  const { scripts: theirScripts, styles: theirStyles } = filesOfRemote(input)
  const soon = filesAfterwards(input)
  const { attribute, style, banner } = previewParts(preview, path)

  const whole = compositionFile(composition, preview)
  const carried: PageComposition = {
    ...pagePartFor(composition, path, route),
    whole: { url: `/${whole.path}`, integrity: integrityOf(whole.bytes) },
    notice,
  }

  // Without prerendered text, pictures come first.
  const scripts = host.entry.js.map((file) =>
    scriptElement(own(file), { defer: '', fetchpriority: first?.renderedBy ? 'high' : 'low' }),
  )

  const head = [
    '<meta charset="utf-8">',
    // Half a page would be painted, and move when the rest arrives. The paint
    // waits for the element after the root, because Chromium waits only until
    // an element starts.
    first ? WAIT_FOR_BODY : '',
    // The on-screen keyboard covers no buttons. Without `viewport-fit=cover`,
    // the page is clear of notches.
    '<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">',
    ...metadata(input),
    ...iconLinks(input),
    firstScript(input),
    // In the order of need, because all files share one connection, and before
    // the styles.
    ...scripts,
    ...[...theirScripts, ...soon.js.map(own)].map((file) => preloadLink('script', file)),
    ...[...(first ? [] : theirStyles), ...soon.css.map(own)].map((file) =>
      preloadLink('style', file),
    ),
    ...styleElements(host.entry.css.map(own), theirStyles, first),
    `<script>${STYLES_SCRIPT}</script>`,
    // The first script reruns those that did not arrive.
    `<template id="${IDS.hostScripts}">${scripts.join('')}</template>`,
    style,
  ]
  return `<!doctype html>
<html lang="vi"${attribute}>
<head>
${head.filter(Boolean).join('\n')}
</head>
<body>
<p class="old-browser">${escapeHtml(pageTexts.oldBrowser)}</p>
<noscript><p class="no-script">${escapeHtml(pageTexts.noScript)}</p></noscript>
${lateMessages(first)}
${banner}
${rootElement(first)}
${dataBlock(IDS.compositionData, carried)}
${dataBlock(IDS.configData, config)}
</body>
</html>
`
}

/**
 * Before the root, for HTML that is cut or stalls. The links of the host's HTML
 * work without code. A link here that stays would come before the skip link.
 */
function lateMessages({ renderedBy }: Partial<FirstView> = {}): string {
  const failed = `<p id="${IDS.failedMessage}" class="failed" role="alert" hidden>${escapeHtml(pageTexts.failedToStart)}</p>`
  if (renderedBy === '') return failed
  return `${failed}
<p class="${LATE_CODE_CLASS}" hidden>${escapeHtml(pageTexts.noCode)} <a href="">${escapeHtml(pageTexts.reload)}</a></p>`
}

function rootElement({ html = '', renderedBy }: Partial<FirstView> = {}): string {
  if (renderedBy === undefined) return `<div id="${IDS.appRoot}">${html.trim()}</div>`
  return `<div id="${IDS.appRoot}" ${PRERENDERED}="${escapeHtml(renderedBy)}">${html.trim()}</div>`
}

function iconLinks(input: PageInput): string[] {
  const { page = {}, publicFiles = {} } = input.host
  const urlOfOwn = (file: string) => ownAsset(input, file).url
  const links = [
    // Without an icon, browsers request /favicon.ico.
    startTag('link', { rel: 'icon', href: page.icon ? urlOfOwn(page.icon) : 'data:,' }),
  ]
  if (page.themeColor) links.push(metaTag('theme-color', page.themeColor))
  if (publicFiles[WEB_MANIFEST])
    links.push(startTag('link', { rel: 'manifest', href: WEB_MANIFEST }))
  if (page.touchIcon)
    links.push(startTag('link', { rel: 'apple-touch-icon', href: urlOfOwn(page.touchIcon) }))
  return links
}

const WEB_MANIFEST = '/site.webmanifest'
const WAIT_FOR_BODY = startTag('link', {
  rel: 'expect',
  href: `#${IDS.compositionData}`,
  blocking: 'render',
})

function firstScript(input: PageInput): string {
  const { first, preview, host } = input
  // The policy names only the live shell's first script.
  if (first?.script && !preview) return `<script>${first.script}</script>`
  if (!host.firstScript) return ''
  return scriptElement(ownAsset(input, host.firstScript), {})
}

function styleElements(
  own: readonly Asset[],
  theirs: readonly Asset[],
  first: FirstView | undefined,
): string[] {
  if (!first) return own.map(stylesheetLink)
  return [
    // Linked files cost another round trip.
    dataBlock(IDS.firstStyles, first.styles),
    `<style>${FIRST_STYLE}</style>`,
    `<noscript>${[...own, ...theirs].map(stylesheetLink).join('')}</noscript>`,
  ]
}

function ownAsset({ composition, host }: PageInput, file: string): Asset {
  const url = fileUrlOf(host, composition.shell.version, file)
  return { url, integrity: host.files[file]?.integrity }
}

function filesAfterwards({ host, path, route }: PageInput): HostBuild['client'] {
  const assets = host.routeAssets?.[path]
  if (assets) return assets
  if (route.callsApi) return host.client
  return { js: [], css: [] }
}

function filesOfRemote({ composition, route }: PageInput) {
  const { name = '', expose = '' } = route.remote ?? {}
  const composed = composition.remotes[name]
  if (composed?.status !== 'on') return { scripts: [], styles: [] }
  const { entry, integrity, exposes } = composed.current
  const { js = [], css = [] } = exposes[expose] ?? {}
  return { scripts: [{ url: entry, integrity }, ...js], styles: css }
}

/**
 * Crawlers run no script and need absolute addresses. Members' pages are a
 * login form to them.
 */
function metadata(input: PageInput): string[] {
  const { composition, host, path, route, preview } = input
  const { eventUrl } = input.config
  const { name: siteName, description, card, cardAlt } = host.page ?? {}
  const title = [route.title, siteName].filter(Boolean).join(' · ')
  const about = route.description ?? description

  const lines = [`<title>${escapeHtml(title)}</title>`]
  if (about) lines.push(metaTag('description', about), openGraphTag('description', about))
  if (route.protected || preview) lines.push(metaTag('robots', 'noindex'))
  if (eventUrl) {
    const url = absoluteUrl(path, eventUrl)
    lines.push(startTag('link', { rel: 'canonical', href: url }), openGraphTag('url', url))
  }
  lines.push(
    openGraphTag('type', 'website'),
    openGraphTag('locale', 'vi_VN'),
    openGraphTag('title', title),
  )
  if (siteName) lines.push(openGraphTag('site_name', siteName))
  if (card) {
    const picture = absoluteUrl(fileUrlOf(host, composition.shell.version, card), eventUrl)
    lines.push(
      openGraphTag('image', picture),
      openGraphTag('image:width', '1200'),
      openGraphTag('image:height', '630'),
      metaTag('twitter:card', 'summary_large_image'),
    )
    if (cardAlt) lines.push(openGraphTag('image:alt', cardAlt))
  }
  return lines
}
