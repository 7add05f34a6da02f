import { open } from 'node:fs/promises'
import { parse } from 'csv-parse/sync'
import { cellProblem } from './csv-cells.ts'

/** Line 1 is the header. */
export type CsvEntry =
  | { readonly line: number; readonly fields: Readonly<Record<string, string>> }
  | { readonly line: number; readonly problem: string }

/** The first line in which Excel names the delimiter. */
const SEPARATOR = /^\W*sep=.?$/i
const UTF16_MARK = Buffer.from('\uFEFF', 'utf16le')

/** Returns undefined when the quotes do not match. */
function fieldsOf(line: string, delimiter: string): readonly string[] | undefined {
  if (!line.includes('"')) return line.split(delimiter).map((field) => field.trim())
  try {
    return parse(line, { delimiter, trim: true, relax_column_count: true }).flat()
  } catch {
    return undefined
  }
}

/**
 * Spreadsheets leave out empty cells at a line's end, or write too many of
 * them.
 */
function lineProblem(
  record: readonly string[] | undefined,
  fields: readonly (readonly [string, string])[],
  optional: readonly string[],
): string | undefined {
  if (!record) return 'is not CSV: a quote is not closed'
  const missing = fields.slice(record.length).some(([name]) => name && !optional.includes(name))
  const extra = record.slice(fields.length).some((value) => value !== '')
  if (missing || extra) return `has ${record.length} fields instead of ${fields.length}`
  return fields.map(([name, value]) => cellProblem(name, value)).find(Boolean)
}

/** An apostrophe before a digit, or before what is refused without it, marks text. */
function readCell(name: string, value: string): string {
  const [, text] = /^'(.*)$/.exec(value) ?? []
  if (text === undefined) return value
  return /^\d/.test(text) || cellProblem(name, text) ? text : value
}

function readHeader(text: string, columns: readonly string[], optional: readonly string[]) {
  if (text.includes('\0'))
    throw new Error(
      'the file is no text, or UTF-16 without a byte order mark; save it as "CSV UTF-8"',
    )
  const [delimiter = ','] = [',', ';', '\t'].sort(
    (a, b) => text.split(b).length - text.split(a).length,
  )
  const names = fieldsOf(text, delimiter)?.map((name) => name.toLowerCase())
  if (!names) throw new Error('the header is not CSV: a quote is not closed')
  const doubled = names.find((name, i) => name !== '' && names.indexOf(name) !== i)
  if (doubled) throw new Error(`the header has ${doubled} twice`)
  const missing = columns.filter((name) => !names.includes(name))
  if (missing.length > 0) throw new Error(`the header lacks: ${missing.join(', ')}`)
  const unknown = names.filter((name) => name && ![...columns, ...optional].includes(name))
  if (unknown.length > 0)
    throw new Error(`the header has unknown columns: ${unknown.join(', ')}; remove them`)
  return { delimiter, names }
}

/**
 * Reads UTF-8, or UTF-16 as Excel saves it, in constant memory. No field holds
 * a line break, so a stray quote affects only its own line.
 * @throws Error when the header lacks a column or has one that is not known
 */
export async function* readCsv(
  path: string,
  columns: readonly string[],
  optional: readonly string[] = [],
): AsyncGenerator<CsvEntry> {
  await using file = await open(path)
  const { buffer } = await file.read(Buffer.alloc(UTF16_MARK.length), 0, UTF16_MARK.length, 0)
  const encoding = buffer.equals(UTF16_MARK) ? 'utf16le' : 'utf8'
  let line = 0
  let header: ReturnType<typeof readHeader> | undefined
  for await (const read of file.readLines({ encoding, start: 0 })) {
    line++
    const text = read.replace(/^\uFEFF/, '')
    if (text.trim() === '') continue
    if (!header) {
      if (!SEPARATOR.test(text)) header = readHeader(text, columns, optional)
      continue
    }
    const record = fieldsOf(text, header.delimiter)
    if (record?.every((value) => value === '')) continue
    const fields = header.names.map((name, i) => [name, record?.[i] ?? ''] as const)
    const problem = lineProblem(record, fields, optional)
    if (problem) {
      yield { line, problem }
      continue
    }
    const cells = fields
      .filter(([name]) => name !== '')
      .map(([name, value]) => [name, readCell(name, value)] as const)
    yield { line, fields: Object.fromEntries(cells) }
  }
  if (!header) throw new Error(`the file is empty; it needs a header: ${columns.join(',')}`)
}
