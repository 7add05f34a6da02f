import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { parse } from 'csv-parse/sync'

/** A line of a CSV file by its header's names, or a parse error. Line 1 is the header. */
export type CsvEntry =
  | { readonly line: number; readonly fields: Readonly<Record<string, string>> }
  | { readonly line: number; readonly problem: string }

const HEAD_BYTES = 4096

/** The first line in which Excel names the delimiter. */
const SEPARATOR = /^\W*sep=.?$/i

/** Returns the encoding, by its byte order mark, and the delimiter, by its frequency in the header. */
function formOf(path: string) {
  const file = openSync(path, 'r')
  const head = Buffer.alloc(HEAD_BYTES)
  // Read as Latin-1, UTF-16 has the same characters with a NUL beside each.
  const text = head.toString('latin1', 0, readSync(file, head))
  closeSync(file)
  const encoding = text.startsWith('\xFF\xFE') ? 'utf16le' : 'utf8'
  const lines = text.replaceAll('\0', '').split(/[\r\n]+/)
  if (encoding === 'utf8' && text.includes('\0'))
    throw new Error('the file is no text, or UTF-16 without a byte order mark; save it as "CSV UTF-8"')
  const header = lines.find((line) => !SEPARATOR.test(line)) ?? ''
  const [delimiter = ','] = [',', ';', '\t'].sort((a, b) => header.split(b).length - header.split(a).length)
  return { delimiter, encoding } as const
}

/** Forms in which a spreadsheet saves a long number: a power of ten, or 15 digits and zeros. */
const ROUNDED = /^[+-]?(\d+([.,]\d+)?E[+-]?\d+|[1-9]\d{14}0+)$/i

function fieldProblem([name, value]: readonly [string, string]): string | undefined {
  if (value.includes('\uFFFD')) return `${name}: is not UTF-8; save the file as "CSV UTF-8"`
  if (ROUNDED.test(value))
    return `${name}: was rounded by a spreadsheet; format the column as text, or write an apostrophe before a number that is right`
  if (name === '' && value !== '') return 'has a value in a column without a name'
  return undefined
}

/** Returns the fields of a line, or undefined when its quotes do not match. */
function fieldsOf(line: string, delimiter: string): readonly string[] | undefined {
  if (!line.includes('"')) return line.split(delimiter).map((field) => field.trim())
  try {
    return parse(line, { delimiter, trim: true, relax_column_count: true }).flat()
  } catch {
    return undefined
  }
}

/**
 * Reads a CSV file with a header as a stream, in constant memory: UTF-8, or UTF-16 as Excel saves it; commas, semicolons
 * or tabs. A malformed line is reported and does not end the reading. No field holds a line break, so a stray quote
 * affects only its own line. An apostrophe before a digit marks text, as in a spreadsheet.
 * @throws Error when the header lacks a column or has one that is not known
 */
export async function* readCsv(
  path: string,
  columns: readonly string[],
  optional: readonly string[] = [],
): AsyncGenerator<CsvEntry> {
  const { delimiter, encoding } = formOf(path)
  let line = 0
  let header: readonly string[] | undefined
  for await (const text of createInterface({
    input: createReadStream(path, encoding),
    crlfDelay: Infinity,
  })) {
    line++
    const record = fieldsOf(text.replace(/^\uFEFF/, ''), delimiter)
    if (record && record.length < 2 && !record[0]) continue
    if (!header && SEPARATOR.test(text)) continue
    if (!record) {
      if (!header) throw new Error('the header is not CSV: a quote is not closed')
      yield { line, problem: 'is not CSV: a quote is not closed' }
    } else if (!header) {
      header = record.map((name) => name.toLowerCase())
      const doubled = header.find((name, i) => name !== '' && header?.indexOf(name) !== i)
      if (doubled) throw new Error(`the header has ${doubled} twice`)
      const missing = columns.filter((name) => !header?.includes(name))
      if (missing.length > 0) throw new Error(`the header lacks: ${missing.join(', ')}`)
      const unknown = header.filter((name) => name && ![...columns, ...optional].includes(name))
      if (unknown.length > 0)
        throw new Error(`the header has unknown columns: ${unknown.join(', ')}; remove them`)
    } else if (record.length !== header.length) {
      yield { line, problem: `has ${record.length} fields instead of ${header.length}` }
    } else {
      const fields = header.map((name, i) => [name, record[i] ?? ''] as const)
      const problem = fields.map(fieldProblem).find(Boolean)
      const named = fields.filter(([name]) => name !== '')
      yield problem
        ? { line, problem }
        : {
            line,
            fields: Object.fromEntries(named.map(([name, value]) => [name, value.replace(/^'(?=\d)/, '')])),
          }
    }
  }
  if (!header) throw new Error(`the file is empty; it needs a header: ${columns.join(',')}`)
}
