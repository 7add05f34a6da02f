import { setTimeout as sleep } from 'node:timers/promises'
import { errorMessage } from '@anniversary/shared/error-message'
import type { z } from 'zod'
import { type Database, namedStatement, type Queryable } from '../database/database.ts'
import type { DrawResult } from '../draws/import-draw.ts'
import type { BatchData } from '../server/answers.ts'
import { type CsvEntry, readCsv } from './csv-records.ts'
import { formatNumber } from './member-report.ts'

export interface Importer<T extends object = object> {
  readonly columns: readonly string[]
  readonly optional: readonly string[]
  readonly line: z.ZodType<T>
  contradiction?(entry: T, line: number): string | undefined
  store(tx: Queryable, entries: readonly T[]): Promise<BatchData & ImportNotes>
}

interface ImportNotes {
  /** Members whose stored digits were others, as after an older file. */
  newDigits?: number
  /** New results that have one. */
  giftcodes?: number
  /** Winners of this draw in the list of a later one. */
  inLaterLists?: readonly string[]
  /** New results. */
  won?: readonly DrawResult[]
}

interface Target extends Pick<Database, 'transaction'> {
  readonly isTrial?: boolean
}

interface ImportCounts
  extends Record<'lines' | 'accepted' | 'repeated' | 'refused', number>,
    ImportNotes {
  /** By the signal, before the end of the file. */
  stopped?: true
}

/** Small enough that members do not notice a batch. */
const BATCH_LINES = 250

const PROGRESS_MS = 10_000

const problemOf = (error: z.ZodError): string =>
  error.issues.map(({ path, message }) => [...path, message].join(': ')).join('; ')

/**
 * Imports each batch in one transaction. An interrupted import can be repeated.
 * Its progress is on the error output, since a million lines take minutes.
 * @param onRefused called with the number of each refused line and the reason
 * @param signal stops the import after the batch in progress
 * @param rest waits as long as a batch took, so that members get half of the
 * machine
 */
export async function importCsvFile<T extends object>(
  database: Target,
  path: string,
  importer: Importer<T>,
  onRefused: (line: number, reason: string) => void,
  signal?: AbortSignal,
  rest: (ms: number) => Promise<unknown> = sleep,
): Promise<ImportCounts> {
  const done: ImportCounts = { lines: 0, accepted: 0, repeated: 0, refused: 0 }
  let batch: { line: number; entry: T }[] = []
  let begun = performance.now()

  const refuse = (line: number, reason: string) => {
    done.refused++
    onRefused(line, reason)
  }
  const take = (item: CsvEntry) => {
    if ('problem' in item) return refuse(item.line, item.problem)
    const { line, fields } = item
    const { data: entry, error } = importer.line.safeParse(fields)
    if (error) return refuse(line, problemOf(error))
    const contradiction = importer.contradiction?.(entry, line)
    if (contradiction !== undefined) return refuse(line, contradiction)
    batch.push({ line, entry })
  }
  const flush = async () => {
    const entries = batch.map(({ entry }) => entry)
    const outcome = await database.transaction((tx) => importer.store(tx, entries))
    done.accepted += outcome.accepted
    done.repeated += outcome.repeated
    for (const note of ['newDigits', 'giftcodes'] as const)
      if (outcome[note] !== undefined) done[note] = (done[note] ?? 0) + outcome[note]
    if (outcome.inLaterLists?.length)
      done.inLaterLists = [...(done.inLaterLists ?? []), ...outcome.inLaterLists]
    if (outcome.won) done.won = [...(done.won ?? []), ...outcome.won]
    for (const { index, reason } of outcome.refused) refuse(batch[index]?.line ?? 0, reason)
    batch = []
    await rest(performance.now() - begun)
    begun = performance.now()
  }

  const readAll = async () => {
    for await (const item of readCsv(path, importer.columns, importer.optional)) {
      if (signal?.aborted && batch.length === 0) {
        done.stopped = true
        return
      }
      done.lines++
      take(item)
      if (batch.length === BATCH_LINES) await flush()
    }
    if (batch.length > 0) await flush()
  }

  const progress = setInterval(
    () => console.error(`${formatNumber(done.lines)} lines so far`),
    PROGRESS_MS,
  )
  try {
    await readAll()
  } catch (error) {
    const stored = done.accepted + done.repeated
    if (database.isTrial || stored === 0) throw error
    const message = `${errorMessage(error)}; ${done.accepted} lines were imported before, and ${done.repeated} known already: repeat the command to go on`
    throw new Error(message, { cause: error })
  } finally {
    clearInterval(progress)
  }
  return done
}

export function importSummary(counts: ImportCounts, isTrial: boolean): string {
  const { lines, accepted, repeated, refused, newDigits, giftcodes } = counts
  const parts = [`${formatNumber(accepted)} ${isTrial ? 'would be imported' : 'imported'}`]
  if (newDigits !== undefined) parts.push(`${formatNumber(newDigits)} of them with new digits`)
  if (giftcodes !== undefined) parts.push(`${formatNumber(giftcodes)} of them with a gift code`)
  parts.push(`${formatNumber(repeated)} known already`, `${formatNumber(refused)} refused`)
  return `${formatNumber(lines)} lines: ${parts.join(', ')}`
}

const rollBack = namedStatement('ROLLBACK')

/** Rolls back each transaction, so that locks last no longer than a batch. */
export const withoutCommits = (database: Pick<Database, 'transaction'>): Target => ({
  isTrial: true,
  transaction: (work) =>
    database.transaction(async (tx) => {
      const result = await work(tx)
      // The COMMIT that follows ends nothing.
      await tx.query(rollBack)
      return result
    }),
})
