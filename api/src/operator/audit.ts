import { type Queryable, rowOf, rowsOf } from '../database/database.ts'

/**
 * Members are stored by id, so that the audit names nobody who was forgotten.
 */
export interface Change {
  readonly memberId?: string
  readonly subject?: string
  readonly detail?: Readonly<Record<string, unknown>>
}

const add = rowOf<never, unknown[]>(
  'INSERT INTO audit (who, what, member_id, subject, why, detail) VALUES ($1, $2, $3, $4, $5, $6)',
)

export async function recordChange(
  tx: Queryable,
  { memberId, subject = '', detail = {} }: Change,
  by: { who: string; what: string; why?: string | undefined },
): Promise<void> {
  await add(tx, by.who, by.what, memberId ?? null, subject, by.why ?? null, JSON.stringify(detail))
}

export interface AuditRow {
  readonly at: string
  readonly who: string
  readonly what: string
  readonly subject: string
  readonly why: string | null
  readonly detail: Readonly<Record<string, unknown>>
}

/** SQL: `about_account` is also the owner of a ticket. */
export const AUDIT = `SELECT a.id, a.member_id, event_time(a.at) AS at, a.who, a.what,
    concat_ws(' ', m.account, nullif(a.subject, '')) AS subject,
    a.why, a.detail, a.subject AS about, coalesce(m.account_key, o.account_key) AS about_account
  FROM audit a LEFT JOIN member m ON m.id = a.member_id
  LEFT JOIN ticket t ON t.code = a.subject LEFT JOIN member o ON o.id = t.member_id`

/** Notes who looked somebody up. It changes nothing. */
export const DESK_LOOK = 'desk-look'

/**
 * The newest 100 changes.
 * @param about keys of an account, or a ticket code; null selects all but the
 * claims that a recount kept, which may be thousands
 */
export const readAuditRows = rowsOf<AuditRow, [about: readonly (string | null)[] | null]>(
  `SELECT at, who, what, subject, why, detail FROM (${AUDIT}) x
   WHERE what <> '${DESK_LOOK}'
     AND ($1::text[] IS NULL AND NOT detail ? 'recount'
       OR about = ANY($1) OR about_account = ANY($1))
   ORDER BY id DESC LIMIT 100`,
)
