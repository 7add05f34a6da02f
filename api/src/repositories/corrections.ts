import { type Queryable, statement } from '../database/database.ts'
import { shardOf } from '../rules/shard.ts'
import { shardSql } from './session-sql.ts'
import { readTicketShards } from './ticket-shards.ts'

const banStatement = statement(
  'member-ban',
  'UPDATE member SET banned_at = now() WHERE id = $1 AND banned_at IS NULL RETURNING 1',
)
// Waits for logins that read the member before the ban, so that their sessions end too; new ones wait.
const lockSessions = statement('sessions-lock', 'LOCK TABLE session IN SHARE MODE')
const expireSessions = statement(
  'sessions-expire',
  'UPDATE session SET expires_at = now() WHERE shard = $1 AND member_id = $2 AND expires_at > now()',
)
const unbanStatement = statement(
  'member-unban',
  'UPDATE member SET banned_at = NULL WHERE id = $1 AND banned_at IS NOT NULL RETURNING 1',
)

/**
 * Bans a member. The sessions end but stay, so that their calls can say why.
 * @returns false when the member was banned already
 */
export async function banMember(tx: Queryable, memberId: string): Promise<boolean> {
  const banned = await tx.query(banStatement, [memberId])
  await tx.query(lockSessions)
  await tx.query(expireSessions, [shardOf(memberId), memberId])
  return banned.length > 0
}

/** @returns false when the member was not banned */
export const unbanMember = async (tx: Queryable, memberId: string): Promise<boolean> =>
  (await tx.query(unbanStatement, [memberId])).length > 0

export interface TicketState {
  readonly account: string
  readonly isVoid: boolean
  /** Null: has not won. */
  readonly draw: number | null
  readonly prize: string | null
  /** Null: not exchanged. */
  readonly tradedAt: string | null
}

const ticketState = statement(
  'ticket-state',
  `SELECT o.account_key AS account, t.voided_at IS NOT NULL AS "isVoid", d.draw, d.prize,
     event_time(g.traded_at) AS "tradedAt"
   FROM ticket t JOIN member o ON o.id = t.member_id LEFT JOIN draw_result d ON d.shard = t.shard AND d.ticket_code = t.code
   LEFT JOIN giftcode_trade g ON g.shard = t.shard AND g.ticket_code = t.code
   WHERE t.shard = $1 AND t.code = $2 FOR UPDATE OF t`,
)

const keyOf = async (tx: Queryable, code: string) => [(await readTicketShards(tx, [code]))[0], code]

/** Reads a ticket and locks it. */
export const lockTicket = async (tx: Queryable, code: string): Promise<TicketState | undefined> =>
  (await tx.query<TicketState>(ticketState, await keyOf(tx, code)))[0]

const voidStatement = statement(
  'ticket-void',
  'UPDATE ticket SET voided_at = CASE WHEN $3::bool THEN now() END WHERE shard = $1 AND code = $2',
)

export async function setVoid(tx: Queryable, code: string, isVoid: boolean): Promise<void> {
  await tx.query(voidStatement, [...(await keyOf(tx, code)), isVoid])
}

const removeDraw = statement(
  'draw-remove',
  'DELETE FROM draw_result WHERE shard = $1 AND ticket_code = $2 RETURNING giftcode',
)

/** Removes a winning ticket from its draw. @returns its gift code */
export async function removeDrawResult(tx: Queryable, code: string): Promise<string | null | undefined> {
  return (await tx.query<{ giftcode: string | null }>(removeDraw, await keyOf(tx, code)))[0]?.giftcode
}

const withdrawCompletion = statement(
  'completion-withdraw',
  `UPDATE member_mission mm SET reached_by = CASE WHEN mm.proof IS NULL THEN 'activity' ELSE 'proof' END,
     tickets = CASE WHEN mm.claimed_at IS NULL THEN m.tickets ELSE mm.tickets END
   FROM mission m
   WHERE mm.shard = ${shardSql('$1::bigint')} AND mm.member_id = $1 AND mm.stage = $2 AND mm.mission = $3 AND mm.reached_by = 'completed' AND m.code = mm.mission
   RETURNING event_time(mm.reached_at) AS "reachedAt", event_time(mm.claimed_at) AS "claimedAt"`,
)

/**
 * Withdraws a completion of the back office: the ledger or the proof decides again.
 * @returns undefined when there is none
 */
export async function removeCompletion(
  tx: Queryable,
  key: { memberId: string; stage: number; mission: string },
): Promise<{ reachedAt: string; claimedAt: string | null } | undefined> {
  return (
    await tx.query<{ reachedAt: string; claimedAt: string | null }>(withdrawCompletion, [
      key.memberId,
      key.stage,
      key.mission,
    ])
  )[0]
}

const reversalOwner = statement(
  'reversal-owner',
  `SELECT o.account_key AS account FROM activity a JOIN member o ON o.id = a.member_id
   WHERE a.source = $1 AND a.ref = $2 AND a.kind = 'reversal'`,
)

/** Account key of the member of a reversal. */
export const findReversal = async (
  tx: Queryable,
  source: string,
  ref: string,
): Promise<{ account: string } | undefined> =>
  (await tx.query<{ account: string }>(reversalOwner, [source, ref]))[0]

const undoStatement = statement(
  'reversal-undo',
  `UPDATE activity SET undone_at = now()
   WHERE source = $1 AND ref = $2 AND kind = 'reversal' AND undone_at IS NULL RETURNING reverses`,
)

/** Makes a reversal count no more. @returns what it reversed; undefined: it was undone before */
export const undoReversalRow = async (
  tx: Queryable,
  source: string,
  ref: string,
): Promise<string | undefined> =>
  (await tx.query<{ reverses: string }>(undoStatement, [source, ref]))[0]?.reverses
