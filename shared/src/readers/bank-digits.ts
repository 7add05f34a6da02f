import { BANK_DIGITS } from '../contract/event.ts'
import { composedText } from './visible-text.ts'

/**
 * Copied account numbers have these between digits or in place of hidden ones:
 * blanks, dots and every dash.
 */
const SEPARATORS = /[\s.*•\p{Pd}\u2212\u2043\u02d7\u30fc]/gu

export const withoutSeparators = (text: string): string =>
  composedText(text).replace(SEPARATORS, '')

/** Undefined if several could be meant. */
function numberIn(text: string): string | undefined {
  const numbers = withoutSeparators(text).match(/\d+/g) ?? []
  const [number, ...others] = numbers.filter(({ length }) => length >= BANK_DIGITS)
  if (others.length > 0) return undefined
  return number
}

/**
 * Reads the last four digits of a bank account from a text that may hold the
 * whole number, a mask, a label or the bank's name. Undefined when there are
 * fewer digits, or when several numbers could be meant.
 */
export const readBankDigits = (text: string): string | undefined =>
  numberIn(text)?.slice(-BANK_DIGITS)

/**
 * Reads a text that holds these four digits alone: a fifth one may be a slip.
 * The text stays if they are not there.
 */
export function readFourDigits(text: string): string {
  const number = numberIn(text)
  if (number?.length === BANK_DIGITS) return number
  return text
}
