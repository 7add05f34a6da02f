import type { IncomingMessage } from 'node:http'
import type { Composition } from '@anniversary/shared/contract/composition'
import type { PublicConfig } from '@anniversary/shared/contract/config'
import { pagePolicyFrom, renderPolicy } from '@anniversary/shared/contract/page-policy'
import { originOf, releasesOf, trustedTypesOf, WHOLE_FOLDER } from '../site/compose.ts'
import { FIRST_STYLE_SOURCE, STYLES_SCRIPT_SOURCE } from '../site/first-styles.ts'
import { PREVIEW_SEGMENT } from '../site/preview.ts'
import { CACHE, PUBLISHED_PATTERN } from '../target/compress.ts'

/** For the small server, nginx and CDNs. The API sets its own headers. */
export interface HeaderRule {
  readonly name: string
  /**
   * For JavaScript and PCRE; paths have a leading slash. The first match
   * counts.
   */
  readonly pattern: string
  readonly headers: Readonly<Record<string, string>>
}

const cached = (cache: string) => ({ 'cache-control': cache })
const FRESH = cached(CACHE.fresh)
const IMMUTABLE = cached(CACHE.immutable)
/** For another shell, or a brand's page. Nothing here is secret. */
const OPEN = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }

const PERMISSIONS = ['camera', 'geolocation', 'microphone', 'payment', 'usb', 'browsing-topics']

/**
 * Over https only, so that local work stays on http. It binds all hosts below
 * the site's (docs/operate/site.md).
 */
export const HTTPS_HEADERS = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }

export function httpsHeadersFor({ headers }: IncomingMessage): Record<string, string> {
  if (headers['x-forwarded-proto'] !== 'https') return {}
  return HTTPS_HEADERS
}

const REPORT_GROUP = 'default'

/** No script can report crashes, and refusals before the first script. */
function reporting({ reportUrl }: PublicConfig): Record<string, string> {
  if (!reportUrl) return {}
  const url = reportUrl.replace(/[^!#-[\]-~]/gu, encodeURIComponent)
  return { 'reporting-endpoints': `${REPORT_GROUP}="${url}"` }
}

export function pagePolicy(composition: Composition, config: PublicConfig): string {
  const { shell, remotes } = composition
  const { reportUrl = '' } = config
  const releases = Object.values(remotes).flatMap(releasesOf)
  const origins = (urls: readonly string[]) =>
    urls.map(originOf).filter((origin) => origin !== null)

  return pagePolicyFrom({
    scripts: [STYLES_SCRIPT_SOURCE, ...(shell.firstScript ? [`'${shell.firstScript}'`] : [])],
    styles: [FIRST_STYLE_SOURCE],
    remotes: origins(releases.map(({ entry }) => entry)),
    calls: origins([config.apiBase, reportUrl]),
    frames: [originOf(config.megaliveUrl) ?? "'self'"],
    trustedTypes: trustedTypesOf(composition),
    reportGroup: reportUrl && REPORT_GROUP,
  })
}

/**
 * Any page may frame these. Without an origin they reach no cookie of the site.
 * Their code is inline, because WebKit then matches nothing with 'self'.
 */
const PUBLIC_PAGE = {
  'cross-origin-resource-policy': 'cross-origin',
  'referrer-policy': 'no-referrer',
  'content-security-policy': renderPolicy({
    'default-src': ["'none'"],
    'script-src': ["'self'", "'unsafe-inline'"],
    'style-src': ["'self'", "'unsafe-inline'"],
    'img-src': ["'self'", 'data:'],
    'font-src': ["'self'"],
    'worker-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'none'"],
    'frame-ancestors': ['*'],
    sandbox: ['allow-scripts', 'allow-forms', 'allow-popups', 'allow-popups-to-escape-sandbox'],
  }),
}

/** Browsers show SVG, XML and a version's HTML as documents. */
const FILE_POLICY = renderPolicy({
  'default-src': ["'none'"],
  'style-src': ["'unsafe-inline'"],
  sandbox: [],
})

const rule = (name: string, pattern: string, headers: HeaderRule['headers']): HeaderRule => ({
  name,
  pattern,
  headers: {
    'x-content-type-options': 'nosniff',
    'content-security-policy': FILE_POLICY,
    'cross-origin-resource-policy': 'same-origin',
    ...headers,
  },
})

export function headerRules(composition: Composition, config: PublicConfig): HeaderRule[] {
  const page = {
    ...FRESH,
    'content-security-policy': pagePolicy(composition, config),
    // Not for styles: Chromium 156 logs that word as an error.
    'integrity-policy': 'blocked-destinations=(script)',
    'cross-origin-opener-policy': 'same-origin',
    // A campaign page on another host of this domain may prerender the page.
    'supports-loading-mode': 'credentialed-prerender',
    'permissions-policy': PERMISSIONS.map((feature) => `${feature}=()`).join(', '),
    'referrer-policy': 'strict-origin-when-cross-origin',
    'x-frame-options': 'DENY',
  }
  // The address is the key to a preview, so no other site may learn it.
  const preview = {
    ...cached(CACHE.none),
    'referrer-policy': 'no-referrer',
    'x-robots-tag': 'noindex',
  }
  return [
    rule('published', PUBLISHED_PATTERN, { ...IMMUTABLE, ...OPEN }),
    rule('composition', `^/${WHOLE_FOLDER}/`, IMMUTABLE),
    rule('preview', `^/${PREVIEW_SEGMENT}/`, { ...page, ...preview }),
    rule('public-page', '^/(?!(.*/)?index\\.html$).+\\.html$', { ...FRESH, ...PUBLIC_PAGE }),
    rule('embed', '^/embed/', { ...FRESH, ...OPEN }),
    // Other hosts read which build of a remote is current (docs/use/embed.md).
    rule('data', '^/(composition|config|[a-z][a-z0-9-]*/mf-manifest)\\.json$', {
      ...FRESH,
      ...OPEN,
    }),
    rule('public-file', '\\.(?!html$)[^/.]+$', FRESH),
    // Visitors of previews are no members.
    rule('page', '^/', { ...page, ...reporting(config) }),
  ]
}

export const headersFor = (
  rules: readonly HeaderRule[],
  path: string,
): Readonly<Record<string, string>> =>
  rules.find(({ pattern }) => new RegExp(pattern).test(path))?.headers ?? {}
