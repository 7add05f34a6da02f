import type { Composition } from '@anniversary/shared/contract/composition'
import type { PublicConfig } from '@anniversary/shared/contract/config'

/**
 * Response headers of a site, once, as data: the small server sets them, the nginx configuration and the uploads to a
 * bucket are made from them. `/api` is not here: the API sets its own.
 */
export interface HeaderRule {
  readonly name: 'version' | 'embed' | 'embed-preview' | 'public-page' | 'data' | 'public-file' | 'page'
  /** Of the path with its leading slash; valid in JavaScript and in PCRE. The first that matches counts. */
  readonly pattern: string
  readonly headers: Readonly<Record<string, string>>
}

/** A version folder's path: never written twice, so kept for a year. */
export const VERSION_PATTERN = '^/[a-z][a-z0-9-]*/[0-9]+\\.[0-9]+\\.[0-9]+[^/]*-[0-9a-f]{12}/'

const NO_SNIFF = { 'x-content-type-options': 'nosniff' }
/** Revalidated on each use: a deploy is seen at once, and an unchanged file costs an empty answer. */
const FRESH = { 'cache-control': 'no-cache' }
/** Readable from other origins: a team's local shell, another shell, a brand's page. Nothing here is secret. */
const OPEN = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' }

const PERMISSIONS = ['camera', 'geolocation', 'microphone', 'payment', 'usb', 'browsing-topics']

/** Only for answers over https: a browser ignores it elsewhere, and local work must not be bound to https. */
export const HTTPS_HEADERS = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }

/** Null for a path on the site itself. */
export function originOf(url: string): string | null {
  try {
    return new URL(url).origin
  } catch {
    return null
  }
}

/** Origins other than the site's own from which the composition's files come. */
function remoteOrigins(composition: Composition): string[] {
  const releases = Object.values(composition.remotes).flatMap(({ current, previous, canary }) => [
    current,
    ...(previous ? [previous] : []),
    ...(canary ? [canary.release] : []),
  ])
  return [...new Set(releases.map(({ entry }) => originOf(entry)))].filter((origin) => origin !== null)
}

const list = (directives: Record<string, (string | null)[]>): string =>
  Object.entries(directives)
    .map(([name, sources]) => `${name} ${[...new Set(sources.filter((s) => s !== null))].join(' ')}`)
    .join('; ')

export function pagePolicy(composition: Composition, config: PublicConfig): string {
  const remotes = remoteOrigins(composition)
  const embedded = originOf(config.megaliveUrl) ?? "'self'"
  return list({
    'default-src': ["'none'"],
    'script-src': ["'self'", ...remotes],
    'style-src': ["'self'", ...remotes],
    'img-src': ["'self'", 'data:', ...remotes],
    'font-src': ["'self'", ...remotes],
    // The shell asks for a remote's file by fetch() first when it is tried anew: only that can be ended.
    'connect-src': ["'self'", ...remotes, originOf(config.apiBase), originOf(config.reportUrl ?? '')],
    // The fallback of the embedded page is <object> and <embed> (specification, section 2).
    'frame-src': [embedded],
    'object-src': [embedded],
    'manifest-src': ["'self'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    // The shell's default policy lets scripts load from the composition's origins alone.
    'require-trusted-types-for': ["'script'"],
    // The embed's own policy is for its fallback objects, whose addresses it has checked.
    'trusted-types': ['default', 'mega-live'],
  })
}

/** A page that may stand in others' frames: the sample of the embedded registration page. It has no session to steal. */
const PUBLIC_PAGE_POLICY = list({
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'", "'unsafe-inline'"],
  'img-src': ["'self'", 'data:'],
  'font-src': ["'self'"],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ['*'],
})

/** The page on which web people try the embed out: it frames any address that the embed itself would take. */
const PREVIEW_POLICY = list({
  'default-src': ["'none'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ['data:'],
  'connect-src': ["'self'"],
  'frame-src': ["'self'", 'https:', 'http://localhost:*', 'http://127.0.0.1:*'],
  'object-src': ["'self'", 'https:', 'http://localhost:*', 'http://127.0.0.1:*'],
  'base-uri': ["'none'"],
  'form-action': ["'none'"],
  'frame-ancestors': ["'none'"],
})

export const headerRules = (composition: Composition, config: PublicConfig): HeaderRule[] => [
  {
    name: 'version',
    pattern: VERSION_PATTERN,
    headers: { 'cache-control': 'public, max-age=31536000, immutable', ...OPEN, ...NO_SNIFF },
  },
  {
    name: 'embed-preview',
    pattern: '^/embed/preview\\.html$',
    headers: {
      ...FRESH,
      ...NO_SNIFF,
      'content-security-policy': PREVIEW_POLICY,
      'referrer-policy': 'no-referrer',
    },
  },
  {
    name: 'public-page',
    pattern: '^/(?!(.*/)?index\\.html$).+\\.html$',
    headers: {
      ...FRESH,
      ...NO_SNIFF,
      'content-security-policy': PUBLIC_PAGE_POLICY,
      'referrer-policy': 'no-referrer',
    },
  },
  { name: 'embed', pattern: '^/embed/', headers: { ...FRESH, ...OPEN, ...NO_SNIFF } },
  // Open too: a host of the brand reads from it which build of a remote is current (docs/guides/embed.md).
  { name: 'data', pattern: '^/(composition|config)\\.json$', headers: { ...FRESH, ...OPEN, ...NO_SNIFF } },
  { name: 'public-file', pattern: '\\.(?!html$)[^/.]+$', headers: { ...FRESH, ...NO_SNIFF } },
  {
    name: 'page',
    pattern: '^/',
    headers: {
      ...FRESH,
      ...NO_SNIFF,
      'content-security-policy': pagePolicy(composition, config),
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': PERMISSIONS.map((feature) => `${feature}=()`).join(', '),
      'referrer-policy': 'strict-origin-when-cross-origin',
      'x-frame-options': 'DENY',
    },
  },
]

/** Headers of one path; the last rule matches everything. */
export const headersFor = (rules: readonly HeaderRule[], path: string): Readonly<Record<string, string>> =>
  rules.find(({ pattern }) => new RegExp(pattern).test(path))?.headers ?? {}
