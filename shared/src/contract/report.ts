import { z } from 'zod'

/**
 * What a page tells of itself: bodies of `sendBeacon` to the configured `reportUrl`, one JSON object each. Names are
 * OpenTelemetry-shaped (dotted attributes), so that any collector of log events takes them as they are. Nothing in them
 * is about the member: no query of a URL, no typed text, no name.
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

/**
 * What is measured of a view. All but `cls` and `attempts` are milliseconds.
 *
 * - `lcp`, `inp`, `cls`: web vitals (https://web.dev/articles/vitals) of this view alone; `cls` in thousandths
 * - `page`: from the navigation until the remote's page works. Its parts: `entry` and `files` until the entry and the
 *   page's files are there, side by side; then `evaluation` of their modules, then the first `render`
 * - `attempts`: how many the loader began
 */
export const MEASURES = [
  'lcp',
  'inp',
  'cls',
  'page',
  'entry',
  'files',
  'evaluation',
  'render',
  'attempts',
] as const
export type Measure = (typeof MEASURES)[number]

/** One page of the site on a member's screen. */
const viewSchema = z.object({
  remote: name,
  version,
  /** A path of the route table. */
  route: z.string().regex(/^\/[a-z0-9/-]{0,63}$/),
  /** The member saw a card in the page's place. */
  failed: z.literal(true).optional(),
  /** Its code threw, also in a handler or a promise. */
  threw: z.literal(true).optional(),
  measures: z.partialRecord(z.enum(MEASURES), z.number().min(0).max(600_000)),
})
export type View = z.infer<typeof viewSchema>

/** Views of one beacon at most. */
export const MAX_VIEWS = 10

/** The views of a page since it was last hidden, sent when it is hidden. */
export const visitSchema = z.object({
  'event.name': z.literal('page.visit'),
  'composition.number': z.number().int().positive(),
  views: z.array(viewSchema).min(1).max(MAX_VIEWS),
})
export type Visit = z.infer<typeof visitSchema>

export const beaconSchema = z.discriminatedUnion('event.name', [reportSchema, visitSchema])
