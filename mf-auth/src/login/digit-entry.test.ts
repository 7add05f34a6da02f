import { type Digits, spread, type } from './digit-entry.ts'

const boxes = (text: string): Digits => [...text].map((char) => (char === '_' ? '' : char))
const shown = (digits: Digits) => digits.map((digit) => digit || '_').join('')

const entered =
  (enter: typeof type) =>
  (before: string, index: number, text: string, after: string, focus: number, refused: boolean) => {
    const entry = enter(boxes(before), index, text)
    expect([shown(entry.digits), entry.focus, entry.refused]).toEqual([after, focus, refused])
  }

it.each([
  // before, box, its new content, after, focus, refused
  ['____', 0, '1', '1___', 1, false],
  ['123_', 3, '4', '1234', 3, false],
  ['1234', 1, '9', '1934', 2, false],
  // Beside the old digit, before or after it, and the same again.
  ['12__', 1, '27', '17__', 2, false],
  ['12__', 1, '72', '17__', 2, false],
  ['12__', 1, '22', '12__', 2, false],
  // Cleared.
  ['1234', 2, '', '12_4', 2, false],
  ['1___', 1, ' ', '1___', 1, false],
  // No digit: it stays to be seen, and so does the focus.
  ['____', 0, 'a', 'a___', 0, true],
  ['1___', 1, '-', '1-__', 1, true],
  ['5___', 0, '5a', 'a___', 0, true],
  ['____', 0, 'abc', 'a___', 0, true],
  ['a___', 0, 'a7', '7___', 1, false],
  // Full-width digits of an East Asian keyboard.
  ['____', 0, '４', '4___', 1, false],
  // Several at once: a keyboard's suggestion or an autofill.
  ['9___', 1, '1234', '1234', 3, false],
])('%s, box %d becomes %j', entered(type))

it.each([
  ['____', 0, '1234', '1234', 3, false],
  ['9999', 3, '0042', '0042', 3, false],
  ['____', 0, '12', '12__', 2, false],
  ['9__9', 1, '12', '9129', 3, false],
  ['____', 3, '12', '___1', 3, false],
  ['____', 0, ' 12 34 ', '1234', 3, false],
  ['____', 0, '12\n34', '1234', 3, false],
  // A whole account number, plain or masked: its last four are asked for.
  ['____', 0, '0071000851234', '1234', 3, false],
  ['____', 0, '**** **** 0042', '0042', 3, false],
  ['____', 0, '12a4', '124_', 3, true],
  ['1___', 1, 'abcd', '1___', 1, true],
  ['1___', 1, '  ', '1___', 1, false],
])('%s, box %d gets %j pasted', entered(spread))
