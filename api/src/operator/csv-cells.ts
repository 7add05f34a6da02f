/** What spreadsheets leave in a cell instead of what was meant. */

const ROUNDED = /^[+-]?(\d+([.,]\d+)?E[+-]?\d+|[1-9]\d{14}0+)$/i
const ERROR_VALUE =
  /^(#(N\/A|REF|VALUE|NAME|DIV\/0|NUM|NULL|SPILL|CALC|FIELD|BLOCKED|CONNECT|BUSY|UNKNOWN|GETTING_DATA|ERROR)[!?]?|#{2,}|Err:\d+)$/i
const TRUTH_VALUE = /^(TRUE|FALSE|ĐÚNG|SAI)$/
const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|thg ?\\d{1,2})'
const NAMED_MONTH = new RegExp(`^(\\d{1,2}[- ]${MONTH}([- ]\\d{2,4})?|${MONTH}[- ]\\d{2,4})$`, 'i')
const TIME_OF_DAY = /^\d{1,2}:\d\d(:\d\d)?( ?[AP]M)?$/i
const NUMERIC_DATE = /^(\d{1,4})([/.-])(\d{1,2})\2(\d{1,4})( \d{1,2}:\d\d.*)?$/

/** Columns in which neither a date nor a truth value can be right. */
const WITHOUT_DATES = ['username', 'last_bank_number', 'code', 'prize', 'giftcode', 'amount']

function isDate(value: string): boolean {
  if (NAMED_MONTH.test(value) || TIME_OF_DAY.test(value)) return true
  const found = NUMERIC_DATE.exec(value)
  if (!found) return false
  const [, first = '', , middle = '', last = ''] = found
  const hasYear = [first, last].some(({ length }) => [2, 4].includes(length))
  const numbers = [first, middle, last].map(Number)
  const isPlausible = numbers.filter((number) => number >= 1 && number <= 31).length >= 2
  return hasYear && isPlausible && Number(middle) <= 31
}

/** Signs of windows-1252 from 0x80 on. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'
const utf8 = new TextDecoder('utf-8', { fatal: true })

function byteOf(sign: string): number {
  const place = WINDOWS_1252.indexOf(sign)
  if (place < 0) return sign.charCodeAt(0)
  return 0x80 + place
}

/** UTF-8 read as windows-1252, such as `mÃ¡y`. */
function isMisread(value: string): boolean {
  return (value.match(/[\u0080-\uffff]{2,}/g) ?? []).some((run) => {
    const bytes = [...run].map(byteOf)
    if (bytes.some((byte) => byte > 0xff)) return false
    try {
      utf8.decode(Uint8Array.from(bytes))
      return true
    } catch {
      return false
    }
  })
}

/** Vietnamese in a TCVN3 font ("ABC"), such as `m¸y`. */
const TCVN3 = /[a-z][µ¸¶¹¨¾¼½ª¬§]|[µ¸¶¹¨¾¼½ª¬§®©][a-z]/i

const AS_TEXT = 'write an apostrophe before it if it is right'

export function cellProblem(column: string, value: string): string | undefined {
  const named = (problem: string) => `${column}: ${problem}`
  if (value.includes('\uFFFD')) return named('is not UTF-8; save the file as "CSV UTF-8"')
  if (isMisread(value))
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
  if (isDate(value)) return named(`${value} is a date of a spreadsheet; ${AS_TEXT}`)
  return undefined
}
