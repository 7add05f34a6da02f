import { createHmac, timingSafeEqual } from 'node:crypto'
import { readAccounts } from '@anniversary/shared/readers/account'
import type { LoginKeys } from '../server/pepper.ts'

/**
 * Composed again after the lower case, since no upper case of some letters is
 * composed, such as that of ǰ.
 */
export const accountKey = (account: string): string =>
  account.normalize('NFC').trim().toLowerCase().normalize('NFC')

/** The likeliest first; the first that exists is meant. */
export const accountKeys = (text: string): readonly string[] => readAccounts(text).map(accountKey)

/** Real accounts cannot begin with a control character. */
export const pseudonymKey = (pseudonym: string): string => `\u0001${pseudonym}`

/** Also the key of a forgotten member, whom operators know by the pseudonym. */
export const operatorAccountKeys = (text: string): readonly string[] => [
  ...accountKeys(text),
  pseudonymKey(accountKey(text)),
]

/** Differs between accounts. */
export const hashWithKey = (key: Buffer, account: string, text: string): Buffer =>
  createHmac('sha256', key)
    .update(`${accountKey(account)}\0${text}`)
    .digest()

/**
 * Only 10,000 values exist: a stolen database does not reveal them without the
 * pepper, which is not in it.
 */
export const hashBankDigits = (keys: LoginKeys, account: string, digits: string): Buffer =>
  hashWithKey(keys.digits, account, digits)

/** Takes constant time. */
export const areHashesEqual = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && timingSafeEqual(a, b)
