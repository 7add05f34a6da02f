import { BANK_DIGITS } from '@anniversary/shared/contract/event'
import { readBankDigits, withoutSeparators } from '@anniversary/shared/readers/bank-digits'
import { composedText } from '@anniversary/shared/readers/visible-text'

/**
 * Contents of the boxes, each '' or one character. Text, because leading zeros
 * count.
 */
export type Digits = readonly string[]

export interface Entry {
  digits: Digits
  focus: number
  refused: boolean
}

const LAST = BANK_DIGITS - 1

export const emptyDigits: Digits = Array.from({ length: BANK_DIGITS }, () => '')

export const isDigit = (text: string): boolean => /^[0-9]$/.test(text)

const write = (digits: Digits, index: number, text: string): Digits =>
  digits.map((old, i) => text[i - index] ?? old)

const writeBox = (digits: Digits, index: number, text: string): Digits =>
  digits.map((old, i) => (i === index ? text : old))

/**
 * Spreads a pasted or autofilled text over the boxes: up to three digits from
 * `index` on, of more than four the last four.
 */
export function spreadDigits(digits: Digits, index: number, text: string): Entry {
  const all = readBankDigits(text)
  if (all !== undefined) return { digits: [...all], focus: LAST, refused: false }

  const plain = withoutSeparators(text)
  const found = plain.replace(/[^0-9]/g, '')
  // Several numbers: any of them could be meant.
  if (found.length >= BANK_DIGITS) return { digits, focus: index, refused: true }
  return {
    digits: write(digits, index, found),
    focus: Math.min(index + found.length, LAST),
    refused: /[^0-9]/.test(plain),
  }
}

/**
 * New content of box `index`: the typed character, maybe beside the old one, or
 * several at once from a keyboard's suggestion or autofill, which raise no
 * paste event.
 */
export function enterText(digits: Digits, index: number, raw: string): Entry {
  let text = composedText(raw)
  if (text.length === 2) text = text.replace(digits[index] ?? '', '')
  if (/[0-9]/.test(text)) return spreadDigits(digits, index, text)
  // Another character stays visible and keeps the focus.
  const char = text.slice(0, 1)
  return { digits: writeBox(digits, index, char), focus: index, refused: char !== '' }
}

/**
 * Handles backspace in the empty box `index`: erases the digit before it and
 * moves the focus there.
 */
export function eraseBefore(digits: Digits, index: number): Entry {
  const focus = Math.max(index - 1, 0)
  return { digits: writeBox(digits, focus, ''), focus, refused: false }
}
