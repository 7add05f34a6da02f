import { type Counts, countsSchema, FACTS } from '@anniversary/shared/contract/report'
import { z } from 'zod'
import { LIMITS, percent as percentText, shareOf, shareText, TITLES } from '../health.ts'

/** Shares in percent that a canary goes through, and where it is. */
export interface Step {
  readonly steps: readonly number[]
  /** Views of each version that a step takes. */
  readonly views: number
  readonly percent: number
}

/** Each fact against the current release; `threw` and `failed` against their limits too. */
const TESTS = [
  ...FACTS.map((fact) => ({ fact, limit: null })),
  ...FACTS.map((fact) => ({ fact, limit: LIMITS[fact] })).filter(({ limit }) => limit < 1),
]
/** Views of the current release that are compared at once: among fewer, one error would look like an incident. */
const LOOK_VIEWS = 200
/** A share counts as far above its last day when it is this many times as large, and not tiny. */
const FAR_ABOVE = 2
const TINY = 0.01
/** A canary cannot have many more views than its share of the visitors sends. */
const MOST_OF_SHARE = 1.5

const bothSchema = z.object({ canary: countsSchema, current: countsSchema })
export type Both = z.infer<typeof bothSchema>

export const comparisonSchema = z.object({
  /** Counts at the analysis' start; those of the current release are of its last day. */
  start: bothSchema,
  counted: bothSchema,
  /** Views since the share was last changed, without those of a hold. */
  stepViews: z.object({ canary: z.number(), current: z.number() }),
  /** Logarithms of likelihood ratios, by test. */
  evidence: z.array(z.array(z.number())),
  holds: z.string().optional(),
})
export type Comparison = z.infer<typeof comparisonSchema>

export const NO_COUNTS: Counts = { views: 0, threw: 0, failed: 0, paintedLate: 0, answeredLate: 0 }

export const beginComparison = (start: Both): Comparison => ({
  start,
  counted: start,
  stepViews: { canary: 0, current: 0 },
  evidence: TESTS.map(() => RATIOS.map(() => 0)),
})

/** Restarts the step's counts after a change of the share. Keeps evidence of harm, forgets evidence against it. */
export const beginStep = (comparison: Comparison): Comparison => ({
  ...comparison,
  stepViews: { canary: 0, current: 0 },
  evidence: comparison.evidence.map((logs) => logs.map((log) => Math.max(0, log))),
})

/** @returns worse: `threw in 4.1 % of 812 views, current 0.9 % of 15200` */
export function compare(before: Comparison, counts: Both, plan: Step) {
  const since = minus(counts, before.counted)
  const { canary, current } = since
  // The API has lost some counts.
  if (canary.views < 0 || current.views < 0)
    return { worse: [], comparison: beginComparison(counts) }

  // Views of one release alone cannot be compared: they wait for those of the other.
  const isFew = canary.views === 0 || current.views < Math.min(LOOK_VIEWS, plan.views)
  const holds = isFew ? undefined : holdOf(since, before.start.current, plan.percent)
  const views = canary.views + current.views
  const evidence = TESTS.map(({ fact, limit }, n) => {
    const logs = before.evidence[n] ?? []
    if (limit !== null) return addEvidence(logs, canary[fact], canary.views, limit)
    if (isFew || holds) return logs
    return addEvidence(logs, canary[fact], canary[fact] + current[fact], canary.views / views)
  })
  const looks = plan.steps.filter((share) => share < 100).length
  const enough = (TESTS.length * looks) / FALSE_ALARMS
  const found = TESTS.filter((_, n) => evidenceOf(evidence[n] ?? []) >= enough)
  const whole = minus(counts, before.start)
  const worse = [...new Set(found.map(({ fact }) => fact))].map(
    (fact) =>
      `${TITLES[fact]} in ${shareText(fact, whole.canary)} views, current ${shareText(fact, whole.current)}`,
  )
  if (isFew) return { worse, comparison: before }
  const stepViews = holds
    ? before.stepViews
    : {
        canary: before.stepViews.canary + canary.views,
        current: before.stepViews.current + current.views,
      }
  return { worse, comparison: { start: before.start, counted: counts, stepViews, evidence, holds } }
}

function holdOf({ canary, current }: Both, dayBefore: Counts, percent: number): string | undefined {
  const bad = FACTS.find((fact) => {
    const usual = shareOf(dayBefore[fact], dayBefore.views)
    const most = Math.min(LIMITS[fact], Math.max(TINY, FAR_ABOVE * usual.high))
    return shareOf(current[fact], current.views).low > most
  })
  if (bad)
    return `the current release ${TITLES[bad]} in ${shareText(bad, current)} views, on the day before in ${shareText(bad, dayBefore)}`
  const split = shareOf(canary.views, canary.views + current.views)
  return split.low > (MOST_OF_SHARE * percent) / 100
    ? `${percentText(split.value)} of the views are of the canary, which ${percent} % of the visitors have`
    : undefined
}

function less(a: Counts, b: Counts): Counts {
  const differences = (['views', ...FACTS] as const).map((name) => [name, a[name] - b[name]])
  return Object.fromEntries(differences) as Counts // of each of its names
}
const minus = (a: Both, b: Both): Both => ({
  canary: less(a.canary, b.canary),
  current: less(a.current, b.current),
})

/** Chance that a canary as good as the current release is ever ended, all tests and looks together. */
const FALSE_ALARMS = 0.05

/** Views of one visitor correlate, so the sample size is halved. Safe between two looks, however alike (Hölder's inequality). */
const VIEWS_A_VISITOR = 2

/** Odds ratios that the test looks for. */
const RATIOS = [1.2, 1.5, 2, 3, 5, 10]

/**
 * Adds `k` of `n`, each with probability `p` at most if there is no harm. One likelihood ratio for each odds ratio
 * (mixture SPRT: Robbins 1970; Ramdas et al. 2023), by its logarithm.
 */
const addEvidence = (logs: readonly number[], k: number, n: number, p: number): number[] =>
  RATIOS.map(
    (r, i) => (logs[i] ?? 0) + (k * Math.log(r) - n * Math.log(1 - p + r * p)) / VIEWS_A_VISITOR,
  )

/**
 * An e-value: without harm it ever reaches 1/a with probability a at most (Ville's inequality), or s × a when it was
 * freed of debt s - 1 times: `max(1, x)` is at most `1 + x`.
 */
const evidenceOf = (logs: readonly number[]): number =>
  logs.reduce((sum, log) => sum + Math.exp(Math.min(log, 100)), 0) / logs.length
