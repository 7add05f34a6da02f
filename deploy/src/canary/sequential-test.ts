/** Chance that a canary as good as the current release is ever ended, all tests and looks together. */
export const FALSE_ALARMS = 0.05

/**
 * Views of one visitor are alike, so that many together count as one. Between two looks that is on the safe side however
 * alike they are (Hölder's inequality).
 */
const VIEWS_A_VISITOR = 2

/** Odds ratios that the test looks for. */
const RATIOS = [1.2, 1.5, 2, 3, 5, 10]
export const NO_EVIDENCE: readonly number[] = RATIOS.map(() => 0)

/** `k` of `n`, each with probability `p` at most if there is no harm. */
interface Trials {
  readonly k: number
  readonly n: number
  readonly p: number
}

/**
 * Adds trials to the evidence of harm: one likelihood ratio of the binomial for each odds ratio (mixture SPRT: Robbins,
 * Ann. Math. Stat. 41, 1970; betting: Ramdas et al., Stat. Sci. 38, 2023). Without harm each is 1 on average or less.
 * @param logs of the likelihood ratios so far
 */
export const addEvidence = (logs: readonly number[], { k, n, p }: Trials): number[] =>
  RATIOS.map((r, i) => (logs[i] ?? 0) + (k * Math.log(r) - n * Math.log(1 - p + r * p)) / VIEWS_A_VISITOR)

/** The same evidence without a debt: a good past does not pay for harm to come. */
export const withoutDebt = (logs: readonly number[]): number[] => logs.map((log) => Math.max(0, log))

/**
 * An e-value: without harm it ever reaches 1/a with probability a at most (Ville's inequality), or s × a when it was
 * freed of debt s - 1 times: `max(1, x)` is at most `1 + x`.
 */
export const evidenceOf = (logs: readonly number[]): number =>
  logs.reduce((sum, log) => sum + Math.exp(Math.min(log, 100)), 0) / logs.length
