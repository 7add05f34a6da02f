import { errorCode } from '@anniversary/shared/error-code'
import { type Queryable, type Statement, statement, violatedConstraint } from '../database/database.ts'
import type { SessionKey } from '../rules/credentials.ts'
import { claimCodes } from '../rules/ticket-code.ts'
import { ME, sessionRow } from './session-sql.ts'

/*
 * A claim is one statement, which makes it atomic without a transaction's round trips:
 * the session, the mission row as the anchor (only the first claim of a mission finds `claimed_at IS NULL`; others wait
 * for its lock and then find nothing), the stage's counter with its CHECK, the ticket rows with their slot in the key.
 * Tickets are never counted here: the statement's snapshot is stale after a lock wait, a counter row is not.
 */
const claim = (name: string, anchor: string): Statement =>
  statement(
    name,
    `WITH ${ME},
     anchor AS (${anchor} RETURNING mm.member_id, mm.stage, mm.mission, mm.tickets, mm.claimed_at),
     counted AS (
       INSERT INTO stage_tickets AS s (shard, member_id, stage, tickets)
       SELECT $1, member_id, stage, tickets FROM anchor
       ON CONFLICT (member_id, stage, shard) DO UPDATE SET tickets = s.tickets + excluded.tickets
       RETURNING s.tickets
     ),
     issued AS (
       INSERT INTO ticket (shard, member_id, stage, slot, mission, code, claimed_at)
       SELECT $1, a.member_id, a.stage, c.tickets - a.tickets + n, a.mission, ($6::text[])[n], a.claimed_at
       FROM anchor a, counted c, generate_series(1, a.tickets) n
       RETURNING slot, code
     )
     SELECT array_agg(code ORDER BY slot) AS codes FROM issued`,
  )

/** For the benchmark, which runs the same text in pgbench. */
export const claimReached = claim(
  'claim-reached',
  `UPDATE member_mission mm SET claimed_at = $5::timestamptz FROM me
   WHERE mm.shard = $1 AND mm.member_id = me.member_id AND mm.stage = $3 AND mm.mission = $4
     AND mm.reached_at IS NOT NULL AND mm.claimed_at IS NULL`,
)

const claimProven = claim(
  'claim-proven',
  `INSERT INTO member_mission AS mm
     (shard, member_id, stage, mission, tickets, reached_by, reached_at, claimed_at, proof)
   SELECT $1, me.member_id, $3, m.code, m.tickets, 'proof', $5::timestamptz, $5::timestamptz, $7::jsonb
   FROM me, mission m WHERE m.code = $4
   ON CONFLICT (member_id, stage, mission, shard) DO UPDATE
     SET claimed_at = excluded.claimed_at, reached_at = coalesce(mm.reached_at, excluded.reached_at),
         proof = excluded.proof
     WHERE mm.claimed_at IS NULL`,
)

/** The codes of a mission, in a fresh snapshot; null: it is not claimed. Undefined: no live session. */
export const readClaim = sessionRow<{ codes: readonly string[] | null }, [stage: number, mission: string]>(
  'claim-state',
  `WITH ${ME}
   SELECT CASE WHEN mm.claimed_at IS NOT NULL THEN
     (SELECT coalesce(array_agg(t.code ORDER BY t.slot), '{}') FROM ticket t
      WHERE t.shard = $1 AND t.member_id = me.member_id AND t.stage = $3 AND t.mission = $4) END AS codes
   FROM me LEFT JOIN member_mission mm
     ON mm.shard = $1 AND mm.member_id = me.member_id AND mm.stage = $3 AND mm.mission = $4`,
)

export interface ClaimRequest {
  readonly session: SessionKey
  readonly stage: number
  readonly mission: string
  readonly at: Date
  /** A proof that the rules accepted: it makes the mission reached. */
  readonly proof?: unknown
}

/** The new codes; 'full' when the stage has fewer slots left than the mission gives tickets; undefined: none. */
export type TakenTickets = readonly string[] | 'full' | undefined

const UNIQUE_VIOLATION = '23505'
const CHECK_VIOLATION = '23514'

/**
 * Claims a mission. Takes nothing when the session is over, or the mission is not reached or already claimed;
 * `readClaim` tells which.
 */
export async function takeTickets(db: Queryable, request: ClaimRequest): Promise<TakenTickets> {
  const { session, stage, mission, at, proof } = request
  for (let attempt = 1; ; attempt++) {
    const codes = claimCodes([session.shard])
    const values = [session.shard, session.hash, stage, mission, at.toISOString(), codes]
    try {
      const rows =
        proof === undefined
          ? await db.query<{ codes: string[] | null }>(claimReached, values)
          : await db.query<{ codes: string[] | null }>(claimProven, [...values, JSON.stringify(proof)])
      return rows[0]?.codes ?? undefined
    } catch (error) {
      // By its prefix: engines that shard append a number to the name.
      const isFull =
        errorCode(error) === CHECK_VIOLATION && violatedConstraint(error)?.startsWith('stage_cap')
      if (isFull) return 'full'
      // A code that the shard has given: draw again. The key's name is its partition's.
      if (errorCode(error) !== UNIQUE_VIOLATION || attempt === 3) throw error
    }
  }
}
