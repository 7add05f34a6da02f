import { ACCOUNT_MIN_LENGTH } from '@anniversary/shared/contract/event'
import { loginTexts as texts } from '../texts/login.ts'
import { type Digits, isDigit } from './digit-entry.ts'

export type Problem =
  | { readonly field: 'account'; readonly text: string }
  | { readonly field: 'digits'; readonly text: string; readonly box: number }

/** The first error in the order of the fields (specification, section 5). */
export function validateLogin(account: string, digits: Digits): Problem | null {
  if (account === '') return { field: 'account', text: texts.accountMissing }
  if (account.length < ACCOUNT_MIN_LENGTH) return { field: 'account', text: texts.accountShort }
  const box = digits.findIndex((digit) => !isDigit(digit))
  if (box === -1) return null
  if (digits[box] === '') return { field: 'digits', text: texts.digitsMissing, box }
  return { field: 'digits', text: texts.digitsOnly, box }
}
