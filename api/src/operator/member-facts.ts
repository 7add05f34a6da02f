import type { MissionKind } from '@anniversary/shared/contract/missions'
import { readTicketCode } from '@anniversary/shared/readers/ticket-code'
import type { ClaimRefusal } from '../claim/take-tickets.ts'
import { type Queryable, rowOf, rowsOf } from '../database/database.ts'
import { operatorAccountKeys, pseudonymKey } from '../login/credentials.ts'
import { readFailures } from '../login/login-guard.ts'
import { countedSum, IS_UNDECIDED, longestStreakIn, NEEDS_REVIEW } from '../missions/rules.ts'
import { claimDeadline, STAGE_ROWS } from '../missions/stages.ts'
import { readAuditRows } from './audit.ts'

/*
 * What is known about a member, for `event show` and the support desk. Times
 * are in the event's zone.
 */

/** The member of the first key that somebody has, else the owner of the code. */
const findMemberFacts = rowOf<
  {
    id: string
    account: string
    accountKey: string
    createdAt: string
    bannedAt: string | null
    address: string
  },
  [accountKeys: readonly string[], code: string | null]
>(
  `SELECT m.id, m.account, m.account_key AS "accountKey",
     event_time(m.created_at) AS "createdAt", event_time(m.banned_at) AS "bannedAt",
     CASE WHEN EXISTS (SELECT FROM member_address a WHERE a.member_id = m.id) THEN 'saved'
          WHEN m.address_required THEN 'asked for' ELSE 'not needed' END AS address
   FROM member m WHERE m.account_key = ANY($1::text[])
     OR m.id = (SELECT member_id FROM ticket WHERE code = $2)
   ORDER BY array_position($1::text[], m.account_key) LIMIT 1`,
)

type Key = [memberId: string]

export interface MissionFacts {
  readonly stage: number
  readonly mission: string
  readonly name: string
  readonly kind: MissionKind
  readonly goal: number | null
  /** Null when the member's proof decides. */
  readonly have: number | null
  readonly reachedBy: 'activity' | 'completed' | 'proof' | null
  readonly reachedAt: string | null
  readonly claimedAt: string | null
  readonly proof: unknown
  readonly needsReview: boolean
  /** An operator has taken back its completion. */
  readonly isUndone: boolean
  /** The codes, and whether they are void, have won or were exchanged. */
  readonly tickets: string | null
}

const STREAK = longestStreakIn('sa', {
  memberId: '$1',
  first: 's.first_day',
  last: 's.last_day',
})
const readMissionFacts = rowsOf<MissionFacts, Key>(
  `SELECT s.stage, m.code AS mission, m.name #>> '{}' AS name, m.kind, m.goal,
     mm.reached_by AS "reachedBy",
     (CASE m.kind WHEN 'streak' THEN ${STREAK}
       ELSE ${countedSum('m.kind', 'sa')} END)::float8 AS have,
     event_time(mm.reached_at) AS "reachedAt", event_time(mm.claimed_at) AS "claimedAt", mm.proof,
     ${NEEDS_REVIEW} AND ${IS_UNDECIDED} AS "needsReview", EXISTS (
       SELECT FROM audit a WHERE a.member_id = $1 AND a.what = 'undo-completion'
         AND a.detail @> jsonb_build_object('stage', s.stage, 'mission', m.code)) AS "isUndone", (
       SELECT string_agg(concat(t.code, CASE WHEN t.voided_at IS NOT NULL THEN ' (void)' END,
           ' (won ' || d.prize || ' in draw ' || d.draw ||
             coalesce(', exchanged ' || event_time(g.traded_at), '') || ')'
         ), ', ' ORDER BY t.slot)
       FROM ticket t LEFT JOIN draw_result d ON d.ticket_code = t.code
       LEFT JOIN giftcode_trade g ON g.ticket_code = t.code
       WHERE (t.member_id, t.stage, t.mission) = (mm.member_id, mm.stage, mm.mission)) AS tickets
   FROM ${STAGE_ROWS} CROSS JOIN mission m
   LEFT JOIN member_mission mm ON (mm.member_id, mm.stage, mm.mission) = ($1, s.stage, m.code)
   LEFT JOIN stage_activity sa ON (sa.member_id, sa.stage) = ($1, s.stage)
   ORDER BY s.stage, m.position`,
)

const readRefusals = rowsOf<
  { stage: number; mission: string; reason: ClaimRefusal; times: number; lastAt: string },
  Key
>(
  `SELECT stage, mission, reason, times, event_time(last_at) AS "lastAt" FROM claim_refusal
   WHERE member_id = $1 ORDER BY claim_refusal.last_at DESC`,
)

const readSessions = rowsOf<{ createdAt: string; expiresAt: string }, Key>(
  `SELECT event_time(created_at) AS "createdAt", event_time(expires_at) AS "expiresAt" FROM session
   WHERE member_id = $1 AND expires_at > now() ORDER BY session.created_at DESC`,
)

export interface TicketFacts {
  readonly code: string
  readonly stage: number
  readonly mission: string
  readonly claimedAt: string
  readonly voidedAt: string | null
  readonly draw: number | null
  readonly prize: string | null
  readonly isGiftcode: boolean
  readonly tradedAt: string | null
  readonly deliveredAt: string | null
  /** Until when its prize can be claimed. */
  readonly until: string | null
  readonly lists: readonly { readonly draw: number; readonly position: number }[]
  readonly leftOut: readonly { readonly draw: number; readonly reason: string }[]
}

const ticketFacts = (which: string) =>
  `SELECT t.code, t.stage, m.name #>> '{}' AS mission,
     event_time(t.claimed_at) AS "claimedAt", event_time(t.voided_at) AS "voidedAt",
     d.draw, d.prize, d.giftcode IS NOT NULL AS "isGiftcode",
     event_time(g.traded_at) AS "tradedAt", event_time(v.delivered_at) AS "deliveredAt",
     event_time(${claimDeadline('d.draw')}) AS until,
     (SELECT coalesce(json_agg(json_build_object('draw', e.draw,
       'position', e.position) ORDER BY e.draw), '[]')
      FROM draw_entry e WHERE e.code = t.code) AS lists,
     (SELECT coalesce(json_agg(json_build_object('draw', x.draw,
       'reason', x.reason) ORDER BY x.draw), '[]')
      FROM draw_exclusion x WHERE x.code = t.code AND x.draw >= t.stage) AS "leftOut"
   FROM ticket t JOIN mission m ON m.code = t.mission
   LEFT JOIN draw_result d ON d.ticket_code = t.code
   LEFT JOIN giftcode_trade g ON g.ticket_code = t.code
   LEFT JOIN delivery v ON v.ticket_code = t.code
   WHERE ${which} ORDER BY t.stage, t.slot`
const readTicketFacts = rowsOf<TicketFacts, Key>(ticketFacts('t.member_id = $1'))
export const findTicketFacts = rowOf<TicketFacts, [code: string]>(ticketFacts('t.code = $1'))

export async function readMember(db: Queryable, typed: string) {
  const keys = operatorAccountKeys(typed)
  const code = readTicketCode(typed)
  const member = await findMemberFacts(db, keys, code)
  if (!member) return undefined
  const { id, accountKey } = member
  return {
    member,
    code: keys.includes(accountKey) ? null : code,
    missions: await readMissionFacts(db, id),
    tickets: await readTicketFacts(db, id),
    refusals: await readRefusals(db, id),
    sessions: await readSessions(db, id),
    failures: await readFailures(db, accountKey),
    changes: await readAuditRows(db, [accountKey, pseudonymKey(accountKey)]),
  }
}
