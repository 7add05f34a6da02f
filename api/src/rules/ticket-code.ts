import { randomBytes } from 'node:crypto'
import { TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { SYMBOLS, shardSymbols } from './shard.ts'

/** Symbols before the check symbol: two name the member's shard, nine are random. */
const DATA_SYMBOLS = 11
const RANDOM_SYMBOLS = 9

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

/**
 * A code such as `A51C-20QB-17CB`: the shard, 45 random bits, a check symbol.
 * @param shard of its owner
 * @param bytes 9 random bytes
 */
export function ticketCode(shard: number, bytes: Uint8Array = randomBytes(RANDOM_SYMBOLS)): string {
  const random = Array.from(bytes.subarray(0, RANDOM_SYMBOLS), (byte) => byte & 31)
  const data = [...Array.from(shardSymbols(shard), (symbol) => SYMBOLS.indexOf(symbol)), ...random]
  return grouped([...data, checkSymbol(data)])
}

/**
 * As many codes as a claim can give, for each of these shards. Their random bytes are asked for in one go: nine cost the
 * operating system nearly as much as thousands.
 */
export function claimCodes(shards: readonly number[]): string[] {
  const owners = shards.flatMap((shard) => Array<number>(TICKETS_PER_STAGE).fill(shard))
  const bytes = randomBytes(owners.length * RANDOM_SYMBOLS)
  return owners.map((shard, i) => ticketCode(shard, bytes.subarray(i * RANDOM_SYMBOLS)))
}

/**
 * What a person typed, as the code is stored: case, spaces and hyphens do not matter, O is 0, I and L are 1.
 * @returns null when it cannot be a code
 */
export function parseTicketCode(text: string): string | null {
  const symbols = [...text.toUpperCase().replace(/[\s-]/g, '')].map((letter) =>
    SYMBOLS.indexOf(letter === 'O' ? '0' : letter === 'I' || letter === 'L' ? '1' : letter),
  )
  if (symbols.length !== DATA_SYMBOLS + 1 || symbols.includes(-1)) return null
  return checkSymbol(symbols.slice(0, DATA_SYMBOLS)) === symbols[DATA_SYMBOLS] ? grouped(symbols) : null
}
