import { STAGES } from '@anniversary/shared/contract/event'
import { type Queryable, statement } from '../database/database.ts'
import { ME } from './session-sql.ts'

export interface ActivityRow {
  readonly source: string
  readonly ref: string
  readonly memberId: string
  readonly kind: 'deposit' | 'bet' | 'reversal'
  /** Points, at most two decimals. */
  readonly amount: number
  readonly occurredAt: Date
  /** ref of the reversed row. */
  readonly reverses: string | null
}

const lockMembers = statement(
  'activity-lock-members',
  `SELECT id, account_key AS "accountKey" FROM member WHERE account_key = ANY($1::text[]) ORDER BY id FOR NO KEY UPDATE`,
)

/**
 * The members of these account keys, locked until the transaction ends: two batches that recount one member at the
 * same time would each miss the other's rows. In order of id, so that batches never wait for each other in a circle.
 */
export async function lockMembersByKey(tx: Queryable, keys: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx.query<{ id: string; accountKey: string }>(lockMembers, [keys])
  return new Map(rows.map((row) => [row.accountKey, row.id]))
}

const addRows = statement(
  'activity-add',
  `INSERT INTO activity (source, ref, member_id, kind, amount, occurred_at, reverses, received_at)
   SELECT source, ref, member_id, kind, amount, occurred_at, reverses, now()
   FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::numeric[], $6::timestamptz[], $7::text[])
     AS given (source, ref, member_id, kind, amount, occurred_at, reverses)
   ON CONFLICT DO NOTHING
   RETURNING source, ref`,
)

/** Adds rows to the ledger. @returns those that were new; the others clash with a known ref or a known reversal */
export function addActivity(
  tx: Queryable,
  rows: readonly ActivityRow[],
): Promise<{ source: string; ref: string }[]> {
  return tx.query(addRows, [
    rows.map((r) => r.source),
    rows.map((r) => r.ref),
    rows.map((r) => r.memberId),
    rows.map((r) => r.kind),
    rows.map((r) => r.amount.toFixed(2)),
    rows.map((r) => r.occurredAt.toISOString()),
    rows.map((r) => r.reverses),
  ])
}

const knownRows = statement(
  'activity-known',
  `SELECT a.source, a.ref, a.member_id AS "memberId", a.kind, a.amount::float8 AS amount,
          a.occurred_at AS "occurredAt", a.reverses
   FROM unnest($1::text[], $2::text[]) AS given (source, ref) JOIN activity a USING (source, ref)`,
)

export function readActivity(
  tx: Queryable,
  keys: readonly { source: string; ref: string }[],
): Promise<ActivityRow[]> {
  return tx.query(knownRows, [keys.map((k) => k.source), keys.map((k) => k.ref)])
}

/** SQL: row `a` is one that no reversal of the same source and member takes back. */
export const COUNTS = `a.kind <> 'reversal' AND NOT EXISTS (
  SELECT FROM activity r WHERE r.source = a.source AND r.reverses = a.ref AND r.member_id = a.member_id)`

const stageTotals = statement(
  'activity-stage-totals',
  `SELECT a.member_id AS "memberId", s.stage,
     coalesce(sum(a.amount) FILTER (WHERE a.kind = 'deposit'), 0) * 100 AS "depositCents",
     coalesce(sum(a.amount) FILTER (WHERE a.kind = 'bet'), 0) * 100 AS "betCents",
     count(*) FILTER (WHERE a.kind = 'deposit')::int AS deposits
   FROM unnest($2::smallint[], $3::date[], $4::date[]) AS s (stage, first_day, last_day)
   JOIN activity a ON a.member_id = ANY($1::bigint[]) AND a.day BETWEEN s.first_day AND s.last_day
   WHERE ${COUNTS}
   GROUP BY a.member_id, s.stage`,
)

export interface StageTotals {
  readonly memberId: string
  readonly stage: number
  readonly depositCents: bigint
  readonly betCents: bigint
  readonly deposits: number
}

/** What the ledger says of these members in each stage in which they did anything. */
export async function readStageTotals(tx: Queryable, memberIds: readonly string[]): Promise<StageTotals[]> {
  const rows = await tx.query<{
    memberId: string
    stage: number
    depositCents: string
    betCents: string
    deposits: number
  }>(stageTotals, [
    memberIds,
    STAGES.map((s) => s.number),
    STAGES.map((s) => s.firstDay),
    STAGES.map((s) => s.lastDay),
  ])
  const whole = (numeric: string) => BigInt(numeric.split('.')[0] ?? '0')
  return rows.map((r) => ({ ...r, depositCents: whole(r.depositCents), betCents: whole(r.betCents) }))
}

const depositDays = statement(
  'activity-deposit-days',
  `WITH ${ME}
   SELECT coalesce(array_agg(DISTINCT a.day::text) FILTER (WHERE a.day IS NOT NULL), '{}') AS days
   FROM me LEFT JOIN activity a ON a.member_id = me.member_id AND a.kind = 'deposit'
     AND a.day BETWEEN $2::date AND $3::date AND ${COUNTS}
   GROUP BY me.member_id`,
)

/** Days with a deposit within an inclusive range. Undefined: no live session. */
export async function readDepositDays(
  db: Queryable,
  hash: Buffer,
  range: { start: string; end: string },
): Promise<readonly string[] | undefined> {
  return (await db.query<{ days: string[] }>(depositDays, [hash, range.start, range.end]))[0]?.days
}
