import { createHmac, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { shardNamedBy, shardSymbols } from './shard.ts'

/** The form in which accounts are compared: Unicode's composed form, lower case, trimmed. */
export const accountKey = (account: string): string => account.normalize('NFC').trim().toLowerCase()

/**
 * Hash of the last four bank digits. Four digits are found by trying: the pepper, which is not in the database, makes a
 * stolen database useless, and the account makes equal digits hash differently.
 */
export const bankHash = (pepper: string, account: string, digits: string): Buffer =>
  createHmac('sha256', pepper)
    .update(`${accountKey(account)}\0${digits}`)
    .digest()

/** Constant-time comparison of two hashes of equal length. */
export const sameHash = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && timingSafeEqual(a, b)

/** Identifies a pepper without revealing it. */
export const pepperFingerprint = (pepper: string): string =>
  createHmac('sha256', pepper).update('anniversary pepper').digest('hex').slice(0, 16)

/** A session's token: its member's shard, and 256 random bits. */
export const newToken = (shard: number): string => shardSymbols(shard) + randomBytes(32).toString('base64url')

/** How the database knows a session. */
export interface SessionKey {
  readonly shard: number
  /** SHA-256 of the token. No salt or stretching: 256 random bits cannot be guessed. */
  readonly hash: Buffer
}

/** The key of a token's session. What names no shard is no session's token: any shard will do to find none. */
export const sessionKey = (token: string): SessionKey => ({
  shard: shardNamedBy(token) ?? 0,
  hash: hash('sha256', token, 'buffer'),
})
