import { createHmac, timingSafeEqual } from 'node:crypto'
import type { LoginKeys } from '../server/pepper.ts'

/** The form in which accounts are compared: Unicode's composed form, lower case, trimmed. */
export const accountKey = (account: string): string => account.normalize('NFC').trim().toLowerCase()

/** The key of a forgotten member's pseudonym: no account that somebody may have begins with a control character. */
export const pseudonymKey = (pseudonym: string): string => `\u0001${pseudonym}`

/** A hash of a text that nobody can make without the key; of another account it is another. */
export const keyedHash = (key: Buffer, account: string, text: string): Buffer =>
  createHmac('sha256', key)
    .update(`${accountKey(account)}\0${text}`)
    .digest()

/**
 * Hash of the last four bank digits. Four digits are found by trying: the pepper, which is not in the database, makes a
 * stolen database useless, and the account makes equal digits hash differently.
 */
export const bankHash = (keys: LoginKeys, account: string, digits: string): Buffer =>
  keyedHash(keys.digits, account, digits)

/** Constant-time comparison of two hashes. */
export const sameHash = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && timingSafeEqual(a, b)
