import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import type { z } from 'zod'
import type { BatchOutcome } from '../use-cases/import-draw.ts'
import { readCsv } from './csv-records.ts'
import type { Progress } from './progress.ts'

export interface Importer<T extends object> {
  readonly columns: readonly string[]
  /** Turns the fields of a line into an entry. */
  readonly line: z.ZodType<T>
  /** Stores a batch in one transaction. */
  store(entries: readonly T[]): Promise<BatchOutcome>
}

const BATCH_LINES = 1000

const problemOf = (error: z.ZodError): string =>
  error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')

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
    if ('problem' in item) refuse(item.line, item.problem)
    else {
      const { data: entry, error } = importer.line.safeParse(item.fields)
      if (error) refuse(item.line, problemOf(error))
      else batch.push({ line: item.line, entry })
    }
    if (batch.length === BATCH_LINES) await flush()
  }
  await flush()
  return { lines, accepted, repeated, refused }
}
