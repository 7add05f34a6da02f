import { z } from 'zod'

/** Not `javascript:` or `data:`, which would run on our page. */
const webUrl = z.url({ protocol: /^https?$/ })
/** Not `//host` or `/\host`, which lead to another site. */
const sitePathOrUrl = z.union([z.string().regex(/^\/(?![/\\])\S*$/, 'a path of this site'), webUrl])

/**
 * The site's runtime configuration: all that differs between deployments of one
 * build. `deploy` validates it and writes it into every page as JSON, so a
 * browser may trust it.
 */
export const publicConfigSchema = z.strictObject({
  /**
   * Base of the API calls, without a trailing slash: same-origin `/api`, or an
   * absolute URL.
   */
  apiBase: z
    .string()
    .regex(/^(\/|https?:\/\/)\S*[^/]$/, 'a path or URL without a trailing slash')
    .default('/api'),
  /** The fixed site code sent with the login call. */
  site: z.string().min(1).default('ANNIVERSARY'),
  /**
   * Fills {host} in the specification's share rule: every share link must
   * contain this text.
   */
  shareHost: z
    .string()
    .regex(z.regexes.hostname, 'must be a host name such as facebook.com')
    .default('facebook.com'),
  /**
   * The site's public address: the copy-link button copies it, link previews
   * name it. Unset: as the browser sees it.
   */
  eventUrl: webUrl.optional(),
  /** Target of the register button on /login. Unset: /megalive. */
  registerUrl: webUrl.optional(),
  /**
   * The embedded registration page. Default: the sample page shipped with
   * mf-megalive.
   */
  megaliveUrl: sitePathOrUrl.default('/megalive-sample.html'),
  /** The live show of the draws. Unset: /megalive. */
  liveUrl: sitePathOrUrl.optional(),
  /**
   * Where browsers report failures and views, by `sendBeacon`. Unset: they log
   * failures.
   */
  reportUrl: sitePathOrUrl.optional(),
  /**
   * Share of the page loads that report their views, from 0 to 1. Unset: all.
   * Failures are always reported.
   */
  reportSample: z
    .string()
    .regex(/^(0(\.\d+)?|1)$/, 'a share from 0 to 1')
    .optional(),
  /** Customer support, shown in the rules. */
  supportUrl: webUrl.optional(),
})

export type PublicConfig = z.infer<typeof publicConfigSchema>
