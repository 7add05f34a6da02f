import { networkKeys } from '../server/network-address.ts'

/** The login guard's numbers. Four digits have 10,000 values: only counting the attempts protects them. */
export const LOGIN_GUARD = {
  /** Failures of one account (or of one account on a known device) before it is locked. */
  freeFailures: 5,
  /** First lock; each further failure doubles it. */
  lockSeconds: 60,
  maxLockSeconds: 24 * 3600,
  /** An account without attempts for this long starts anew: the hourly sweep forgets it. */
  forgetDays: 7,
  /** Of the limits below. */
  windowSeconds: 1800,
} as const

/** A bucket that holds `burst` calls; one comes back each `windowSeconds / burst`. */
export interface Limit {
  readonly key: string
  readonly burst: number
}

/** Shared by all: what a crowd of addresses may try, about 430,000 accounts a day. */
export const EVERYBODY = 'login:everybody'

/**
 * Limits of an address, in accounts at which it failed without logging in to them afterwards. Right logins cost nothing,
 * since a mobile carrier's members share an address; further failures at one account are for that account's lock.
 */
export function loginLimits(address: string): readonly Limit[] {
  const [peer, network] = networkKeys(address)
  return [
    { key: `login:${peer}`, burst: 30 },
    ...(network ? [{ key: `login:${network}`, burst: 300 }] : []),
    { key: EVERYBODY, burst: 9000 },
  ]
}
