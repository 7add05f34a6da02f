import { createHmac, randomBytes } from 'node:crypto'
import { accountKey, sameHash } from './credentials.ts'

/*
 * A device on which an account has logged in before keeps a bucket of failures of its own, so that a stranger who
 * guesses cannot lock the member out (OWASP calls this device cookies). The mark is `<id>.<signature>`; the signature
 * binds it to one account. It gives no access to anything.
 */

const sign = (pepper: string, account: string, id: string): Buffer =>
  createHmac('sha256', pepper)
    .update(`device\0${accountKey(account)}\0${id}`)
    .digest()

export function newDeviceMark(pepper: string, account: string): string {
  const id = randomBytes(12).toString('base64url')
  return `${id}.${sign(pepper, account, id).toString('base64url')}`
}

/** The device's id when the mark is ours and of this account, else undefined. */
export function knownDevice(pepper: string, account: string, mark: string | undefined): string | undefined {
  const [id = '', signature = ''] = mark?.split('.') ?? []
  if (!id || !signature) return undefined
  return sameHash(Buffer.from(signature, 'base64url'), sign(pepper, account, id)) ? id : undefined
}
