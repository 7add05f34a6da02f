import fc from 'fast-check'

/** Ways in which keyboards, apps and spreadsheets write the same text. */

const wide = (text: string) =>
  text.replace(/[!-~]/g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0))

export const INVISIBLE = [
  '\u200b',
  '\u200e',
  '\u202a',
  '\u2068',
  '\u2069',
  '\ufeff',
  '\u00ad',
  '\u3164',
]
export const BLANKS = [' ', '\u00a0', '\u2009', '\u3000', '\t', '\n']
export const DASHES = ['-', '\u2010', '\u2011', '\u2013', '\u2014', '\u2212', '\uff0d', '\u30fc']

/**
 * A text with invisible characters anywhere, in letters of any width, composed
 * or not.
 */
export const spellingOf = (text: string): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.constantFrom(text, wide(text), text.normalize('NFD')),
      fc.array(fc.tuple(fc.nat(), fc.constantFrom(...INVISIBLE)), { maxLength: 3 }),
      fc.array(fc.constantFrom(...BLANKS, ...INVISIBLE), { maxLength: 3 }),
      fc.array(fc.constantFrom(...BLANKS, ...INVISIBLE), { maxLength: 3 }),
    )
    .map(([letters, hidden, before, after]) => {
      const signs = [...letters]
      for (const [place, sign] of hidden) signs.splice(place % (signs.length + 1), 0, sign)
      return [...before, ...signs, ...after].join('')
    })
