/** How many views of each release something was measured of, and in how many of them it was bad. */
export interface Sample {
  readonly canary: Share
  readonly current: Share
}
export interface Share {
  readonly n: number
  readonly bad: number
}

/** Chance that a canary as good as the current release is ever ended, however often it is judged. */
export const FALSE_ALARMS = 0.05

/**
 * Views of one visitor are alike, so that many together count as one. Between two looks that is on the safe side however
 * alike they are (Hölder's inequality).
 */
const VIEWS_A_VISITOR = 2

/** The test looks for a canary that is bad so many times as often as the current release. */
const RATIOS = [1.2, 1.5, 2, 3, 5, 10]
export const NO_EVIDENCE: readonly number[] = RATIOS.map(() => 0)

/**
 * Adds what was counted since the last judgement to the evidence that the canary is worse. One martingale for each
 * ratio (mixture SPRT: Robbins, Ann. Math. Stat. 41, 1970; betting: Ramdas et al., Stat. Sci. 38, 2023): of the bad
 * views, the canary has the share `p` that it has of all if it is as good, and `rp / (1 - p + rp)` if it is `r` times as
 * bad. The likelihood ratio of the two is 1 on average if it is as good, and less if it is better. Given the counts
 * that is exact for rare events, and on the safe side for others: draws without replacement vary less than the
 * binomial's (Hoeffding, JASA 58, 1963).
 * @param logs of the likelihood ratios so far
 */
export function addEvidence(logs: readonly number[], { canary, current }: Sample): number[] {
  const p = canary.n / Math.max(1, canary.n + current.n)
  return RATIOS.map(
    (r, i) =>
      (logs[i] ?? 0) +
      (canary.bad * Math.log(r) - (canary.bad + current.bad) * Math.log(1 - p + r * p)) / VIEWS_A_VISITOR,
  )
}

/**
 * An e-value: by Ville's inequality it reaches 1/a with probability a at most, ever, if the canary is no worse. Its
 * inverse is a p-value that stays valid under continuous peeking.
 */
export const evidenceOf = (logs: readonly number[]): number =>
  logs.reduce((sum, log) => sum + Math.exp(Math.min(log, 100)), 0) / Math.max(1, logs.length)
