import { hash } from 'node:crypto'
import { errorCode } from '@anniversary/shared/error-code'

export interface Statement {
  /** Postgres keeps the plan under this name on each connection. */
  readonly name: string
  readonly text: string
  /** It waits for the disk and perhaps for a lock. */
  readonly writes: boolean
}

export const namedStatement = (text: string): Statement => ({
  name: hash('sha256', text, 'base64url').slice(0, 16),
  text,
  writes: /\b(insert|update|delete)\b/i.test(text),
})

export interface Queryable {
  /** Rejects with the driver's error: read its `errorCode`. */
  query<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>
}

/** The benchmark runs its `.statement` in pgbench. */
export function rowsOf<Row, Values extends readonly unknown[]>(text: string) {
  const prepared = namedStatement(text)
  const run = (db: Queryable, ...values: Values): Promise<Row[]> => db.query<Row>(prepared, values)
  return Object.assign(run, { statement: prepared })
}

export function rowOf<Row, Values extends readonly unknown[]>(text: string) {
  const rows = rowsOf<Row, Values>(text)
  const run = async (db: Queryable, ...values: Values): Promise<Row | undefined> =>
    (await rows(db, ...values))[0]
  return Object.assign(run, { statement: rows.statement })
}

/**
 * Passes rows as columns, such as `unnest($1::text[], $2::bigint[])`. Without
 * rows it sends nothing.
 */
export function batchOf<Row, Given>(text: string, names: readonly (keyof Given)[]) {
  const rows = rowsOf<Row, unknown[]>(text)
  return async (db: Queryable, given: readonly Given[]): Promise<Row[]> => {
    if (given.length === 0) return []
    return rows(db, ...names.map((name) => given.map((row) => row[name])))
  }
}

const PAGE_ROWS = 2000

/** @param tx a transaction, in which the cursor `name` lives */
export async function* pagesOfSite<Row>(
  tx: Queryable,
  name: string,
  query: string,
): AsyncGenerator<Row[]> {
  await tx.query(namedStatement(`DECLARE "${name}" NO SCROLL CURSOR FOR ${query}`))
  const fetch = namedStatement(`FETCH ${PAGE_ROWS} FROM "${name}"`)
  for (;;) {
    const rows = await tx.query<Row>(fetch)
    if (rows.length === 0) break
    yield rows
  }
  await tx.query(namedStatement(`CLOSE "${name}"`))
}

export interface Database extends Queryable {
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>
  waiting(): number
  close(): Promise<void>
}

/**
 * SQLSTATE for the driver's own failures, which carry no code: a lost
 * connection, and no answer in time.
 */
export const LOST = '08003'
export const SILENT = '08006'

export const isDatabaseSilent = (error: unknown): boolean => errorCode(error) === SILENT

/**
 * SQLSTATE classes of a database that is away, starting, stopping, full,
 * overloaded, locked, or read-only after a failover. 26000: the statement was
 * to be prepared by a call that was cancelled, such as one that waited for a
 * lock.
 */
const AWAY = /^(08|25006|25P03|26000|40|53|55P03|57|58)/

export const isDatabaseAway = (error: unknown): boolean => AWAY.test(errorCode(error) ?? '')
