import { randomBytes } from 'node:crypto'
import { CODE_LENGTH, CODE_SYMBOLS } from '@anniversary/shared/readers/ticket-code'

/**
 * Returns a code such as `A51C-20QB-17CB`.
 * @param bytes 12 random bytes, of which 5 bits each are used
 */
const ticketCode = (bytes: Uint8Array): string =>
  Array.from(
    bytes,
    (byte, i) => (i > 0 && i % 4 === 0 ? '-' : '') + CODE_SYMBOLS.charAt(byte & 31),
  ).join('')

/** Takes all bytes in one call: twelve cost nearly as much as thousands. */
export function newTicketCodes(count: number): string[] {
  const bytes = randomBytes(count * CODE_LENGTH)
  return Array.from({ length: count }, (_, i) =>
    ticketCode(bytes.subarray(i * CODE_LENGTH, (i + 1) * CODE_LENGTH)),
  )
}
