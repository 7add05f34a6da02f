/** Characters that show nothing: zero width, direction marks, fillers, variation selectors. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu
/** Every dash, the minus sign and the East Asian long vowel mark, which phones offer as a dash. */
const DASHES = /[\p{Pd}\u2212\u2043\u02d7\u30fc]/gu
const SINGLE_QUOTES = /[\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc`]/g
const DOUBLE_QUOTES = /[\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u300c\u300d]/g

/** Removes what nobody sees and turns every blank into a space. The text keeps its letters and its length otherwise. */
export const visibleText = (text: string): string =>
  text
    .replace(INVISIBLE, '')
    .replace(/[\s\p{Z}]/gu, ' ')
    .trim()

/** Returns a text with one kind of letters (composed, of ordinary width), dashes, quotes and blanks. */
export const plainText = (text: string): string =>
  // An invisible character between a letter and its mark would keep them apart.
  withPlainMarks(visibleText(text).normalize('NFKC').trim())

/** Writes dashes as `-` and quotes as `'` or `"`. */
export const withPlainMarks = (text: string): string =>
  text.replace(DASHES, '-').replace(SINGLE_QUOTES, "'").replace(DOUBLE_QUOTES, '"')

/** True for a letter that a Vietnamese input method writes, such as `ư` where `w` was typed. */
export const hasVietnameseLetter = (text: string): boolean =>
  /[\u0300\u0301\u0303\u0309\u0323\u0302\u0306\u031bđ]/i.test(text.normalize('NFD'))
