import { randomBytes } from 'node:crypto'
import { TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'

/** Crockford's base 32: no I, L, O, U. */
export const SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

const DATA_SYMBOLS = 11

/** Product in GF(32), reduced by x^5 + x^2 + 1. */
function times(a: number, b: number): number {
  let product = 0
  for (let x = a, y = b; y > 0; y >>= 1) {
    if (y & 1) product ^= x
    x <<= 1
    if (x & 32) x ^= 37
  }
  return product
}

/**
 * The check symbol makes the weighted sum of all twelve zero. The weights are different powers of a generator, so a
 * wrong symbol and two exchanged symbols always show.
 */
function checkSymbol(data: readonly number[]): number {
  let sum = 0
  let weight = 2
  for (const symbol of data) {
    sum ^= times(symbol, weight)
    weight = times(weight, 2)
  }
  return sum
}

const grouped = (symbols: readonly number[]): string =>
  symbols.map((symbol, i) => (i > 0 && i % 4 === 0 ? '-' : '') + SYMBOLS.charAt(symbol)).join('')

/** A code such as `A51C-20QB-17CB`. @param bytes 11 random ones, of which 5 bits each count */
export function ticketCode(bytes: Uint8Array): string {
  const data = Array.from(bytes, (byte) => byte & 31)
  return grouped([...data, checkSymbol(data)])
}

/** As many codes as these claims can give. Random bytes in one go: eleven cost nearly as much as thousands. */
export function claimCodes(claims: number): string[] {
  const bytes = randomBytes(claims * TICKETS_PER_STAGE * DATA_SYMBOLS)
  return Array.from({ length: claims * TICKETS_PER_STAGE }, (_, i) =>
    ticketCode(bytes.subarray(i * DATA_SYMBOLS, (i + 1) * DATA_SYMBOLS)),
  )
}

/** What a person typed, as the code is stored: O is 0, I and L are 1. Null when it cannot be a code. */
export function parseTicketCode(text: string): string | null {
  const symbols = [...text.toUpperCase().replace(/[\s-]/g, '')].map((letter) =>
    SYMBOLS.indexOf(letter === 'O' ? '0' : letter === 'I' || letter === 'L' ? '1' : letter),
  )
  if (symbols.length !== DATA_SYMBOLS + 1 || symbols.includes(-1)) return null
  return checkSymbol(symbols.slice(0, DATA_SYMBOLS)) === symbols[DATA_SYMBOLS] ? grouped(symbols) : null
}
