/** What spreadsheets leave in a cell instead of what was meant. */

const ROUNDED = /^[+-]?(\d+([.,]\d+)?E[+-]?\d+|[1-9]\d{14}0+)$/i
const ERROR_VALUE = /^(#N\/A|#GETTING_DATA|#[A-Z]+(\/0)?[!?]|#{2,}|Err:\d+)$/
const TRUTH_VALUE = /^(TRUE|FALSE|ĐÚNG|SAI)$/
const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|thg ?\\d{1,2})'
const NAMED_MONTH = new RegExp(`^(\\d{1,2}[- ]${MONTH}([- ]\\d{2,4})?|${MONTH}[- ]\\d{2,4})$`, 'i')
const TIME_OF_DAY = /^\d{1,2}:\d\d(:\d\d)?( ?[AP]M)?$/i
const DAY = '(?:0?[1-9]|[12]\\d|3[01])'
const YEAR = '(?:\\d{2}|\\d{4})'
const NUMERIC_DATE = new RegExp(
  `^(?:${YEAR}([/.-])${DAY}\\1${DAY}|${DAY}([/.-])${DAY}\\2${YEAR})( \\d{1,2}:\\d\\d.*)?$`,
)
const DATES = [NAMED_MONTH, TIME_OF_DAY, NUMERIC_DATE]

/** Columns in which neither a date nor a truth value can be right. */
const WITHOUT_DATES = ['username', 'last_bank_number', 'code', 'prize', 'giftcode', 'amount']

/** UTF-8 of Vietnamese, of a quote, of ₫ or of an emoji read as windows-1252, such as `mÃ¡y`. */
const MISREAD = /(?<!Đ)([ÂÃÄÅÆÌ]|á[º»]|â[€‚]|ðŸ)[\x80-\xbf\u0152-\u02dc\u2013-\u2122]/

/** Vietnamese in a TCVN3 font ("ABC"), such as `m¸y`. */
const TCVN3 = /[a-z][µ¸¶¹¨¾¼½ª¬§]|[µ¸¶¹¨¾¼½ª¬§®©][a-z]/i

const AS_TEXT = 'write an apostrophe before it if it is right'

export function cellProblem(column: string, value: string): string | undefined {
  const named = (problem: string) => `${column}: ${problem}`
  if (value.includes('\uFFFD')) return named('is not UTF-8; save the file as "CSV UTF-8"')
  if (MISREAD.test(value))
    return named(`"${value}" was read in a wrong encoding; save the file as "CSV UTF-8"`)
  if (TCVN3.test(value))
    return named(`"${value}" is in TCVN3 (ABC); convert it to Unicode, then save it as "CSV UTF-8"`)
  if (ROUNDED.test(value))
    return named(`was rounded by a spreadsheet; format the column as text, or ${AS_TEXT}`)
  if (ERROR_VALUE.test(value)) return named(`${value} is an error of a formula; correct the cell`)
  if (column === '' && value !== '') return 'has a value in a column without a name'
  if (!WITHOUT_DATES.includes(column)) return undefined
  if (TRUTH_VALUE.test(value.normalize('NFC')))
    return named(`${value} is a truth value of a spreadsheet; ${AS_TEXT}`)
  if (DATES.some((form) => form.test(value)))
    return named(`${value} is a date of a spreadsheet; ${AS_TEXT}`)
  return undefined
}
