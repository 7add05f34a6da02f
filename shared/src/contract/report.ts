import { z } from 'zod'

/*
 * What pages report, as bodies of `sendBeacon` to the configured `reportUrl`, and what the API answers about it. Names in
 * reports are OpenTelemetry-shaped (dotted attributes), so that any collector of log events takes them. Nothing in a
 * report is about the member: no query of a URL, no typed text, no name.
 */

/**
 * Which part failed.
 *
 * - `entry`: the container's entry could not be fetched or defined no container
 * - `chunk`: a script or style could not be fetched, also a lazy one
 * - `integrity`: a file arrived whole with another content than the published one, and was not run
 * - `expose`: the files are there, but the module is missing or threw while it was evaluated
 * - `contract`: built for another host contract, or its page is no component
 * - `deadline`: no answer in time, or loaded but not rendered in time
 * - `render`: the page threw while rendering, in an effect, or while it was left
 * - `hydration`: the page's HTML was not what its code renders, which replaced it: another text, or a foreign node
 * - `csp`: the page's policy blocked something
 * - `error`: an event handler or a timer threw; the page goes on
 * - `rejection`: nobody handled the rejection of a promise; the page goes on
 */
export const REPORT_PHASES = [
  'entry',
  'chunk',
  'integrity',
  'expose',
  'contract',
  'deadline',
  'render',
  'hydration',
  'csp',
  'error',
  'rejection',
] as const
export type ReportPhase = (typeof REPORT_PHASES)[number]

/** Package: a remote, `shell`, or `page` where the cause is unknown. */
const name = z.string().regex(/^[a-z][a-z0-9-]{0,63}$/)
/** `<semver>-<content hash>`; empty for `page`. */
const version = z.string().regex(/^[\w.+-]{0,100}$/)

export const reportSchema = z.object({
  'event.name': z.literal('remote.failure'),
  'remote.name': name,
  'remote.version': version,
  'remote.phase': z.enum(REPORT_PHASES),
  /** What the loader does next: the same release again, the other one, or nothing more: the member sees a card. */
  'remote.next': z.enum(['retry', 'other-version', 'none']).optional(),
  'composition.number': z.number().int().positive(),
  'exception.message': z.string().max(500),
  /** Frames inside published files, the innermost first, one a line: `function /path/of/file.js:line:column`. */
  'exception.stacktrace': z.string().max(2000).optional(),
  /** Route, without query. */
  'url.path': z.string().max(200),
})
export type Report = z.infer<typeof reportSchema>

/** What can be wrong with a view; the browser decides. */
export const FACTS = ['threw', 'failed', 'paintedLate', 'answeredLate'] as const
export type Fact = (typeof FACTS)[number]

const fact = z.literal(true).optional()
/** One page of the site on a member's screen. */
const viewSchema = z.object({
  remote: name,
  version,
  /** A path of the route table. */
  route: z.string().regex(/^\/[a-z0-9/-]{0,63}$/),
  /** Its code threw, also in a handler or a promise. */
  threw: fact,
  /** A card or another release took the page's place. */
  failed: fact,
  /** LCP above 2.5 s (https://web.dev/articles/lcp). */
  paintedLate: fact,
  /** INP above 200 ms (https://web.dev/articles/inp). */
  answeredLate: fact,
})
export type View = z.infer<typeof viewSchema>

/** Views of one beacon at most. */
export const MAX_VIEWS = 20

/** The views of a page since it was last hidden, sent when it is hidden. */
export const visitSchema = z.object({
  'event.name': z.literal('page.visit'),
  'composition.number': z.number().int().positive(),
  views: z.array(viewSchema).min(1).max(MAX_VIEWS),
})
export type Visit = z.infer<typeof visitSchema>

export const beaconSchema = z.discriminatedUnion('event.name', [reportSchema, visitSchema])

const count = z.number().int().nonnegative()
/** Views, and how many of them had each fact. */
export const countsSchema = z.object({
  views: count,
  threw: count,
  failed: count,
  paintedLate: count,
  answeredLate: count,
})
export type Counts = z.infer<typeof countsSchema>

const versionCountsSchema = countsSchema.extend({ remote: z.string(), version: z.string() })
export type VersionCounts = z.infer<typeof versionCountsSchema>

/** Answer of `GET /api/reports/views`: by remote, the version with the newest views first. */
export const viewCountsSchema = z.array(versionCountsSchema)

/** One error of one version, however often it came. Times are ISO 8601. */
const remoteErrorSchema = z.object({
  remote: z.string(),
  version: z.string(),
  phase: z.enum(REPORT_PHASES),
  message: z.string(),
  /** As in a report; empty: none. */
  stack: z.string(),
  route: z.string(),
  count: z.number().int(),
  firstAt: z.string(),
  lastAt: z.string(),
})
export type RemoteError = z.infer<typeof remoteErrorSchema>

/** Answer of `GET /api/reports/errors`: the last ones first. */
export const errorsSchema = z.array(remoteErrorSchema)
