import { plainText } from './plain-text.ts'
import { hasVietnameseLetter } from './visible-text.ts'

/** Crockford's base 32: no I, L, O, U. */
export const CODE_SYMBOLS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
export const CODE_LENGTH = 12

const CODE = new RegExp(`^[${CODE_SYMBOLS}]{${CODE_LENGTH}}$`)
const LABELS = new Set('MÃ MA SỐ SO VÉ VE DỰ DU THƯỞNG THUONG LÀ LA CODE TICKET NO'.split(' '))

export type CodeProblem = 'input-method' | 'malformed'

export interface CodeReading {
  /**
   * Every code of the text in its stored form, such as `A51C-20QB-17CB`, in the
   * text's order.
   */
  readonly codes: readonly string[]
  /** Set when there is no code. */
  readonly problem?: CodeProblem
}

/**
 * Returns the stored form: O becomes 0, I and L become 1. Null when it is not a
 * code.
 */
function storedCode(letters: string): string | null {
  // Upper case can make two symbols of one letter, such as ß.
  if (/[^0-9a-z]/i.test(letters)) return null
  const symbols = letters.toUpperCase().replaceAll('O', '0').replace(/[IL]/g, '1')
  if (!CODE.test(symbols)) return null
  return symbols.replace(/(.{4})(?=.)/g, '$1-')
}

/**
 * Returns the codes of a word. Its parts, which any sign separates, must fill
 * each of them exactly.
 */
function codesOfWord(parts: readonly string[]): string[] {
  const codes: string[] = []
  let letters = ''
  for (const part of parts) {
    letters += part
    if (letters.length < CODE_LENGTH) continue
    const code = storedCode(letters)
    if (code === null) return []
    codes.push(code)
    letters = ''
  }
  if (letters !== '') return []
  return codes
}

const lettersAndDigits = (text: string): string[] => text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
const isLabel = (part: string) => LABELS.has(part.toUpperCase().normalize('NFC'))

/**
 * Reads ticket codes as people type, paste or say them: with any dashes,
 * quotes, blanks or invisible characters, in full-width letters, with a label
 * before or punctuation after, and several at once.
 */
export function readTicketCodes(text: string): CodeReading {
  const plain = plainText(text)
  // First by words, so that no letter of a label becomes part of a code.
  const words = plain.split(/[\s,;:=#|&<>?]+/)
  const codes = words.flatMap((word) => codesOfWord(lettersAndDigits(word)))
  if (codes.length > 0) return { codes }

  const parts = lettersAndDigits(plain)
  const withoutLabels = parts.filter((part) => !isLabel(part))
  // A group of a code may be typed like a label (CODE for C0DE), so labels before
  // a code are left out one by one.
  const first = parts.findIndex((part) => !isLabel(part))
  const suffixes = parts.slice(0, first).map((_, label) => parts.slice(label + 1))
  for (const candidate of [parts, ...suffixes, withoutLabels]) {
    const code = storedCode(candidate.join(''))
    if (code !== null) return { codes: [code] }
  }
  const isTyped = hasVietnameseLetter(withoutLabels.join(''))
  if (isTyped) return { codes: [], problem: 'input-method' }
  return { codes: [], problem: 'malformed' }
}

/** Null when there is none, or when several could be meant. */
export function readTicketCode(text: string): string | null {
  const [code = null, ...others] = new Set(readTicketCodes(text).codes)
  if (others.length > 0) return null
  return code
}
