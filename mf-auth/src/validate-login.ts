import { ACCOUNT_MIN_LENGTH } from '@anniversary/shared/contract/event'
import { type Digits, isDigit } from './digit-entry.ts'
import { loginTexts } from './texts.ts'

/** What is wrong with the form, told at one field. */
export interface Problem {
  field: 'account' | 'digits'
  text: string
}

/**
 * The first failing field's problem, in the order in which the fields stand (specification, section 5).
 * @param account trimmed
 */
export const validateLogin = (account: string, digits: Digits): Problem | null => {
  if (account === '') return { field: 'account', text: loginTexts.accountMissing }
  if (account.length < ACCOUNT_MIN_LENGTH) return { field: 'account', text: loginTexts.accountShort }
  const wrong = digits.find((digit) => !isDigit(digit))
  if (wrong === undefined) return null
  return { field: 'digits', text: wrong === '' ? loginTexts.digitsMissing : loginTexts.digitsOnly }
}
