import { z } from 'zod'

/** `javascript:` and `data:` are URLs too, and would run on our page. */
const webUrl = z.url({ protocol: /^https?$/ })
/** `//host` and `/\host` would be another site's. */
const sitePathOrUrl = z.union([z.string().regex(/^\/(?![/\\])\S*$/, 'a path of this site'), webUrl])
/**
 * The site's runtime configuration: everything that differs between deployments of one build.
 * Composed into every page as JSON; validated by `deploy` when a site is composed, so a browser may trust it.
 */
export const publicConfigSchema = z.strictObject({
  /** Base of the API calls, without a trailing slash: same-origin `/api`, or an absolute URL. */
  apiBase: z
    .string()
    .regex(/^(\/|https?:\/\/)\S*[^/]$/, 'a path or URL without a trailing slash')
    .default('/api'),
  /** The fixed site code sent with the login call. */
  site: z.string().min(1).default('ANNIVERSARY'),
  /** Fills {host} in the specification's share rule: every share link must contain this text. */
  shareHost: z.string().min(1).default('facebook.com'),
  /** What the copy-link button copies. Unset: the site's own address. */
  eventUrl: webUrl.optional(),
  /** Target of the register button on /login. Unset: /megalive. */
  registerUrl: webUrl.optional(),
  /** The embedded registration page. Default: the sample page shipped with mf-megalive. */
  megaliveUrl: sitePathOrUrl.default('/megalive-sample.html'),
  /** Where browsers report what failed, by `sendBeacon`. Unset: only the console hears of it. */
  reportUrl: sitePathOrUrl.optional(),
  /** Customer support, shown in the rules. */
  supportUrl: webUrl.optional(),
})
