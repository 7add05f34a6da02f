import { batchOf, type Queryable, rowsOf } from '../database/database.ts'
import { accountKey } from '../login/credentials.ts'

export interface ActivityRow {
  readonly source: string
  readonly ref: string
  readonly memberId: string
  readonly kind: 'deposit' | 'bet' | 'reversal'
  readonly amount: number
  readonly occurredAt: Date
  readonly reverses: string | null
}

type EventKey = Pick<ActivityRow, 'source' | 'ref'>

const lockMembers = rowsOf<{ id: string; accountKey: string }, [accountKeys: readonly string[]]>(
  `SELECT id, account_key AS "accountKey" FROM member WHERE account_key = ANY($1::text[]) ORDER BY account_key
   FOR NO KEY UPDATE`,
)

/**
 * Locks these members until the transaction ends, since two concurrent batches of one member would miss each other's rows.
 * Members are always locked in one order, which prevents deadlocks. Returns a function from an account to its id.
 */
export async function lockMembersOf(tx: Queryable, lines: readonly { readonly username: string }[]) {
  const keys = lines.map(({ username }) => accountKey(username))
  const rows = await lockMembers(tx, keys)
  const ids = new Map(rows.map((row) => [row.accountKey, row.id]))
  return (account: string) => ids.get(accountKey(account))
}

/**
 * Adds rows to the ledger and returns the new ones; `isReversed` by an earlier batch. The others have a known ref, or
 * reverse an event that is already reversed.
 */
export const addActivity = batchOf<EventKey & { isReversed: boolean }, ActivityRow>(
  `INSERT INTO activity (source, ref, member_id, kind, amount, occurred_at, reverses, received_at)
   SELECT g.*, now()
   FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::numeric[], $6::timestamptz[], $7::text[]) AS g
   ON CONFLICT DO NOTHING
   RETURNING source, ref, EXISTS (
     SELECT FROM activity r
     WHERE r.source = activity.source AND r.reverses = activity.ref AND r.member_id = activity.member_id
   ) AS "isReversed"`,
  ['source', 'ref', 'memberId', 'kind', 'amount', 'occurredAt', 'reverses'],
)

export const readActivity = batchOf<ActivityRow, EventKey>(
  `SELECT a.source, a.ref, a.member_id AS "memberId", a.kind, a.amount::float8 AS amount,
          a.occurred_at AS "occurredAt", a.reverses
   FROM unnest($1::text[], $2::text[]) AS given (source, ref) JOIN activity a USING (source, ref)`,
  ['source', 'ref'],
)

/** A deposit or bet that starts to count in its stage (1) or stops counting (-1). */
export type Counted = Pick<ActivityRow, 'memberId' | 'kind' | 'amount' | 'occurredAt'> & {
  readonly sign: 1 | -1
}

export const addToSums = batchOf<never, Omit<Counted, 'occurredAt'> & { stage: number }>(
  `INSERT INTO stage_activity AS t (member_id, stage, deposit_total, bet_total, deposits)
   SELECT g.member_id, g.stage, sum(g.sign * g.amount * (g.kind = 'deposit')::int),
     sum(g.sign * g.amount * (g.kind = 'bet')::int), sum(g.sign * (g.kind = 'deposit')::int)
   FROM unnest($1::bigint[], $2::smallint[], $3::text[], $4::numeric[], $5::int[])
     AS g (member_id, stage, kind, amount, sign)
   GROUP BY g.member_id, g.stage
   ON CONFLICT (member_id, stage) DO UPDATE SET deposit_total = t.deposit_total + excluded.deposit_total,
     bet_total = t.bet_total + excluded.bet_total, deposits = t.deposits + excluded.deposits`,
  ['memberId', 'stage', 'kind', 'amount', 'sign'],
)
