import fc from 'fast-check'
import { spellingOf } from '../testing/spellings.ts'
import { readAmount } from './amount.ts'
import { readBankDigits, readFourDigits } from './bank-digits.ts'
import { readPrize } from './prize.ts'

const four = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 4, maxLength: 4 })

test('four digits are read with an account number, a mask, a label or a bank around them', () => {
  const before = fc.constantFrom(
    '',
    '0123456',
    '**** **** ',
    '••••',
    'VCB ',
    'STK: 0071-',
    '4 số cuối: ',
  )
  const after = fc.constantFrom('', '.', ' Vietcombank', ' (tháng 11)', ', cảm ơn')
  const written = fc
    .tuple(four, before, after)
    .chain(([digits, start, end]) =>
      fc.tuple(fc.constant(digits), spellingOf(`${start}${digits}${end}`)),
    )
  fc.assert(
    fc.property(written, ([digits, text]) => {
      expect(readBankDigits(text)).toBe(digits)
    }),
    { numRuns: 1000 },
  )
})

test.each(['', '123', 'a1b2c3d4', '1234 hoặc 5678', 'abcd', '١٢٣٤'])(
  '%s has no four digits',
  (text) => {
    expect(readBankDigits(text)).toBeUndefined()
  },
)

test.each([
  ['１２３４', '1234'],
  ['\u200b12 34 ', '1234'],
  ['12345', '12345'],
  ['42', '42'],
])('%s alone is read as %s', (text, read) => {
  expect(readFourDigits(text)).toBe(read)
})

test('an amount is read in any width and with invisible characters', () => {
  const amount = fc.tuple(fc.nat(), fc.constantFrom('', '.5', '.05', '.25'))
  const written = amount.chain(([points, cents]) =>
    fc.tuple(fc.constant(Number(`${points}${cents}`)), spellingOf(`${points}${cents}`)),
  )
  fc.assert(
    fc.property(written, ([points, text]) => {
      expect(readAmount(text)).toBe(points)
    }),
  )
})

test.each([
  [' " 12 " ', 12],
  ["'-7.5'", -7.5],
  ['+5', 5],
])('the amount %s is read as %s', (text, points) => {
  expect(readAmount(text)).toBe(points)
})

test.each([
  'x"5"',
  '"5"6',
  '15.000',
  '1,5',
  '1.000,50',
  '300 000',
  '300đ',
  '1e3',
  '0x1',
  '1.234',
  '',
  '--1',
  '１２.３４５',
])('the amount %s is refused, because it can be read in two ways or is none', (text) => {
  expect(readAmount(text)).toBeUndefined()
})

const PRIZES = ['Xe ô tô', 'Xe máy', 'Voucher 10 triệu đồng', 'Code 999k'].map((name) => ({ name }))

test('a prize is stored as the campaign spells it, however a spreadsheet has left it', () => {
  const written = fc
    .tuple(
      fc.constantFrom(...PRIZES),
      fc.constantFrom(
        (text: string) => text,
        (text: string) => text.toUpperCase(),
        (text: string) => text.replaceAll(' ', '  '),
        (text: string) => `"'${text} '".,`,
      ),
    )
    .chain(([prize, change]) => fc.tuple(fc.constant(prize), spellingOf(change(prize.name))))
  fc.assert(
    fc.property(written, ([prize, text]) => {
      expect(readPrize(text, PRIZES)).toBe(prize)
    }),
    { numRuns: 1000 },
  )
})

test.each([
  '',
  'Xe may',
  'Xe mÃ¡y',
  'Xe m¸y',
  '#REF!',
  'Code 999',
  'Xe máy 2',
  'Xe "máy',
  'Xemáy',
  'Xe, máy',
])('%s is no prize', (text) => {
  expect(readPrize(text, PRIZES)).toBeUndefined()
})
