import {
  type Histogram,
  histogramSchema,
  lowerBound,
  type VersionFigures,
} from '@anniversary/shared/contract/figures'
import { z } from 'zod'
import {
  addEvidence,
  evidenceOf,
  FALSE_ALARMS,
  NO_EVIDENCE,
  type Sample,
  type Share,
} from './sequential-test.ts'

/*
 * Compares a canary with the current release, view by view. Pure: nothing is read or written here.
 */

/** Shares of views in which a canary must not be worse: the code threw, no page came, LCP or INP were slow. */
export const COMPARED = ['errors', 'failures', 'lcp', 'inp'] as const
export type Compared = (typeof COMPARED)[number]

/** Evidence that ends a canary. The comparisons divide the false alarms among them (Bonferroni). */
const ENOUGH_EVIDENCE = COMPARED.length / FALSE_ALARMS

/** Views that must be measured before one can be called slow. */
const FEWEST_TIMES = 100

const countersSchema = z.object({
  views: z.number(),
  threw: z.number(),
  failed: z.number(),
  measures: z.object({ lcp: histogramSchema.optional(), inp: histogramSchema.optional() }),
})
/** Of one release. They only rise. */
export type Counters = z.infer<typeof countersSchema>

const shareSchema = z.object({ n: z.number(), bad: z.number() })
const weighedSchema = z.object({
  canary: shareSchema,
  current: shareSchema,
  /** Of `lcp` and `inp`: milliseconds above which the last comparison called a view slow. */
  above: z.number().optional(),
  logs: z.array(z.number()),
})

/** The figures of a judgement, for people: views of both releases, and the evidence that the canary is worse. */
export const judgementSchema = z.partialRecord(
  z.enum(COMPARED),
  weighedSchema.omit({ logs: true }).extend({ evidence: z.number() }),
)
export type Judgement = z.infer<typeof judgementSchema>

const bothSchema = z.object({ canary: countersSchema, current: countersSchema })

export const comparisonSchema = z.object({
  /** At the last judgement that found views of both releases. */
  counters: bothSchema,
  measures: z.record(z.enum(COMPARED), weighedSchema),
  /** Views since the share was last changed. */
  stepViews: z.object({ canary: z.number(), current: z.number() }),
})
export type Comparison = z.infer<typeof comparisonSchema>
type Both = z.infer<typeof bothSchema>

/** The compared part of a release's figures; undefined: it has no views yet. */
export const countersOf = (figures: VersionFigures | undefined): Counters =>
  countersSchema.parse(figures ?? { views: 0, threw: 0, failed: 0, measures: {} })

const nothing = { canary: { n: 0, bad: 0 }, current: { n: 0, bad: 0 }, logs: [...NO_EVIDENCE] }

/** @param counters from before the canary: not compared, but the measure of a slow view */
export const beginComparison = (counters: Both): Comparison => ({
  counters,
  measures: { errors: nothing, failures: nothing, lcp: nothing, inp: nothing },
  stepViews: { canary: 0, current: 0 },
})

/** Counts a step's views anew, after a change of the share. */
export const beginStep = (comparison: Comparison): Comparison => ({
  ...comparison,
  stepViews: { canary: 0, current: 0 },
})

/** Adds the views that both releases have had since. */
export function compare(before: Comparison, counters: Both): Comparison {
  const { counters: from, stepViews } = before
  const canary = counters.canary.views - from.canary.views
  const current = counters.current.views - from.current.views
  // The API has lost some counts: begin anew with the rest.
  if (canary < 0 || current < 0) return { ...before, counters }
  // Views of one release alone prove nothing. They wait for the next look: otherwise a site with few visitors would
  // never have evidence.
  if (canary === 0 || current === 0) return before
  const measures = COMPARED.map((measure) => {
    const last = before.measures[measure]
    // By earlier views, so that the judged ones do not set their own limit.
    const slowest = slowestQuarter(measure, from.current)
    if (slowest === null) return [measure, last]
    const since = (release: keyof Both): Share =>
      minus(shareOf(counters[release], measure, slowest), shareOf(from[release], measure, slowest))
    const sample: Sample = { canary: since('canary'), current: since('current') }
    return [
      measure,
      {
        canary: plus(last.canary, sample.canary),
        current: plus(last.current, sample.current),
        logs: addEvidence(last.logs, sample),
        ...(isTime(measure) && { above: Math.round(lowerBound(slowest + 1)) }),
      },
    ]
  })
  return {
    counters,
    // The keys are those of COMPARED.
    measures: Object.fromEntries(measures) as Comparison['measures'],
    stepViews: { canary: stepViews.canary + canary, current: stepViews.current + current },
  }
}

export const judgementOf = ({ measures }: Comparison): Judgement =>
  Object.fromEntries(
    COMPARED.map((measure) => {
      const { logs, ...shares } = measures[measure]
      return [measure, { ...shares, evidence: Number(Math.min(evidenceOf(logs), 1e6).toPrecision(3)) }]
    }),
  )

/** Measures in which the canary is worse. */
export const worseIn = ({ measures }: Comparison): Compared[] =>
  COMPARED.filter((measure) => evidenceOf(measures[measure].logs) >= ENOUGH_EVIDENCE)

const isTime = (measure: Compared): measure is 'lcp' | 'inp' => measure === 'lcp' || measure === 'inp'

/** Number of the bucket above which at most a quarter of the views lie; null: there are too few views. */
function slowestQuarter(measure: Compared, { measures }: Counters): number | null {
  if (!isTime(measure)) return 0
  const histogram = measures[measure] ?? {}
  const n = total(histogram)
  if (n < FEWEST_TIMES) return null
  let above = 0
  // Whole-number keys come in ascending order.
  for (const [bucket, count] of Object.entries(histogram).reverse()) {
    if (above + count > n / 4) return Number(bucket)
    above += count
  }
  return null
}

function shareOf({ views, threw, failed, measures }: Counters, measure: Compared, slowest: number): Share {
  if (!isTime(measure)) return { n: views, bad: measure === 'errors' ? threw : failed }
  const histogram = measures[measure] ?? {}
  return { n: total(histogram), bad: total(histogram, slowest) }
}

/** Views in the buckets above this one. */
const total = (histogram: Histogram, bucket = -1): number =>
  Object.entries(histogram).reduce((sum, [key, count]) => (Number(key) > bucket ? sum + count : sum), 0)

const plus = (a: Share, b: Share): Share => ({ n: a.n + b.n, bad: a.bad + b.bad })
const minus = (a: Share, b: Share): Share => ({ n: a.n - b.n, bad: a.bad - b.bad })
