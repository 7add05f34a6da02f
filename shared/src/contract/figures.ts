import { z } from 'zod'
import { MEASURES, REPORT_PHASES } from './report.ts'

/*
 * What the API has made of the reports, for `deploy` and for whoever compares versions. Times are ISO 8601.
 */

/** How often a value fell into a bucket, by the bucket's number (`bucketOf`). */
export const histogramSchema = z.record(z.string().regex(/^\d+$/), z.number().int().nonnegative())
export type Histogram = z.infer<typeof histogramSchema>

const versionFiguresSchema = z.object({
  remote: z.string(),
  version: z.string(),
  /** Start of the first and of the last hour with a view. */
  firstHour: z.string(),
  lastHour: z.string(),
  views: z.number().int(),
  /** Views that ended with a card in the page's place. */
  failed: z.number().int(),
  /** Views in which the remote's code threw. */
  threw: z.number().int(),
  measures: z.partialRecord(z.enum(MEASURES), histogramSchema),
})
export type VersionFigures = z.infer<typeof versionFiguresSchema>

/** Answer of `GET /api/reports/figures`: by remote, the version with the newest views first; with `each=hour`, by hour. */
export const figuresSchema = z.array(versionFiguresSchema)

/** One error of one version, however often it came. */
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

/** Four buckets an octave, so that a value is known to a fifth; from 1 to a minute in milliseconds. */
const PER_OCTAVE = 4
const LAST = 64

/** Number of a value's bucket; 0 holds all below 1, the last one all above 55,000. */
export const bucketOf = (value: number): number =>
  value < 1 ? 0 : Math.min(LAST, 1 + Math.floor(PER_OCTAVE * Math.log2(value)))

/** Least value of a bucket. */
export const lowerBound = (bucket: number): number => (bucket === 0 ? 0 : 2 ** ((bucket - 1) / PER_OCTAVE))

/** An estimate with the ends of its interval of 95 %. */
export interface Estimate {
  readonly value: number
  readonly low: number
  readonly high: number
}

const Z95 = 1.96

/** A share of `n`, with Wilson's interval; null of nothing. */
export function proportion(k: number, n: number): Estimate | null {
  if (n === 0) return null
  const z2 = Z95 ** 2
  const middle = (k + z2 / 2) / (n + z2)
  const half = (Z95 * Math.sqrt((k * (n - k)) / n + z2 / 4)) / (n + z2)
  return { value: k / n, low: Math.max(0, middle - half), high: Math.min(1, middle + half) }
}

/** A quantile, with the interval of its order statistic; null of nothing. */
export function quantile(histogram: Histogram, q: number): Estimate | null {
  const n = Object.values(histogram).reduce((sum, count) => sum + count, 0)
  if (n === 0) return null
  const half = Z95 * Math.sqrt(n * q * (1 - q))
  const at = (rank: number) => valueAt(histogram, Math.min(n, Math.max(0, rank)))
  return { value: at(n * q), low: at(n * q - half), high: at(n * q + half) }
}

/** The value of this rank, as if values lay evenly inside their bucket. */
function valueAt(histogram: Histogram, rank: number): number {
  let below = 0
  let value = 0
  // Keys that are whole numbers come in their order.
  for (const [key, count] of Object.entries(histogram)) {
    const bucket = Number(key)
    const [from, to] = [lowerBound(bucket), lowerBound(bucket + 1)]
    value = from + (to - from) * Math.min(1, Math.max(0, (rank - below) / count))
    below += count
    if (below >= rank) break
  }
  return value
}
