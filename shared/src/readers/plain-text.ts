import { composedText } from './visible-text.ts'

/**
 * Every dash, the minus sign and the East Asian long vowel mark, which phones
 * offer as a dash.
 */
const DASHES = /[\p{Pd}\u2212\u2043\u02d7\u30fc]/gu
const SINGLE_QUOTES = /[\u2018\u2019\u201a\u201b\u2032\u00b4\u02bc`]/g
const DOUBLE_QUOTES = /[\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb\u300c\u300d]/g

/**
 * Letters are composed and of ordinary width; dashes, quotes and blanks of one
 * kind.
 */
export const plainText = (text: string): string => withPlainMarks(composedText(text))

/** Writes dashes as `-` and quotes as `'` or `"`. */
export const withPlainMarks = (text: string): string =>
  text.replace(DASHES, '-').replace(SINGLE_QUOTES, "'").replace(DOUBLE_QUOTES, '"')
