import { type Counts, FACTS, type Fact } from '@anniversary/shared/contract/report'
import { type Both, beginComparison, beginStep, compare } from '../src/canary/comparison.ts'
import { nextStep } from '../src/canary/plan.ts'

/*
 * Canaries without a site: made-up visitors and forgers, the real judge. A look is a minute of the site.
 */

type Shares = Readonly<Record<Fact, number>>
type Release = keyof Both

/** Views that somebody forges in a look. */
export interface Forged {
  readonly canary: number
  readonly current: number
  /** How many of them say that the code threw. */
  readonly threw: Readonly<Partial<Record<Release, number>>>
}

export interface Scenario {
  /** Shares of the canary's views, where they differ from those of the current release. */
  readonly canary?: Partial<Shares>
  /** Share of the current release's first 5,000 views that throw. */
  readonly incident?: number
  /** Views of each visitor, who has one phone: what goes wrong recurs. Default 1. */
  readonly viewsEach?: number
  /** What comes from these addresses in a look. */
  readonly forge?: (percent: number) => Forged
  /** Share of the current release's views of the day before that throw, members' and forged ones. */
  readonly dayBefore?: number
}

export interface Simulation {
  readonly steps: readonly number[]
  /** Views of each release that a step takes. */
  readonly views: number
  /** Visitors between two looks. */
  readonly visitors: number
  /** Looks after which a canary that is not decided stays as it is. */
  readonly looks: number
}

export interface End {
  readonly verdict: 'ended' | 'promoted' | 'stays'
  /** Visitors of both releases until the end. */
  readonly visitors: number
  /** Those who had the canary. */
  readonly affected: number
}

const USUAL: Shares = { threw: 0.01, failed: 0.005, paintedLate: 0.11, answeredLate: 0.05 }
const DAY = 20_000
const INCIDENT = 5_000

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

/** Draws how many of `n` it is, each with probability `p`, by inversion. */
function binomial(n: number, p: number, next: () => number): number {
  let left = next()
  let chance = (1 - p) ** n
  for (let k = 0; k < n; k++) {
    if (left < chance) return k
    left -= chance
    chance *= ((n - k) / (k + 1)) * (p / (1 - p))
  }
  return n
}

const none = (): Counts => ({ views: 0, threw: 0, failed: 0, paintedLate: 0, answeredLate: 0 })

/** @returns runs one canary of this scenario */
export function simulator(
  { canary = {}, incident = 0, viewsEach = 1, forge, dayBefore = USUAL.threw }: Scenario,
  { steps, views, visitors, looks }: Simulation,
) {
  const usual = { canary: { ...USUAL, ...canary }, current: USUAL }
  return (seed: number): End => {
    const next = random(seed)
    const counts = { canary: none(), current: none() }
    counts.current.views = DAY
    for (const fact of FACTS) counts.current[fact] = Math.round(DAY * USUAL[fact])
    counts.current.threw = Math.round(DAY * dayBefore)

    const visit = (release: Release, n: number) => {
      const isIncident = release === 'current' && counts.current.views < DAY + INCIDENT
      counts[release].views += n * viewsEach
      for (const fact of FACTS) {
        const share = isIncident && fact === 'threw' ? Math.max(incident, USUAL.threw) : usual[release][fact]
        counts[release][fact] += binomial(n, share, next) * viewsEach
      }
    }
    let comparison = beginComparison(structuredClone(counts))
    let percent = steps[0] ?? 0
    const end = { visitors: 0, affected: 0 }
    for (let look = 0; look < looks; look++) {
      const chosen = binomial(visitors, percent / 100, next)
      visit('canary', chosen)
      visit('current', visitors - chosen)
      end.affected += chosen
      end.visitors += visitors
      const forged = forge?.(percent)
      for (const release of ['canary', 'current'] as const) {
        counts[release].views += forged?.[release] ?? 0
        counts[release].threw += forged?.threw[release] ?? 0
      }
      const compared = compare(comparison, structuredClone(counts), { steps, views, percent })
      if (compared.worse.length > 0) return { ...end, verdict: 'ended' }
      comparison = compared.comparison
      const step = nextStep({ steps, views, percent }, comparison)
      if (step === 100) return { ...end, verdict: 'promoted' }
      if (step === null) continue
      percent = step
      comparison = beginStep(comparison)
    }
    return { ...end, verdict: 'stays' }
  }
}
