import { TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { claimCodes, parseTicketCode, ticketCode } from './ticket-code.ts'

const code = fc.uint8Array({ minLength: 12, maxLength: 12 }).map(ticketCode)

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
    const text = ticketCode(Uint8Array.from([5, 31, 0, 1, 10, 11, 12, 13, 0, 1, 20, 9]))
    const typed = text.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')
    expect(typed).not.toBe(text)
    expect(parseTicketCode(` ${typed} `)).toBe(text)
  })

  test.each(['', '0000-0000-000', '0000-0000-00000', 'U000-0000-0000', '😀'])('is not %j', (text) => {
    expect(parseTicketCode(text)).toBeNull()
  })

  test('is never given twice', () => {
    expect(new Set(claimCodes(1000)).size).toBe(1000 * TICKETS_PER_STAGE)
  })
})
