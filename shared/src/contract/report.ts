import { z } from 'zod'

/**
 * What a page tells of a failure: the body of `sendBeacon` to the configured `reportUrl`, one JSON object. Names are
 * OpenTelemetry-shaped (dotted attributes), so that any collector of log events takes them as they are.
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
] as const
export type ReportPhase = (typeof REPORT_PHASES)[number]

export const reportSchema = z.object({
  'event.name': z.literal('remote.failure'),
  /** Package: a remote, `shell`, or `page` where the cause is unknown. */
  'remote.name': z.string().regex(/^[a-z][a-z0-9-]{0,63}$/),
  /** `<semver>-<content hash>`; empty for `page`. */
  'remote.version': z.string().regex(/^[\w.+-]{0,100}$/),
  'remote.expose': z.string().max(100).optional(),
  'remote.phase': z.enum(REPORT_PHASES),
  /** What the loader does next: the same release again, the other one, or nothing more: the member sees a card. */
  'remote.next': z.enum(['retry', 'other-version', 'none']).optional(),
  /** Milliseconds from the start of the attempt. */
  'remote.duration': z.number().nonnegative().optional(),
  'composition.number': z.number().int().positive(),
  'exception.message': z.string().max(500),
  /** Route, without query. */
  'url.path': z.string().max(200),
})
export type Report = z.infer<typeof reportSchema>
