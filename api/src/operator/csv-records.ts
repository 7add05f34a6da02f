import { createReadStream, statSync } from 'node:fs'
import { errorCode } from '@anniversary/shared/error-code'
import { parse } from 'csv-parse'

/** One line of a CSV file, by its header's names. */
export interface CsvRecord {
  /** Line in the file, from 1, the header included. */
  readonly line: number
  readonly fields: Readonly<Record<string, string>>
}

export type CsvEntry = CsvRecord | { readonly line: number; readonly problem: string }

export interface CsvFile {
  readonly bytes: number
  bytesRead(): number
  /** Every line in order; a line that is no record of the header's columns is a problem, not an end. */
  entries(): AsyncGenerator<CsvEntry>
}

const MAX_RECORD_BYTES = 64 * 1024

interface ParsedRecord {
  readonly record: readonly string[]
  readonly info: { readonly lines: number }
}

function sizeOf(path: string): number {
  try {
    const stats = statSync(path)
    if (stats.isFile()) return stats.size
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error
  }
  throw new Error(`there is no file ${path}`)
}

/**
 * Reads a CSV file (RFC 4180, UTF-8, a header) as a stream, in constant memory.
 * @param columns names that the header must hold, in any order
 * @throws Error when the file cannot be read or its header lacks a column
 */
export function readCsv(path: string, columns: readonly string[]): CsvFile {
  const bytes = sizeOf(path)
  const input = createReadStream(path)
  return { bytes, bytesRead: () => input.bytesRead, entries: () => entriesOf(input, columns) }
}

async function* entriesOf(
  input: NodeJS.ReadableStream,
  columns: readonly string[],
): AsyncGenerator<CsvEntry> {
  const skipped: CsvEntry[] = []
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_error: true,
    max_record_size: MAX_RECORD_BYTES,
    trim: true,
  })
  parser.on('skip', (error: Error & { lines?: number }) => {
    skipped.push({ line: error.lines ?? 0, problem: `not CSV: ${error.message}` })
  })
  input.on('error', (error) => parser.destroy(error))
  input.pipe(parser)

  let header: readonly string[] | undefined
  for await (const parsed of parser) {
    yield* skipped.splice(0)
    const { record, info } = parsed as ParsedRecord // the shape that `info: true` gives
    if (!header) {
      header = record.map((name) => name.toLowerCase())
      const missing = columns.filter((name) => !header?.includes(name))
      if (missing.length > 0) throw new Error(`the header lacks: ${missing.join(', ')}`)
    } else if (record.length !== header.length) {
      yield { line: info.lines, problem: `has ${record.length} fields instead of ${header.length}` }
    } else {
      yield { line: info.lines, fields: Object.fromEntries(header.map((name, i) => [name, record[i] ?? ''])) }
    }
  }
  yield* skipped
  if (!header) throw new Error(`the file is empty; it needs a header: ${columns.join(',')}`)
}
