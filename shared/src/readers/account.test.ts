import fc from 'fast-check'
import { INVISIBLE } from '../testing/spellings.ts'
import { readAccounts } from './account.ts'
import { accountName } from './visible-text.ts'

const name = fc.constantFrom('demo01', 'Nguyễn_An', 'an.binh-7', "o'neil", '0912345678', 'a b c')
const invisible = fc
  .array(fc.constantFrom(...INVISIBLE), { maxLength: 3 })
  .map((all) => all.join(''))

const written = fc
  .tuple(name, invisible, fc.constantFrom('NFC', 'NFD'))
  .chain(([account, hidden, form]) =>
    fc.tuple(
      fc.constant(account),
      fc.constantFrom(
        ...[
          account,
          ` ${account}\u00a0`,
          `"${account}"`,
          `“${account}”`,
          `(${account})`,
          `${account},`,
          `${account}!`,
          `Tài khoản: ${account}`,
          `TK:${account};`,
          account.replaceAll('-', '\u2011'),
          account.replaceAll("'", '\u2019'),
          account.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)),
        ].map((text) => `${hidden}${text.normalize(form)}${hidden}`),
      ),
    ),
  )

test('an account is among the names that any spelling of it can mean', () => {
  fc.assert(
    fc.property(written, ([account, text]) => {
      expect(readAccounts(text)).toContain(account)
    }),
    { numRuns: 1000 },
  )
})

test.each([
  ['(["an"])!?', 'an'],
  ['tk: " an "', 'an'],
  ['an tk: b', 'an tk: b'],
  ['()', '()'],
])('the last name that %s can mean is %s', (text, last) => {
  expect(readAccounts(text).at(-1)).toBe(last)
})

test('the name as it is written comes first, so that accounts that differ stay different', () => {
  const any = fc.string({ unit: 'grapheme', minLength: 3, maxLength: 20 })
  fc.assert(
    fc.property(any, (text) => {
      const name = accountName(text)
      expect(readAccounts(name)[0]).toBe(name === '' ? undefined : name)
    }),
  )
})

test.each([
  ['demo01.', 'demo01'],
  ['demó01', 'demo01'],
  ['đemo01', 'demo01'],
  ['demо01', 'demo01'], // a Cyrillic o
  ['demo²', 'demo2'],
  ['demo 01', 'demo01'],
])('%s never means %s', (text, other) => {
  expect(readAccounts(text)).not.toContain(other)
})
