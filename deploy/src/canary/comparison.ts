import { type Counts, countsSchema, FACTS, type Fact } from '@anniversary/shared/contract/report'
import { z } from 'zod'
import { LIMITS, shareOf, shareText, TITLES } from '../facts.ts'
import { percent as percentText } from '../format.ts'
import { addEvidence, evidenceOf, FALSE_ALARMS, NO_EVIDENCE, withoutDebt } from './sequential-test.ts'

/*
 * Compares a canary with the current release. Pure: nothing is read or written here.
 */

/** Four facts against the current release, `threw` and `failed` against their limits too. */
const TESTS = 6
/** Views of the current release that are compared at once: among fewer, one error would look like an incident. */
const LOOK_VIEWS = 200
/** A share is far above its last day if it is so many times as large, and not tiny. */
const FAR_ABOVE = 2
const TINY = 0.01
/** A canary cannot have many more views than its share of the visitors sends. */
const MOST_OF_SHARE = 1.5

const bothSchema = z.object({ canary: countsSchema, current: countsSchema })
export type Both = z.infer<typeof bothSchema>

/** Views of both releases since the canary began to be judged. */
export const judgementSchema = bothSchema
export type Judgement = Both

const logsSchema = z.array(z.number())
export const comparisonSchema = z.object({
  /** Views when the judge began; those of the current release are of its last day. */
  start: bothSchema,
  /** Views that were compared. */
  counted: bothSchema,
  /** Views since the share was last changed, without those of a hold. */
  stepViews: z.object({ canary: z.number(), current: z.number() }),
  /** Logarithms of the evidence that the canary is worse than the current release, and than the limit. */
  evidence: z.record(z.enum(FACTS), z.object({ current: logsSchema, limit: logsSchema })),
  /** Why the last comparison proved nothing. */
  holds: z.string().optional(),
})
export type Comparison = z.infer<typeof comparisonSchema>

interface Step {
  readonly steps: readonly number[]
  readonly percent: number
  /** Views of each release that a step takes. */
  readonly views: number
}

export interface Compared {
  readonly comparison: Comparison
  /** Facts that the canary's views have too often. */
  readonly worse: readonly Fact[]
  readonly judgement: Judgement
}

const byFact = <T>(of: (fact: Fact) => T) =>
  // The keys are those of FACTS.
  Object.fromEntries(FACTS.map((fact) => [fact, of(fact)])) as Record<Fact, T>

export const beginComparison = (start: Both): Comparison => ({
  start,
  counted: start,
  stepViews: { canary: 0, current: 0 },
  evidence: byFact(() => ({ current: [...NO_EVIDENCE], limit: [...NO_EVIDENCE] })),
})

/** Counts a step's views anew, after a change of the share. The evidence goes on, without its debts. */
export const beginStep = (comparison: Comparison): Comparison => ({
  ...comparison,
  stepViews: { canary: 0, current: 0 },
  evidence: byFact((fact) => ({
    current: withoutDebt(comparison.evidence[fact].current),
    limit: withoutDebt(comparison.evidence[fact].limit),
  })),
})

/** Adds the views since the last comparison. */
export function compare(before: Comparison, counts: Both, { steps, percent, views }: Step): Compared {
  const since = minus(counts, before.counted)
  const { canary, current } = since
  // The API has lost some counts.
  if (canary.views < 0 || current.views < 0)
    return compare(beginComparison(counts), counts, { steps, percent, views })
  const judgement = minus(counts, before.start)
  const p = canary.views / Math.max(1, canary.views + current.views)
  const limit = byFact((fact) =>
    addEvidence(before.evidence[fact].limit, { k: canary[fact], n: canary.views, p: LIMITS[fact] }),
  )
  const enough = (TESTS * steps.filter((step) => step < 100).length) / FALSE_ALARMS
  const isEnough = (logs: readonly number[]) => evidenceOf(logs) >= enough
  // Views of one release alone cannot be compared: they wait for those of the other.
  if (canary.views === 0 || current.views < Math.min(LOOK_VIEWS, views))
    return { comparison: before, worse: FACTS.filter((fact) => isEnough(limit[fact])), judgement }

  const { holds: _, ...rest } = before
  const holds = holdOf(since, before.start.current, percent)
  const evidence = byFact((fact) => ({
    current: holds
      ? before.evidence[fact].current
      : addEvidence(before.evidence[fact].current, { k: canary[fact], n: canary[fact] + current[fact], p }),
    limit: limit[fact],
  }))
  const { stepViews } = before
  return {
    comparison: {
      ...rest,
      counted: counts,
      evidence,
      ...(holds
        ? { holds }
        : {
            stepViews: {
              canary: stepViews.canary + canary.views,
              current: stepViews.current + current.views,
            },
          }),
    },
    worse: FACTS.filter((fact) => isEnough(evidence[fact].current) || isEnough(limit[fact])),
    judgement,
  }
}

/** Why views of both releases prove nothing about the canary; undefined: they do. */
function holdOf({ canary, current }: Both, dayBefore: Counts, percent: number): string | undefined {
  const bad = FACTS.find((fact) => {
    const { low } = shareOf(current[fact], current.views)
    const usual = shareOf(dayBefore[fact], dayBefore.views)
    return low > Math.min(LIMITS[fact], Math.max(TINY, FAR_ABOVE * usual.high))
  })
  if (bad)
    return `the current release ${TITLES[bad]} in ${shareText(bad, current)} views, on the day before in ${shareText(bad, dayBefore)}`
  const split = shareOf(canary.views, canary.views + current.views)
  if (split.low > (MOST_OF_SHARE * percent) / 100)
    return `${percentText(split.value)} of the views are of the canary, which ${percent} % of the visitors have`
  return undefined
}

function minus(a: Both, b: Both): Both {
  const of = (release: keyof Both): Counts => ({
    views: a[release].views - b[release].views,
    ...byFact((fact) => a[release][fact] - b[release][fact]),
  })
  return { canary: of('canary'), current: of('current') }
}

/** `threw in 4.1 % of 812 views, current 0.9 % of 15200` */
export const sentence = (fact: Fact, { canary, current }: Judgement): string =>
  `${TITLES[fact]} in ${shareText(fact, canary)} views, current ${shareText(fact, current)}`
