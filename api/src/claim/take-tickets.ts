import { TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import pg from 'pg'
import { type Queryable, rowOf } from '../database/database.ts'
import { ME } from '../login/session.ts'
import { memberTexts } from '../texts.ts'
import { newTicketCodes } from './ticket-code.ts'

/** `status_code` and message of each refusal. */
export const REFUSALS = {
  'not-reached': [4030, memberTexts.notReached],
  'no-mission': [4040, memberTexts.noMission],
  'stage-full': [4090, memberTexts.stageFull],
  'stage-closed': [4100, memberTexts.stageClosed],
  'dates-missing': [4220, memberTexts.streakDatesMissing],
  'dates-reversed': [4220, memberTexts.streakDatesReversed],
  'no-streak': [4220, memberTexts.streakNotMet],
  'links-missing': [4220, memberTexts.shareLinksMissing],
  'bad-links': [4220, memberTexts.shareLinksWrong],
} as const
export type ClaimRefusal = keyof typeof REFUSALS

export interface ClaimRequest {
  readonly session: Buffer
  readonly stage: number
  readonly mission: string
  readonly at: Date
  /** An accepted proof makes the mission reached. */
  readonly proof?: unknown
}

/** Undefined when nothing was granted; `explainClaim` returns why. */
export type TakenCodes = readonly string[] | undefined

/**
 * One atomic statement: only the first claim finds `claimed_at IS NULL`; others
 * wait for its lock and then find nothing. It must not count tickets: after a
 * lock wait the statement's snapshot is stale, but the counter's row is not.
 */
const claim = <More extends unknown[]>(anchor: string) =>
  rowOf<{ codes: string[] | null }, [Buffer, number, string, Date, string[], ...More]>(
    `WITH ${ME},
     anchor AS (${anchor} RETURNING mm.member_id, mm.stage, mm.mission, mm.tickets, mm.claimed_at),
     counted AS (
       INSERT INTO stage_tickets AS s (member_id, stage, tickets)
       SELECT member_id, stage, tickets FROM anchor
       ON CONFLICT (member_id, stage) DO UPDATE SET tickets = s.tickets + excluded.tickets
       RETURNING s.tickets
     ),
     issued AS (
       INSERT INTO ticket (member_id, stage, slot, mission, code, claimed_at)
       SELECT a.member_id, a.stage, c.tickets - a.tickets + n, a.mission, ($5::text[])[n], a.claimed_at
       FROM anchor a, counted c, generate_series(1, a.tickets) n
       RETURNING slot, code
     )
     SELECT array_agg(code ORDER BY slot) AS codes FROM issued`,
  )

export const claimReached = claim<[]>(
  `UPDATE member_mission mm SET claimed_at = $4::timestamptz FROM me
   WHERE mm.member_id = me.member_id AND mm.stage = $2 AND mm.mission = $3
     AND mm.reached_at IS NOT NULL AND mm.claimed_at IS NULL`,
)

export const claimProven = claim<[proof: string]>(
  `INSERT INTO member_mission AS mm (member_id, stage, mission, tickets,
     reached_by, reached_at, claimed_at, proof)
   SELECT me.member_id, $2, m.code, m.tickets, 'proof', $4::timestamptz, $4::timestamptz, $6::jsonb
   FROM me, mission m WHERE m.code = $3
   ON CONFLICT (member_id, stage, mission) DO UPDATE
     SET claimed_at = excluded.claimed_at,
         reached_at = coalesce(mm.reached_at, excluded.reached_at),
         proof = excluded.proof,
         reached_by = CASE WHEN mm.reached_at IS NULL THEN excluded.reached_by
           ELSE mm.reached_by END
     WHERE mm.claimed_at IS NULL`,
)

/**
 * The stage is full (CHECK), or another ticket has one of the codes (unique
 * key).
 */
const isRefused = (error: unknown) =>
  error instanceof pg.DatabaseError && /^(stage_cap|ticket_code)$/.test(error.constraint ?? '')

function claimOne(db: Queryable, { session, stage, mission, at, proof }: ClaimRequest) {
  const codes = newTicketCodes(TICKETS_PER_STAGE)
  if (proof === undefined) return claimReached(db, session, stage, mission, at, codes)
  return claimProven(db, session, stage, mission, at, codes, JSON.stringify(proof))
}

export async function takeTickets(db: Queryable, request: ClaimRequest): Promise<TakenCodes> {
  try {
    const taken = await claimOne(db, request)
    return taken?.codes ?? undefined
  } catch (error) {
    if (isRefused(error)) return undefined
    throw error
  }
}

/**
 * Explains in a fresh snapshot why a claim got nothing, and notes a refusal.
 * `codes`: claimed. `reason`: refused. Neither: it can be claimed now. No row:
 * no live session.
 * @param refusal reason to refuse the claim; null: none but a full stage
 * @param unlessReached the reason does not concern a mission that is reached
 */
export const explainClaim = rowOf<
  { codes: readonly string[] | null; reason: ClaimRefusal | null },
  [
    session: Buffer,
    stage: number,
    mission: string,
    at: Date,
    refusal: ClaimRefusal | null,
    unlessReached: boolean,
  ]
>(
  `WITH ${ME},
   state AS (
     SELECT me.member_id, m.code,
       CASE WHEN mm.claimed_at IS NOT NULL THEN ARRAY(
         SELECT t.code FROM ticket t
         WHERE t.member_id = me.member_id AND t.stage = $2 AND t.mission = $3
           AND t.voided_at IS NULL
           ORDER BY t.slot) END AS codes,
       CASE WHEN mm.claimed_at IS NULL THEN coalesce(
         CASE WHEN mm.reached_at IS NULL OR NOT $6 THEN $5::text END,
         CASE WHEN coalesce(s.tickets, 0) + coalesce(mm.tickets, m.tickets) > ${TICKETS_PER_STAGE}
           THEN 'stage-full' END) END AS reason
     FROM me LEFT JOIN mission m ON m.code = $3
     LEFT JOIN member_mission mm
       ON mm.member_id = me.member_id AND mm.stage = $2 AND mm.mission = $3
     LEFT JOIN stage_tickets s ON s.member_id = me.member_id AND s.stage = $2
   ),
   noted AS (
     INSERT INTO claim_refusal AS r (member_id, stage, mission, reason, times, last_at)
     SELECT member_id, $2, code, reason, 1, $4::timestamptz FROM state
     WHERE reason IS NOT NULL AND code IS NOT NULL
     ON CONFLICT (member_id, stage, mission, reason) DO UPDATE
       SET times = r.times + 1, last_at = excluded.last_at
   )
   SELECT codes, reason FROM state`,
)
