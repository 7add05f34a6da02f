import { BANK_DIGITS } from '@anniversary/shared/contract/event'

/** What the boxes hold: '' or one character each. Text, because leading zeros count. */
export type Digits = readonly string[]

export interface Entry {
  digits: Digits
  /** The box that has the focus next. */
  focus: number
  /** Something that cannot be a digit was typed or pasted. */
  refused: boolean
}

const LAST = BANK_DIGITS - 1
/** What people put between digits, or in place of the hidden ones, when they copy an account number. */
const SEPARATORS = /[\s.*•-]/g

export const noDigits: Digits = Array.from({ length: BANK_DIGITS }, () => '')

export const isDigit = (text: string): boolean => /^[0-9]$/.test(text)

/** The digits with those of `text` written from box `index` on. */
const write = (digits: Digits, index: number, text: string): Digits =>
  digits.map((old, i) => text[i - index] ?? old)

/**
 * Spreads a pasted or autofilled text over the boxes. Fewer than four digits go in from box `index` on; more than
 * four are a whole account number, of which the last four are asked for.
 */
export function spread(digits: Digits, index: number, text: string): Entry {
  const plain = text.normalize('NFKC').replace(SEPARATORS, '')
  const found = plain.replace(/[^0-9]/g, '').slice(-BANK_DIGITS)
  const from = found.length === BANK_DIGITS ? 0 : index
  return {
    digits: write(digits, from, found),
    focus: Math.min(from + found.length, LAST),
    refused: found.length === 0 ? plain !== '' : /[^0-9]/.test(plain),
  }
}

/**
 * What a box makes of its new content.
 * @param raw the box's content after the input event: the typed character, maybe beside the one that stood there, or
 *   several at once from a keyboard's suggestion or an autofill, which raise no paste event
 */
export function type(digits: Digits, index: number, raw: string): Entry {
  const old = digits[index] ?? ''
  let text = raw.normalize('NFKC').trim()
  if (text.length === 2 && old !== '') text = text.replace(old, '')
  if (text.length > 1 && /[0-9]/.test(text)) return spread(digits, index, text)
  // A character that is no digit stays to be seen, and the focus with it.
  const char = text.slice(0, 1)
  const good = isDigit(char)
  return {
    digits: digits.map((other, i) => (i === index ? char : other)),
    focus: good ? Math.min(index + 1, LAST) : index,
    refused: char !== '' && !good,
  }
}

/** Backspace in the empty box `index`: the digit before it goes, and the focus goes there. */
export function eraseBefore(digits: Digits, index: number): Entry {
  const focus = Math.max(index - 1, 0)
  return { digits: digits.map((other, i) => (i === focus ? '' : other)), focus, refused: false }
}
