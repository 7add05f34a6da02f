import { batchOf, type Queryable, rowsOf } from '../database/database.ts'
import { accountKeys } from '../login/credentials.ts'
import { daysOf, hasKeptDays, THIS_TRANSACTION } from '../missions/rules.ts'
import { STAGE_ROWS } from '../missions/stages.ts'

export interface ActivityRow {
  readonly source: string
  readonly ref: string
  readonly memberId: string
  readonly kind: 'deposit' | 'bet' | 'reversal'
  readonly amount: number
  readonly occurredAt: Date
  readonly reverses: string | null
}

/** A batch names accounts exactly, unlike what people type. */
const exactKey = (account: string) => accountKeys(account)[0] ?? ''

type EventKey = Pick<ActivityRow, 'source' | 'ref'>

export const lockMembers = rowsOf<
  { id: string; accountKey: string },
  [accountKeys: readonly string[]]
>(
  `SELECT id, account_key AS "accountKey" FROM member WHERE account_key = ANY($1::text[])
   ORDER BY account_key FOR NO KEY UPDATE`,
)

/**
 * Locks members in one order, which prevents deadlocks. Concurrent batches of
 * one member would miss each other's rows.
 * @returns a function from an account to its id
 */
export async function lockMembersOf(
  tx: Queryable,
  lines: readonly { readonly username: string }[],
) {
  const keys = lines.map(({ username }) => exactKey(username))
  const rows = await lockMembers(tx, keys)
  const ids = new Map(rows.map((row) => [row.accountKey, row.id]))
  return (account: string) => ids.get(exactKey(account))
}

export const readActivity = batchOf<ActivityRow, EventKey>(
  `SELECT a.source, a.ref, a.member_id AS "memberId", a.kind, a.amount::float8 AS amount,
          a.occurred_at AS "occurredAt", a.reverses
   FROM unnest($1::text[], $2::text[]) AS given (source, ref)
   JOIN activity a USING (source, ref)`,
  ['source', 'ref'],
)

/**
 * Returns the new rows. Others have a known ref, or reverse an event that is
 * already reversed. `activity` is read as it was before this statement.
 */
export const bookActivity = batchOf<EventKey, ActivityRow>(
  `WITH fresh AS (
     INSERT INTO activity (source, ref, member_id, kind, amount, occurred_at, reverses, received_at)
     -- Of this statement, which runs with the members' locks: after a decision
     -- that the batch has waited for.
     SELECT g.*, statement_timestamp()
     FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[],
       $5::numeric[], $6::timestamptz[], $7::text[]) AS g
     ON CONFLICT DO NOTHING
     RETURNING *
   ),
   change AS (
     SELECT f.member_id, f.day, f.kind, f.amount, 1 AS sign FROM fresh f
     WHERE f.kind <> 'reversal'
       AND NOT EXISTS (
         SELECT FROM activity r
           WHERE r.source = f.source AND r.reverses = f.ref AND r.member_id = f.member_id)
       -- Hashed, unlike NOT EXISTS, since the planner expects few fresh rows.
       AND (f.source, f.ref, f.member_id) NOT IN (
         SELECT source, reverses, member_id FROM fresh WHERE reverses IS NOT NULL)
     UNION ALL
     SELECT a.member_id, a.day, a.kind, -a.amount, -1
     FROM fresh f JOIN activity a
       ON (a.source, a.ref, a.member_id) = (f.source, f.reverses, f.member_id)
   ),
   staged AS (
     SELECT c.*, s.stage FROM change c
     JOIN ${STAGE_ROWS} ON c.day BETWEEN s.first_day AND s.last_day
   ),
   sums AS (
     SELECT member_id, stage,
       coalesce(sum(amount) FILTER (WHERE kind = 'deposit'), 0) AS deposit_total,
       coalesce(sum(amount) FILTER (WHERE kind = 'bet'), 0) AS bet_total,
       coalesce(sum(sign) FILTER (WHERE kind = 'deposit'), 0) AS deposits,
       coalesce(${daysOf('day')} FILTER (WHERE kind = 'deposit'), '{}') AS deposit_days
     FROM staged
     GROUP BY member_id, stage
   ),
   kept AS (
     INSERT INTO stage_activity AS t (
       member_id, stage, deposit_total, bet_total, deposits, deposit_days, kept_by)
     SELECT sums.*, ${THIS_TRANSACTION} FROM sums
     ON CONFLICT (member_id, stage) DO UPDATE SET
       deposit_total = t.deposit_total + excluded.deposit_total,
       bet_total = t.bet_total + excluded.bet_total,
       deposits = t.deposits + excluded.deposits,
       deposit_days = t.deposit_days + excluded.deposit_days,
       kept_by = CASE WHEN ${hasKeptDays('t')} THEN excluded.kept_by END
   ),
   -- Without these rows, a process of the version before reads the ledger.
   gone AS (
     DELETE FROM deposit_day d USING staged c
     WHERE c.kind = 'deposit' AND d.member_id = c.member_id
   )
   SELECT source, ref FROM fresh`,
  ['source', 'ref', 'memberId', 'kind', 'amount', 'occurredAt', 'reverses'],
)

/** Removes the days of reversed deposits on which no other deposit counts. */
export const removeEmptyDays = batchOf<
  never,
  Pick<ActivityRow, 'source' | 'reverses' | 'memberId'>
>(
  `UPDATE stage_activity t SET deposit_days = t.deposit_days - e.days
   FROM (
     SELECT x.member_id, x.stage, ${daysOf('x.day')} AS days
     -- Each day once, since all its lines may be read.
     FROM (
       SELECT DISTINCT d.member_id, s.stage, d.day
       FROM unnest($1::text[], $2::text[], $3::bigint[])
         AS given (source, ref, member_id)
       JOIN activity d USING (source, ref, member_id)
       JOIN ${STAGE_ROWS} ON d.day BETWEEN s.first_day AND s.last_day
       WHERE d.kind = 'deposit'
     ) x
     -- OFFSET 0 prevents a join, which may read the whole ledger.
     WHERE NOT EXISTS (
       SELECT FROM counted_activity a
         WHERE a.member_id = x.member_id AND a.day = x.day
           AND a.kind = 'deposit' OFFSET 0)
     GROUP BY x.member_id, x.stage
   ) e
   -- Only rows that the batch has booked into: a reversal beside its deposit changes none.
   WHERE (t.member_id, t.stage) = (e.member_id, e.stage)
     AND t.deposit_days && e.days`,
  ['source', 'reverses', 'memberId'],
)
