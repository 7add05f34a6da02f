import { createWriteStream, rmSync, type WriteStream } from 'node:fs'
import type { BatchOutcome } from '../use-cases/import-draw.ts'
import { type CsvRecord, readCsv } from './csv-records.ts'
import type { Progress } from './progress.ts'

export interface Importer<T extends object> {
  readonly columns: readonly string[]
  /** Turns a line into an entry, or says why not. */
  read(fields: CsvRecord['fields']): T | string
  /** Stores a batch in one transaction. */
  store(entries: readonly T[]): Promise<BatchOutcome>
}

const BATCH_LINES = 1000

/** Writes refused lines, into a file that exists only when there are any. */
function refusalReport(path: string) {
  rmSync(path, { force: true })
  let file: WriteStream | undefined
  let count = 0
  return {
    count: () => count,
    add(line: number, reason: string) {
      count++
      if (!file) {
        file = createWriteStream(path)
        file.write('line,reason\n')
      }
      file.write(`${line},"${reason.replaceAll('"', '""')}"\n`)
    },
    end: () => new Promise<void>((done) => (file ? file.end(done) : done())),
  }
}

/**
 * Imports a CSV file line by line, in constant memory, each batch in one transaction; an interrupted import can be
 * repeated. Refused lines go to the report with number and reason; the rest is imported.
 */
export async function importFile<T extends object>(
  path: string,
  reportPath: string,
  importer: Importer<T>,
  show: Progress,
): Promise<Readonly<Record<'lines' | 'accepted' | 'repeated' | 'refused', number>>> {
  const file = readCsv(path, importer.columns)
  const report = refusalReport(reportPath)
  let lines = 0
  let accepted = 0
  let repeated = 0
  let batch: { line: number; entry: T }[] = []

  const flush = async () => {
    if (batch.length > 0) {
      const outcome = await importer.store(batch.map(({ entry }) => entry))
      accepted += outcome.accepted
      repeated += outcome.repeated
      for (const { index, reason } of outcome.refused) report.add(batch[index]?.line ?? 0, reason)
      batch = []
    }
    show(file.bytesRead() / Math.max(1, file.bytes), lines)
  }

  try {
    for await (const item of file.entries()) {
      lines++
      const entry = 'problem' in item ? item.problem : importer.read(item.fields)
      if (typeof entry === 'string') report.add(item.line, entry)
      else batch.push({ line: item.line, entry })
      if (batch.length === BATCH_LINES) await flush()
    }
    await flush()
  } finally {
    await report.end()
  }
  return { lines, accepted, repeated, refused: report.count() }
}
