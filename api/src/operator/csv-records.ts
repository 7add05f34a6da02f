import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { parse } from 'csv-parse/sync'

/** A line of a CSV file by its header's names, or why it is none. Line 1 is the header. */
export type CsvEntry =
  | { readonly line: number; readonly fields: Readonly<Record<string, string>> }
  | { readonly line: number; readonly problem: string }

const HEAD_BYTES = 4096

/** The encoding by its mark, and the sign that the header has most of; in Latin-1 a header in UTF-16 has the same signs. */
function formOf(path: string) {
  const file = openSync(path, 'r')
  const head = Buffer.alloc(HEAD_BYTES)
  const [header = ''] = head.toString('latin1', 0, readSync(file, head)).split(/[\r\n]/, 1)
  closeSync(file)
  const [delimiter = ','] = [',', ';', '\t'].sort((a, b) => header.split(b).length - header.split(a).length)
  return { delimiter, encoding: header.startsWith('\xFF\xFE') ? 'utf16le' : 'utf8' } as const
}

/** Fields of one line. Undefined: its quotes do not match. */
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
 * or tabs. A line that is no record of the header's columns is a problem, not an end. No field holds a line break, so a
 * stray quote costs its own line only.
 */
export async function* readCsv(path: string, columns: readonly string[]): AsyncGenerator<CsvEntry> {
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
    if (!record) {
      if (!header) throw new Error('the header is not CSV: a quote has no partner')
      yield { line, problem: 'not CSV: a quote has no partner' }
    } else if (!header) {
      header = record.map((name) => name.toLowerCase())
      const doubled = header.find((name, i) => name !== '' && header?.indexOf(name) !== i)
      if (doubled) throw new Error(`the header has ${doubled} twice`)
      const missing = columns.filter((name) => !header?.includes(name))
      if (missing.length > 0) throw new Error(`the header lacks: ${missing.join(', ')}`)
    } else if (record.length !== header.length) {
      yield { line, problem: `has ${record.length} fields instead of ${header.length}` }
    } else {
      const fields = header.map((name, i) => [name, record[i] ?? ''] as const)
      const spoilt = fields.find(([, value]) => value.includes('\uFFFD'))
      yield spoilt
        ? { line, problem: `${spoilt[0]}: is not UTF-8; save the file as "CSV UTF-8"` }
        : { line, fields: Object.fromEntries(fields) }
    }
  }
  if (!header) throw new Error(`the file is empty; it needs a header: ${columns.join(',')}`)
}
