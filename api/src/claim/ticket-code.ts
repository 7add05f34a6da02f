import { randomBytes } from 'node:crypto'
import { TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'

/** Crockford's base 32: no I, L, O, U. */
const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const LENGTH = 12

/** Returns a code such as `A51C-20QB-17CB`. @param bytes 12 random bytes, of which 5 bits each are used */
const ticketCode = (bytes: Uint8Array): string =>
  Array.from(
    bytes,
    (byte, i) => (i > 0 && i % 4 === 0 ? '-' : '') + SYMBOLS.charAt(byte & 31),
  ).join('')

/** Returns the most codes that these claims can need. Random bytes come in one call: twelve cost nearly as much as thousands. */
export function claimCodes(claims: number): string[] {
  const bytes = randomBytes(claims * TICKETS_PER_STAGE * LENGTH)
  return Array.from({ length: claims * TICKETS_PER_STAGE }, (_, i) =>
    ticketCode(bytes.subarray(i * LENGTH, (i + 1) * LENGTH)),
  )
}

/** Returns the stored form of what a person typed: O becomes 0, I and L become 1. Null when it is not a code. */
export function parseTicketCode(text: string): string | null {
  const typed = text.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1')
  return new RegExp(`^[${SYMBOLS}]{${LENGTH}}$`).test(typed)
    ? typed.replace(/(.{4})(?=.)/g, '$1-')
    : null
}
