import { bucketOf, type Histogram } from '@anniversary/shared/contract/figures'
import {
  beginComparison,
  beginStep,
  type Comparison,
  type Counters,
  compare,
  worseIn,
} from '../src/canary/comparison.ts'
import { nextStep } from '../src/canary/plan.ts'

/*
 * Canaries without a site: made-up visitors, the real histograms and the real judge.
 */

export interface Scenario {
  /** Share of the canary's views whose code throws; of the current release's it is 1 %. */
  readonly errors: number
  /** LCP of the canary, in LCPs of the current release. Default 1. */
  readonly slower?: number
  /** Views of each visitor, who has one phone: its speed and its errors recur. Default 1. */
  readonly viewsEach?: number
}

export interface Simulation {
  readonly steps: readonly number[]
  /** Views of each release that a step takes. */
  readonly views: number
  /** Visitors between two judgements. */
  readonly visitors: number
}

export interface End {
  readonly worse: readonly string[]
  /** Visitors of both releases until the end. */
  readonly visitors: number
  /** Those who had the canary. */
  readonly affected: number
}

/** Mulberry32. @returns numbers from 0 to 1 */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

const POOL = 2 ** 16
/** Buckets of log-normal times (milliseconds, with this median), from which views draw. */
function times(median: number, sigma: number, seed: number): number[] {
  const next = random(seed)
  return Array.from({ length: POOL }, () => {
    const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
    return bucketOf(median * Math.exp(sigma * normal))
  })
}

const LCP = 1200
const INP = 80
/** The slowest quarter takes 1.5 times the median or more. */
const SIGMA = 0.6

/** @returns runs one canary of this scenario */
export function simulator(
  { errors, slower = 1, viewsEach = 1 }: Scenario,
  { steps, views, visitors }: Simulation,
) {
  const inp = times(INP, SIGMA, 2)
  const errorRate = { current: 0.01, canary: errors }
  const lcp = { current: times(LCP, SIGMA, 1), canary: times(LCP * slower, SIGMA, 1) }
  const visit = (counters: Tally, release: 'canary' | 'current', next: () => number) => {
    const { [release]: pool } = lcp
    const phone = Math.floor(next() * POOL)
    const throws = next() < errorRate[release]
    for (let n = 0; n < viewsEach; n++) {
      counters.views++
      if (throws) counters.threw++
      add(counters.measures.lcp, pool[phone])
      add(counters.measures.inp, inp[phone])
    }
  }
  return (seed: number): End => {
    const next = random(seed)
    const counters = { canary: tally(), current: tally() }
    for (let n = 0; n < 1000; n++) visit(counters.current, 'current', next)
    let comparison: Comparison = beginComparison(structuredClone(counters))
    let percent = steps[0] ?? 0
    const end = { visitors: 0, affected: 0 }
    for (;;) {
      for (let n = 0; n < visitors; n++) {
        const release = next() * 100 < percent ? 'canary' : 'current'
        visit(counters[release], release, next)
        if (release === 'canary') end.affected++
      }
      end.visitors += visitors
      comparison = compare(comparison, structuredClone(counters))
      const worse = worseIn(comparison)
      if (worse.length > 0) return { ...end, worse }
      const step = nextStep({ steps, views, percent }, comparison)
      if (step === 100) return { ...end, worse }
      if (step === null) continue
      percent = step
      comparison = beginStep(comparison)
    }
  }
}

interface Tally extends Omit<Counters, 'measures'> {
  measures: { lcp: Histogram; inp: Histogram }
}
const tally = (): Tally => ({ views: 0, threw: 0, failed: 0, measures: { lcp: {}, inp: {} } })

function add(histogram: Histogram, bucket = 0): void {
  histogram[bucket] = (histogram[bucket] ?? 0) + 1
}
