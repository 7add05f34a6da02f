import { createHmac, randomBytes } from 'node:crypto'
import { accountKey, type Peppers, sameHash } from './credentials.ts'

/*
 * A device on which an account has logged in before keeps a bucket of failures of its own, so that a stranger who
 * guesses cannot lock the member out (OWASP calls this device cookies). The mark is `<id>.<signature>`; the signature
 * binds it to one account. It gives no access to anything.
 */

const sign = (pepper: string, account: string, id: string): Buffer =>
  createHmac('sha256', pepper)
    .update(`device\0${accountKey(account)}\0${id}`)
    .digest()

/** @param id of a known device, whose mark is signed anew */
export const deviceMark = (
  [pepper]: Peppers,
  account: string,
  id = randomBytes(12).toString('base64url'),
): string => `${id}.${sign(pepper, account, id).toString('base64url')}`

/** The device's id when the mark is ours and of this account, else undefined. */
export function knownDevice(peppers: Peppers, account: string, mark: string | undefined): string | undefined {
  const [id = '', signature = ''] = mark?.split('.') ?? []
  if (!id || !signature) return undefined
  const given = Buffer.from(signature, 'base64url')
  const isOurs = peppers.some((pepper) => sameHash(given, sign(pepper, account, id)))
  return isOurs ? id : undefined
}
