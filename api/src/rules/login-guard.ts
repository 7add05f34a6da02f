/** The login guard's numbers. Four digits have 10,000 values: only counting the attempts protects them. */
export const LOGIN_GUARD = {
  /** Failures of one account (or of one account on a known device) before it is locked. */
  freeFailures: 5,
  /** First lock; each further failure doubles it. */
  lockSeconds: 60,
  maxLockSeconds: 24 * 3600,
  /** An account without attempts for this long starts anew. */
  forgetDays: 7,
} as const

/** How many calls a bucket holds, and how many seconds one takes to come back. */
export interface RateRule {
  readonly burst: number
  readonly secondsEach: number
}

/** Failed logins of one address. Successful ones are given back: a mobile carrier's members share an address. */
export const LOGIN_RATE: RateRule = { burst: 30, secondsEach: 6 }
/** Searches on /check of one address. */
export const CHECK_RATE: RateRule = { burst: 20, secondsEach: 3 }
