import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs'
import { Duplex, pipeline } from 'node:stream'
import { TextDecoderStream } from 'node:stream/web'
import { errorCode } from '@anniversary/shared/error-code'
import { parse } from 'csv-parse'

/** One line of a CSV file, by its header's names. */
export interface CsvRecord {
  /** Line in the file, from 1, the header included. */
  readonly line: number
  readonly fields: Readonly<Record<string, string>>
}

export type CsvEntry = CsvRecord | { readonly line: number; readonly problem: string }

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

interface Format {
  readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be'
  readonly delimiter: string
}

const HEAD_BYTES = 4096

/** Looks at a file's beginning: at its byte order mark, and at the sign that its header has most of. */
function formatOf(path: string): Format {
  const file = openSync(path, 'r')
  const buffer = Buffer.alloc(HEAD_BYTES)
  const head = buffer.subarray(0, readSync(file, buffer))
  closeSync(file)
  const mark = head.toString('latin1', 0, 2)
  const encoding = mark === '\xff\xfe' ? 'utf-16le' : mark === '\xfe\xff' ? 'utf-16be' : 'utf-8'
  const [header = ''] = new TextDecoder(encoding).decode(head).split(/[\r\n]/, 1)
  if (header.includes('\0')) {
    throw new Error('the file is UTF-16 without a byte order mark; save it as "CSV UTF-8"')
  }
  const [delimiter = ','] = [',', ';', '\t'].sort((a, b) => header.split(b).length - header.split(a).length)
  return { encoding, delimiter }
}

/** Why a field is refused: U+FFFD stands for bytes that are not UTF-8; invisible characters make equal names differ. */
function problemOf(text: string): string | undefined {
  const [found] = /[\uFFFD\p{Cf}]/u.exec(text) ?? []
  if (found === undefined) return undefined
  if (found === '\uFFFD') return 'is not UTF-8; save the file as "CSV UTF-8"'
  return `holds an invisible character (U+${found.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')})`
}

/**
 * Reads a CSV file (RFC 4180, a header) as a stream, in constant memory: UTF-8, or UTF-16 with a byte order mark;
 * commas, semicolons or tabs, as spreadsheets write them.
 * @param columns names that the header must hold, in any order
 * @throws Error when the file cannot be read or its header lacks a column
 */
export function readCsv(path: string, columns: readonly string[]) {
  const bytes = sizeOf(path)
  const format = formatOf(path)
  const input = createReadStream(path)
  return {
    bytes,
    bytesRead: () => input.bytesRead,
    /** Every line in order; a line that is no record of the header's columns is a problem, not an end. */
    entries: () => entriesOf(input, format, columns),
  }
}

async function* entriesOf(
  input: NodeJS.ReadableStream,
  { encoding, delimiter }: Format,
  columns: readonly string[],
): AsyncGenerator<CsvEntry> {
  const skipped: CsvEntry[] = []
  const parser = parse({
    delimiter,
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
  // A failure ends the loop below.
  const records = pipeline(input, Duplex.fromWeb(new TextDecoderStream(encoding)), parser, () => undefined)

  let header: readonly string[] | undefined
  for await (const parsed of records) {
    yield* skipped.splice(0)
    const { record, info } = parsed as ParsedRecord // the shape that `info: true` gives
    if (!header) {
      header = record.map((name) => name.toLowerCase())
      const missing = columns.filter((name) => !header?.includes(name))
      if (missing.length > 0) throw new Error(`the header lacks: ${missing.join(', ')}`)
    } else if (record.length !== header.length) {
      yield { line: info.lines, problem: `has ${record.length} fields instead of ${header.length}` }
    } else {
      const fields = header.map((name, i) => [name, record[i] ?? ''] as const)
      const [problem] = fields.flatMap(([name, value]) => {
        const reason = problemOf(value)
        return reason === undefined ? [] : [`${name}: ${reason}`]
      })
      yield problem === undefined
        ? { line: info.lines, fields: Object.fromEntries(fields) }
        : { line: info.lines, problem }
    }
  }
  yield* skipped
  if (!header) throw new Error(`the file is empty; it needs a header: ${columns.join(',')}`)
}
