import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { shardNamedBy, shardSymbols } from './shard.ts'

/** The form in which accounts are compared: Unicode's composed form, lower case, trimmed. */
export const accountKey = (account: string): string => account.normalize('NFC').trim().toLowerCase()

/** The secret that keys hashes, and while it is replaced the one before it, which still logs members in. */
export type Peppers = readonly [current: string] | readonly [current: string, former: string]

export const peppersFrom = ([current = '', former]: readonly string[]): Peppers =>
  former === undefined ? [current] : [current, former]

/** Identifies a pepper without revealing it: 8 bytes. */
const fingerprint = (pepper: string): Buffer =>
  createHmac('sha256', pepper).update('anniversary pepper').digest().subarray(0, 8)

export const pepperFingerprint = (pepper: string): string => fingerprint(pepper).toString('hex')

/**
 * Hash of the last four bank digits, behind the fingerprint of its pepper. Four digits are found by trying: the pepper,
 * which is not in the database, makes a stolen database useless, and the account makes equal digits hash differently.
 */
const bankHash = (pepper: string, account: string, digits: string): Buffer =>
  Buffer.concat([
    fingerprint(pepper),
    createHmac('sha256', pepper)
      .update(`${accountKey(account)}\0${digits}`)
      .digest(),
  ])

/** The hash to store, and while the pepper is replaced the one that may be stored. */
export interface BankHashes {
  readonly current: Buffer
  readonly former: Buffer | null
}

export const bankHashes = ([current, former]: Peppers, account: string, digits: string): BankHashes => ({
  current: bankHash(current, account, digits),
  former: former === undefined ? null : bankHash(former, account, digits),
})

/** Which hash a stored one equals. Compares both, whatever the first says: the time tells nothing. */
export function matchingHash(given: BankHashes, stored: Uint8Array): 'current' | 'former' | undefined {
  const [isCurrent, isFormer] = [given.current, given.former ?? given.current].map((hash) =>
    sameHash(hash, stored),
  )
  return isCurrent ? 'current' : isFormer ? 'former' : undefined
}

/** Constant-time comparison of two hashes of equal length. */
export const sameHash = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && timingSafeEqual(a, b)

/** A session's token: its member's shard, and 256 random bits. */
export const newToken = (shard: number): string => shardSymbols(shard) + randomBytes(32).toString('base64url')

/** How the database knows a session. */
export interface SessionKey {
  readonly shard: number
  /** SHA-256 of the token. No salt or stretching: 256 random bits cannot be guessed. */
  readonly hash: Buffer
}

/** The key of a token's session. A text that names no shard is no token: shard 0 has no such session. */
export const sessionKey = (token: string): SessionKey => ({
  shard: shardNamedBy(token) ?? 0,
  hash: hash('sha256', token, 'buffer'),
})
