import { createHmac, timingSafeEqual } from 'node:crypto'
import { readAccounts } from '@anniversary/shared/readers/account'
import type { LoginKeys } from '../server/pepper.ts'

/**
 * Returns the form in which accounts are compared: composed Unicode, lower case, trimmed. Composed again after the lower
 * case, since no upper case of some letters is composed, such as that of ǰ.
 */
export const accountKey = (account: string): string =>
  account.normalize('NFC').trim().toLowerCase().normalize('NFC')

/** Returns the keys of the accounts that a typed text can mean, the likeliest first; the first that exists is meant. */
export const accountKeys = (text: string): readonly string[] => readAccounts(text).map(accountKey)

/** Returns the key of a forgotten member's pseudonym. Real accounts cannot begin with a control character. */
export const pseudonymKey = (pseudonym: string): string => `\u0001${pseudonym}`

/** Returns a keyed hash of a text, which differs between accounts. */
export const keyedHash = (key: Buffer, account: string, text: string): Buffer =>
  createHmac('sha256', key)
    .update(`${accountKey(account)}\0${text}`)
    .digest()

/**
 * Returns the hash of the last four bank digits. Only 10,000 values exist, so the key is derived from the pepper, which is
 * not in the database: a stolen database alone does not reveal them.
 */
export const bankHash = (keys: LoginKeys, account: string, digits: string): Buffer =>
  keyedHash(keys.digits, account, digits)

/** Compares two hashes in constant time. */
export const sameHash = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && timingSafeEqual(a, b)
