import { expect, test } from '@jest/globals'
import { cellProblem } from './csv-cells.ts'

test.each([
  ['prize', '#REF!', '#REF! is an error of a formula'],
  ['giftcode', '#N/A', 'is an error of a formula'],
  ['ref', '#NAME?', 'is an error of a formula'],
  ['username', '########', 'is an error of a formula'],
  ['code', 'Err:502', 'is an error of a formula'],
  ['username', 'TRUE', 'is a truth value of a spreadsheet'],
  ['prize', 'ĐÚNG'.normalize('NFD'), 'is a truth value of a spreadsheet'],
  ['username', '01-Feb', 'is a date of a spreadsheet'],
  ['giftcode', '1-Thg2', 'is a date of a spreadsheet'],
  ['giftcode', 'Feb-25', 'is a date of a spreadsheet'],
  ['prize', '12/08/2025', 'is a date of a spreadsheet'],
  ['username', '2025-02-01', 'is a date of a spreadsheet'],
  ['code', '1.2.25', 'is a date of a spreadsheet'],
  ['prize', '12:00:00 AM', 'is a date of a spreadsheet'],
  ['prize', 'Xe mÃ¡y', 'in a wrong encoding; save the file as "CSV UTF-8"'],
  ['prize', 'Ä\u0090iá»‡n thoáº¡i', 'in a wrong encoding'],
  ['prize', 'Code 500.000â‚«', 'in a wrong encoding'],
  ['prize', 'Xe m¸y', 'is in TCVN3 (ABC)'],
  ['prize', '§iÖn tho¹i', 'is in TCVN3 (ABC)'],
  ['giftcode', '1.23E+14', 'was rounded by a spreadsheet'],
])('%s: %s is refused by the name of its cell', (column, value, problem) => {
  expect(cellProblem(column, value)).toMatch(new RegExp(`^${column}: `))
  expect(cellProblem(column, value)).toContain(problem)
})

test.each([
  ['occurred_at', '2025-08-12 09:30'],
  ['address_required', 'TRUE'],
  ['ref', '2025-08-12'],
  ['ref', '01-Feb'],
  ['username', 'sai'],
  ['username', 'an-01-02'],
  ['username', '#an01'],
  ['giftcode', '1234-56-7890'],
  ['giftcode', '0912-345-678'],
  ['prize', 'Điện thoại'],
  ['prize', 'ĐÃ TRÚNG “XE MÁY”'],
  ['prize', 'TẶNG “2 VÉ”'],
  ['prize', 'Xe «Vàng»®, ½ giá, 10m²'],
  ['prize', ''],
])('%s: %s is taken', (column, value) => {
  expect(cellProblem(column, value)).toBeUndefined()
})
