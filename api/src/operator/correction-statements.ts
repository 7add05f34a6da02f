import { type Queryable, rowOf, rowsOf } from '../database/database.ts'

/** Bans a member, or takes the ban back. Undefined: nothing changed. */
export const setBanned = rowOf<object, [memberId: string, isBanned: boolean]>(
  'member-set-banned',
  `UPDATE member SET banned_at = CASE WHEN $2::bool THEN now() END
   WHERE id = $1 AND (banned_at IS NULL) = $2 RETURNING 1`,
)

// Waits for logins that read the member before the ban, so that their sessions end too; new ones wait.
const lockSessions = rowsOf<never, []>('sessions-lock', 'LOCK TABLE session IN SHARE MODE')
const expire = rowsOf<never, [memberId: string]>(
  'sessions-expire',
  'UPDATE session SET expires_at = now() WHERE member_id = $1 AND expires_at > now()',
)

/** Ends the sessions of a banned member, but keeps them, so that their calls can say why. */
export async function expireSessions(tx: Queryable, memberId: string): Promise<void> {
  await lockSessions(tx)
  await expire(tx, memberId)
}

export interface TicketState {
  readonly account: string
  readonly isVoid: boolean
  /** Null: has not won. */
  readonly draw: number | null
  readonly prize: string | null
  /** Null: not exchanged. */
  readonly tradedAt: string | null
}

/** Reads a ticket and locks it. */
export const lockTicket = rowOf<TicketState, [code: string]>(
  'ticket-state',
  `SELECT o.account_key AS account, t.voided_at IS NOT NULL AS "isVoid", d.draw, d.prize,
     event_time(g.traded_at) AS "tradedAt"
   FROM ticket t JOIN member o ON o.id = t.member_id
   LEFT JOIN draw_result d ON d.ticket_code = t.code
   LEFT JOIN giftcode_trade g ON g.ticket_code = t.code
   WHERE t.code = $1 FOR UPDATE OF t`,
)

export const setVoid = rowOf<never, [code: string, isVoid: boolean]>(
  'ticket-void',
  'UPDATE ticket SET voided_at = CASE WHEN $2::bool THEN now() END WHERE code = $1',
)

/** Removes a winning ticket from its draw. */
export const removeDrawResult = rowOf<{ giftcode: string | null }, [code: string]>(
  'draw-remove',
  'DELETE FROM draw_result WHERE ticket_code = $1 RETURNING giftcode',
)

/**
 * Withdraws a completion of the back office: the ledger or the proof decides again.
 * @returns undefined when there is none
 */
export const removeCompletion = rowOf<
  { reachedAt: string; claimedAt: string | null },
  [memberId: string, stage: number, mission: string]
>(
  'completion-withdraw',
  `UPDATE member_mission mm SET reached_by = CASE WHEN mm.proof IS NULL THEN 'activity' ELSE 'proof' END,
     tickets = CASE WHEN mm.claimed_at IS NULL THEN m.tickets ELSE mm.tickets END
   FROM mission m
   WHERE mm.member_id = $1 AND mm.stage = $2 AND mm.mission = $3
     AND mm.reached_by = 'completed' AND m.code = mm.mission
   RETURNING event_time(mm.reached_at) AS "reachedAt", event_time(mm.claimed_at) AS "claimedAt"`,
)

/** Account key of the member of a reversal. */
export const findReversal = rowOf<{ account: string }, [source: string, ref: string]>(
  'reversal-owner',
  `SELECT o.account_key AS account FROM activity a JOIN member o ON o.id = a.member_id
   WHERE a.source = $1 AND a.ref = $2 AND a.kind = 'reversal'`,
)

/** Makes a reversal count no more. Undefined: it was undone before. */
export const undoReversalRow = rowOf<{ reverses: string }, [source: string, ref: string]>(
  'reversal-undo',
  `UPDATE activity SET undone_at = now()
   WHERE source = $1 AND ref = $2 AND kind = 'reversal' AND undone_at IS NULL RETURNING reverses`,
)
