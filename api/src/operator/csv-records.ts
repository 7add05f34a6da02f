import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs'
import { pipeline } from 'node:stream'
import { parse } from 'csv-parse'
import { parse as parseAll } from 'csv-parse/sync'

/** A line of a CSV file by its header's names, or why it is none. Line 1 is the header. */
export type CsvEntry =
  | { readonly line: number; readonly fields: Readonly<Record<string, string>> }
  | { readonly line: number; readonly problem: string }

const MAX_RECORD_BYTES = 64 * 1024
const HEAD_BYTES = 4096

/** The sign that the header has most of. In Latin-1 a header in UTF-16 has the same signs. */
function delimiterOf(path: string): string {
  const file = openSync(path, 'r')
  const head = Buffer.alloc(HEAD_BYTES)
  const [header = ''] = head.toString('latin1', 0, readSync(file, head)).split(/[\r\n]/, 1)
  closeSync(file)
  const [delimiter = ','] = [',', ';', '\t'].sort((a, b) => header.split(b).length - header.split(a).length)
  return delimiter
}

/** Fields of one line. Undefined: its quotes do not match. */
function fieldsOf(line: string, delimiter: string): readonly string[] | undefined {
  if (!line.includes('"')) return line.split(delimiter).map((field) => field.trim())
  try {
    return parseAll(line, { delimiter, trim: true, relax_column_count: true }).flat()
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
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new Error(`there is no file ${path}`)
  const delimiter = delimiterOf(path)
  const skipped: CsvEntry[] = []
  // Splits the file into lines only: no NUL stands in them.
  const parser = parse({
    bom: true,
    delimiter: '\0',
    quote: null,
    info: true,
    relax_column_count: true,
    skip_records_with_error: true,
    max_record_size: MAX_RECORD_BYTES,
  })
  parser.on('skip', (error: Error & { lines?: number }) => {
    skipped.push({ line: error.lines ?? 0, problem: `not CSV: ${error.message}` })
  })
  const records = pipeline(createReadStream(path), parser, () => undefined)

  let header: readonly string[] | undefined
  for await (const parsed of records) {
    yield* skipped.splice(0)
    const { record: texts, info } = parsed as { record: string[]; info: { lines: number } } // by `info: true`
    const line = info.lines
    const record = fieldsOf(texts.join('\0'), delimiter)
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
  yield* skipped
  if (!header) throw new Error(`the file is empty; it needs a header: ${columns.join(',')}`)
}
