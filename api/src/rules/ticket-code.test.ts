import { TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { SHARDS, SYMBOLS, shardNamedBy } from './shard.ts'
import { claimCodes, parseTicketCode, ticketCode } from './ticket-code.ts'

const code = fc
  .tuple(fc.nat(SHARDS - 1), fc.uint8Array({ minLength: 9, maxLength: 9 }))
  .map(([shard, bytes]) => ticketCode(shard, bytes))

describe('a ticket code', () => {
  test('has the form A51C-20QB-17CB, and reads back as itself', () => {
    fc.assert(
      fc.property(code, (text) => {
        expect(text).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){2}$/)
        expect(parseTicketCode(text)).toBe(text)
      }),
    )
  })

  test('reads what a person types', () => {
    const text = ticketCode(1, Uint8Array.from([0, 1, 10, 11, 12, 13, 0, 1, 20]))
    const typed = text.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
    expect(typed).not.toBe(text)
    expect(parseTicketCode(` ${typed} `)).toBe(text)
  })

  test('shows every wrong symbol', () => {
    fc.assert(
      fc.property(code, fc.nat(11), fc.nat(31), (text, position, symbol) => {
        const letters = [...text.replaceAll('-', '')]
        const wrong = SYMBOLS[symbol] ?? ''
        fc.pre(letters[position] !== wrong)
        letters[position] = wrong
        expect(parseTicketCode(letters.join(''))).toBeNull()
      }),
    )
  })

  test('shows every two exchanged symbols', () => {
    fc.assert(
      fc.property(code, fc.nat(11), fc.nat(11), (text, a, b) => {
        const letters = [...text.replaceAll('-', '')]
        const [x = '', y = ''] = [letters[a], letters[b]]
        fc.pre(x !== y)
        letters[a] = y
        letters[b] = x
        expect(parseTicketCode(letters.join(''))).toBeNull()
      }),
    )
  })

  test.each(['', '0000-0000-000', '0000-0000-00000', 'U000-0000-0000', '😀'])('is not %j', (text) => {
    expect(parseTicketCode(text)).toBeNull()
  })

  test('names its shard, and is never given twice', () => {
    const codes = claimCodes(Array.from({ length: 2 * SHARDS }, (_, i) => i % SHARDS))
    expect(codes.every((text, i) => shardNamedBy(text) === Math.floor(i / TICKETS_PER_STAGE) % SHARDS)).toBe(
      true,
    )
    expect(new Set(codes).size).toBe(2 * SHARDS * TICKETS_PER_STAGE)
  })
})
