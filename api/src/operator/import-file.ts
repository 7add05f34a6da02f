import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
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

/**
 * Imports a CSV file line by line, in constant memory, each batch in one transaction; an interrupted import can be
 * repeated. Refused lines go to the report with number and reason; the rest is imported. The report is made only when a
 * line is refused.
 */
export async function importFile<T extends object>(
  path: string,
  reportPath: string,
  importer: Importer<T>,
  show: Progress,
): Promise<Readonly<Record<'lines' | 'accepted' | 'repeated' | 'refused', number>>> {
  const file = readCsv(path, importer.columns)
  let lines = 0
  let accepted = 0
  let repeated = 0
  let refused = 0
  let batch: { line: number; entry: T }[] = []

  rmSync(reportPath, { force: true })
  const refuse = (line: number, reason: string) => {
    if (refused++ === 0) writeFileSync(reportPath, 'line,reason\n')
    appendFileSync(reportPath, `${line},"${reason.replaceAll('"', '""')}"\n`)
  }
  const flush = async () => {
    if (batch.length > 0) {
      const outcome = await importer.store(batch.map(({ entry }) => entry))
      accepted += outcome.accepted
      repeated += outcome.repeated
      for (const { index, reason } of outcome.refused) refuse(batch[index]?.line ?? 0, reason)
      batch = []
    }
    show(file.bytesRead() / Math.max(1, file.bytes), lines)
  }

  for await (const item of file.entries()) {
    lines++
    const entry = 'problem' in item ? item.problem : importer.read(item.fields)
    if (typeof entry === 'string') refuse(item.line, entry)
    else batch.push({ line: item.line, entry })
    if (batch.length === BATCH_LINES) await flush()
  }
  await flush()
  return { lines, accepted, repeated, refused }
}
