import { z } from 'zod'

/*
 * What pages report by `sendBeacon`, and what the API answers about it. Names
 * are OpenTelemetry-shaped, so that any collector of log events takes them.
 * Nothing in a report is about the member.
 */

/**
 * Which part failed. `integrity`: a file whose content is not the published
 * one, and was not run. `expose`: the module is missing or threw while it was
 * evaluated. `contract`: built for another host contract, or its page is no
 * component. The page goes on after `hydration` (its HTML was not what its code
 * renders, which replaced it), `csp`, `error` (a handler or timer threw) and
 * `rejection`.
 */
const phase = z.enum([
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
])
export type ReportPhase = z.infer<typeof phase>

/** Package: a remote, `shell`, or `page` where the cause is unknown. */
export const reportedName = z.string().regex(/^[a-z][a-z0-9-]{0,63}$/)
/** `<semver>-<content hash>`; empty for `page`. */
const version = z.string().regex(/^[\w.+-]{0,100}$/)

/**
 * Text of a page: control characters could steer the terminal that shows it.
 */
const shownText = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\P{Cc}\n\t]*$/u)

export const reportSchema = z.object({
  'event.name': z.literal('remote.failure'),
  'remote.name': reportedName,
  'remote.version': version,
  'remote.phase': phase,
  /**
   * What the loader does next: the same release again, the other one, or
   * nothing more: the member sees a card.
   */
  'remote.next': z.enum(['retry', 'other-version', 'none']).optional(),
  'composition.number': z.number().int().positive(),
  'exception.message': shownText(500),
  /**
   * Frames inside published files, the innermost first, one a line:
   * `function /path/of/file.js:line:column`.
   */
  'exception.stacktrace': shownText(2000).optional(),
  'url.path': shownText(200),
  /** Of the page load, as its calls carry it (W3C trace context). */
  trace_id: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional(),
})
export type Report = z.infer<typeof reportSchema>

/**
 * Counter of views in Prometheus, by remote, version and fact: `SEEN` or one of
 * `FACTS`.
 */
export const VIEW_COUNTER = 'remote_views_total'
export const SEEN = 'seen'
export const FACTS = ['threw', 'failed', 'paintedLate', 'answeredLate'] as const
export type Fact = (typeof FACTS)[number]

const fact = z.literal(true).optional()
const viewSchema = z.object({
  remote: reportedName,
  version: version.min(1),
  threw: fact,
  /** A card or another release took the page's place. */
  failed: fact,
  /** LCP above 2.5 s (https://web.dev/articles/lcp). */
  paintedLate: fact,
  /** INP above 200 ms (https://web.dev/articles/inp). */
  answeredLate: fact,
})
export type View = z.infer<typeof viewSchema>

export const MAX_VIEWS = 20

/** The views of a page since it was last hidden. */
export const visitSchema = z.object({
  'event.name': z.literal('page.visit'),
  'composition.number': z.number().int().positive(),
  views: z.array(viewSchema).min(1).max(MAX_VIEWS),
})
export type Visit = z.infer<typeof visitSchema>

export const beaconSchema = z.discriminatedUnion('event.name', [reportSchema, visitSchema])

/**
 * Answer of `GET /api/reports/errors`: each error of a version once, however
 * often it came. Times are ISO 8601.
 */
export const errorsSchema = z.array(
  z.object({
    remote: z.string(),
    version: z.string(),
    phase,
    message: z.string(),
    stack: z.string(),
    route: z.string(),
    count: z.number().int(),
    firstAt: z.string(),
    lastAt: z.string(),
  }),
)
export type RemoteError = z.infer<typeof errorsSchema>[number]
