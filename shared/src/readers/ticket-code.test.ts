import fc from 'fast-check'
import { BLANKS, DASHES, spellingOf } from '../testing/spellings.ts'
import { CODE_LENGTH, CODE_SYMBOLS, readTicketCode, readTicketCodes } from './ticket-code.ts'

const code = fc
  .string({
    unit: fc.constantFrom(...CODE_SYMBOLS),
    minLength: CODE_LENGTH,
    maxLength: CODE_LENGTH,
  })
  .map((symbols) => symbols.replace(/(.{4})(?=.)/g, '$1-'))

const label = fc.constantFrom('', 'Mã: ', 'Mã dự thưởng ', '#', 'code=', '"', '(', 'Mã vé\n', '“')
const end = fc.constantFrom('', '.', ',', ' ;', ')', '"', '”', '!', '\r\n')
const separator = fc.constantFrom('', ...BLANKS, ...DASHES, ' - ', '_', '/', '.')
const asCase = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.toLowerCase(),
)
const mixedUp = fc.constantFrom(
  (text: string) => text,
  (text: string) => text.replaceAll('0', 'o').replaceAll('1', 'l'),
  (text: string) => text.replaceAll('0', 'O').replaceAll('1', 'I'),
)

/**
 * A code and a text that a person may have typed, pasted or copied from a
 * message for it.
 */
const written = fc
  .tuple(code, label, separator, separator, end, asCase, mixedUp)
  .chain(([stored, before, first, second, after, recase, mixUp]) => {
    const [a, b, c] = stored.split('-') as [string, string, string] // three groups of four
    const typed = mixUp(recase([a, first, b, second, c].join('')))
    return fc.tuple(fc.constant(stored), spellingOf(`${before}${typed}${after}`))
  })

test('a code is read however it is written', () => {
  fc.assert(
    fc.property(written, ([stored, text]) => {
      expect(readTicketCode(text)).toBe(stored)
    }),
    { numRuns: 2000 },
  )
})

test('several codes that are copied at once are read in their order', () => {
  const joined = fc.constantFrom(', ', '\n', '; ', ' ', '|')
  fc.assert(
    fc.property(fc.array(code, { minLength: 2, maxLength: 18 }), joined, (codes, between) => {
      expect(readTicketCodes(codes.join(between)).codes).toEqual(codes)
    }),
  )
})

test('a text with another number of symbols, or with another letter, is no code', () => {
  const wrong = fc.oneof(
    code.map((stored) => stored.slice(0, -1)),
    code.map((stored) => `${stored}0`),
    code.map((stored) => `${stored}-0000`),
    fc.tuple(code, fc.nat(11), fc.constantFrom(...'ßıſuêđаΑ中')).map(([stored, place, letter]) => {
      const symbols = [...stored.replaceAll('-', '')]
      symbols[place] = letter === 'ſ' ? 'u' : letter
      return symbols.join('')
    }),
    fc.string({ maxLength: 11 }),
  )
  fc.assert(
    fc.property(wrong, (text) => {
      expect(readTicketCode(text)).toBeNull()
    }),
    { numRuns: 1000 },
  )
})

test.each([
  ['386ư-20QB-17CB', 'input-method'],
  ['Mã: 38ă6-20QB-17CB', 'input-method'],
  ['đemo', 'input-method'],
  ['Mã dự thưởng 1234', 'malformed'],
  ['A51C-20QB', 'malformed'],
  ['', 'malformed'],
])('%s is refused as %s', (text, problem) => {
  expect(readTicketCodes(text)).toEqual({ codes: [], problem })
})

test('a group that is typed like a label is part of the code', () => {
  expect(readTicketCode('Mã: CODE 1234 5678')).toBe('C0DE-1234-5678')
})

test('two different codes are never taken for one', () => {
  expect(readTicketCode('A51C-20QB-17CB, A51C-20QB-17CC')).toBeNull()
  expect(readTicketCode('A51C-20QB-17CB, a51c20qb17cb')).toBe('A51C-20QB-17CB')
})
