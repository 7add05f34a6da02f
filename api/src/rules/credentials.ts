import { createHmac, hash, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

/** The form in which accounts are compared: Unicode's composed form, lower case, trimmed. */
export const accountKey = (account: string): string => account.normalize('NFC').trim().toLowerCase()

/** What is derived from the login pepper, each by a label of its own, so that none says anything about another. */
export interface LoginKeys {
  readonly digits: Buffer
  readonly devices: Buffer
  /** Identifies the pepper without revealing it. */
  readonly fingerprint: string
}

export function loginKeys(pepper: string): LoginKeys {
  const derive = (label: string) => Buffer.from(hkdfSync('sha256', pepper, '', label, 32))
  return {
    digits: derive('bank digits'),
    devices: derive('known devices'),
    fingerprint: derive('fingerprint').toString('hex', 0, 8),
  }
}

/**
 * Hash of the last four bank digits. Four digits are found by trying: the pepper, which is not in the database, makes a
 * stolen database useless, and the account makes equal digits hash differently.
 */
export const bankHash = ({ digits: key }: LoginKeys, account: string, digits: string): Buffer =>
  createHmac('sha256', key)
    .update(`${accountKey(account)}\0${digits}`)
    .digest()

/** Constant-time comparison of two hashes. */
export const sameHash = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && timingSafeEqual(a, b)

/** A session's token: 256 random bits. */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** SHA-256 of the token, by which the database knows the session. 256 random bits need no salt and no stretching. */
export const sessionKey = (token: string): Buffer => hash('sha256', token, 'buffer')
