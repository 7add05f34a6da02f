import fc from 'fast-check'
import {
  type Digits,
  emptyDigits,
  enterText,
  eraseBefore,
  isDigit,
  spreadDigits,
} from './digit-entry.ts'

const boxes = (text: string): Digits => [...text].map((char) => (char === '_' ? '' : char))
const shown = (digits: Digits) => digits.map((digit) => digit || '_').join('')

const entered =
  (enter: typeof enterText) =>
  (before: string, index: number, text: string, after: string, focus: number, refused: boolean) => {
    const entry = enter(boxes(before), index, text)
    expect([shown(entry.digits), entry.focus, entry.refused]).toEqual([after, focus, refused])
  }

const box = fc.nat({ max: 3 })
const digit = fc.constantFrom(...'0123456789')
const four = (content: fc.Arbitrary<string>) => fc.tuple(content, content, content, content)
const before = four(fc.oneof(digit, fc.constantFrom('', 'a')))
/** The same digit on an East Asian keyboard. */
const wide = (typed: string) => String.fromCharCode(typed.charCodeAt(0) + 0xfee0)

it('writes a digit that is typed into any box, also beside its old content', () => {
  const typing = fc.property(before, box, digit, (old, index, typed) => {
    const entry = { digits: old.with(index, typed), focus: Math.min(index + 1, 3), refused: false }
    for (const text of [typed, wide(typed), typed + old[index], old[index] + typed])
      expect(enterText(old, index, text)).toEqual(entry)
  })
  fc.assert(typing)
})

it('keeps the last four digits of a pasted account number, plain or masked', () => {
  const front = fc.array(fc.oneof(digit, fc.constantFrom(' ', '\n', '*', '-')))
  const pasting = fc.property(before, box, front, four(digit), (old, index, start, digits) => {
    const entry = spreadDigits(old, index, [...start, ...digits].join(''))
    expect(entry).toEqual({ digits, focus: 3, refused: false })
  })
  fc.assert(pasting)
})

it.each([
  // before, box, its new content, after, focus, refused
  // Cleared.
  ['1234', 2, '', '12_4', 2, false],
  ['1___', 1, ' ', '1___', 1, false],
  // No digit: it stays to be seen, and so does the focus.
  ['____', 0, 'a', 'a___', 0, true],
  ['1___', 1, '-', '1-__', 1, true],
  ['5___', 0, '5a', 'a___', 0, true],
  ['____', 0, 'abc', 'a___', 0, true],
  // Several at once: a keyboard's suggestion or an autofill.
  ['9___', 1, '1234', '1234', 3, false],
])('%s, box %d becomes %j', entered(enterText))

it.each([
  ['____', 0, '12', '12__', 2, false],
  ['9__9', 1, '12', '9129', 3, false],
  ['____', 3, '12', '___1', 3, false],
  ['____', 0, '12a4', '124_', 3, true],
  ['1___', 1, 'abcd', '1___', 1, true],
  ['____', 0, 'VCB 1234 (An)', '1234', 3, false],
  ['____', 2, '\u200b1234\u2069', '1234', 3, false],
  ['1___', 1, '1234 hoặc 5678', '1___', 1, true],
  ['1___', 1, '12 hoặc 34', '1___', 1, true],
  ['1___', 1, '  ', '1___', 1, false],
])('%s, box %d gets %j pasted', entered(spreadDigits))

it('a box is empty or has one digit', () => {
  expect(emptyDigits).toEqual(['', '', '', ''])
  expect(['', '1', '12', 'a1', '1a', '１'].filter(isDigit)).toEqual(['1'])
})

it('erasing before the first box stays there', () => {
  const erased = { digits: boxes('_2__'), focus: 0, refused: false }
  expect(eraseBefore(boxes('12__'), 0)).toEqual(erased)
  expect(eraseBefore(boxes('12__'), 1)).toEqual(erased)
})
