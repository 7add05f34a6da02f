import { type Queryable, rowOf, rowsOf } from '../database/database.ts'

export interface Change {
  /** An account's key, a ticket code or a file: what `event audit` is asked for. */
  readonly subject: string
  readonly detail?: Readonly<Record<string, unknown>>
}

const add = rowOf<never, unknown[]>(
  'audit-add',
  'INSERT INTO audit (who, what, subject, why, detail) VALUES ($1, $2, $3, $4, $5)',
)

/** Writes an audit row, in the transaction of the change. */
export async function recordChange(
  tx: Queryable,
  { subject, detail = {} }: Change,
  by: { who: string; what: string; why?: string | undefined },
): Promise<void> {
  await add(tx, by.who, by.what, subject, by.why ?? null, JSON.stringify(detail))
}

export interface AuditRow {
  readonly at: string
  readonly who: string
  readonly what: string
  readonly subject: string
  readonly why: string | null
  readonly detail: Readonly<Record<string, unknown>>
}

/** The newest 100 changes. @param about an account's key or a ticket code; null: all */
export const readAudit = rowsOf<AuditRow, [about: string | null]>(
  'audit-rows',
  `SELECT event_time(at) AS at, who, what, subject, why, detail FROM audit
   WHERE $1::text IS NULL OR subject = $1 OR detail ->> 'account' = $1 ORDER BY audit.at DESC LIMIT 100`,
)
