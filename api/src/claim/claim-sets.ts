import { TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { MISSIONS } from '@anniversary/shared/contract/missions'
import { isDatabaseSilent, type Queryable, rowsOf } from '../database/database.ts'
import { type ClaimRequest, type TakenCodes, takeTickets } from './take-tickets.ts'
import { newTicketCodes } from './ticket-code.ts'

/*
 * States of a claim without a proof:
 * - waiting: two sets are in progress, or this turn of the event loop brings
 *   more claims.
 * - in a set: leaves with its codes, or with none; then `explainClaim` finds
 *   out why.
 * - rejected: the database did not answer its set, or the set before, for
 *   which it waited.
 */

/** A completion of the back office may be worth more tickets. */
const CODES_A_CLAIM = Math.max(...MISSIONS.map(({ tickets }) => tickets))

/**
 * Leaves out claims that cannot be granted, are worth more than `CODES_A_CLAIM`
 * or come second from one member. Locked rows are skipped, so that two sets
 * never wait for each other.
 */
export const claimTogether = rowsOf<
  { n: number; codes: string[] },
  [sessions: Buffer[], stage: number, missions: string[], at: Date, codes: string[]]
>(
  `WITH asked AS (
     SELECT * FROM unnest($1::bytea[], $3::text[]) WITH ORDINALITY AS a (token_hash, mission, n)
   ),
   me AS (
     SELECT DISTINCT ON (s.member_id) s.member_id, a.mission, a.n
     FROM asked a JOIN session s ON s.token_hash = a.token_hash AND s.expires_at > now()
     ORDER BY s.member_id, a.n
   ),
   anchor AS MATERIALIZED (
     SELECT mm.member_id, mm.stage, mm.mission, mm.tickets, me.n
     FROM me JOIN member_mission mm USING (member_id, mission)
     WHERE mm.stage = $2 AND mm.reached_at IS NOT NULL AND mm.claimed_at IS NULL
       AND mm.tickets <= ${CODES_A_CLAIM}
     ORDER BY mm.member_id
     FOR UPDATE OF mm SKIP LOCKED
   ),
   counted AS (
     INSERT INTO stage_tickets AS s (member_id, stage, tickets)
     SELECT member_id, stage, tickets FROM anchor
     ON CONFLICT (member_id, stage) DO UPDATE SET tickets = s.tickets + excluded.tickets
       WHERE s.tickets + excluded.tickets <= ${TICKETS_PER_STAGE}
     RETURNING s.member_id, s.tickets
   ),
   claimed AS (
     UPDATE member_mission mm SET claimed_at = $4::timestamptz
     FROM anchor a JOIN counted c USING (member_id)
     WHERE mm.member_id = a.member_id AND mm.stage = a.stage AND mm.mission = a.mission
     RETURNING mm.member_id, mm.stage, mm.mission, mm.tickets, mm.claimed_at, c.tickets AS total, a.n
   ),
   issued AS (
     INSERT INTO ticket (member_id, stage, slot, mission, code, claimed_at)
     SELECT c.member_id, c.stage, c.total - c.tickets + i, c.mission,
       ($5::text[])[(c.n - 1) * ${CODES_A_CLAIM} + i], c.claimed_at
     FROM claimed c, generate_series(1, c.tickets) i
     RETURNING member_id, slot, code
   )
   SELECT c.n::int, array_agg(i.code ORDER BY i.slot) AS codes
   FROM claimed c JOIN issued i USING (member_id) GROUP BY c.n`,
)

/**
 * Fewer make larger sets; a single one would leave the database idle meanwhile.
 */
const SETS_AT_ONCE = 2
const LARGEST_SET = 64

interface WaitingClaim {
  readonly request: ClaimRequest
  resolve(codes: TakenCodes): void
  reject(error: unknown): void
}

function takeSet(waiting: WaitingClaim[], stage: number): WaitingClaim[] {
  const next = waiting.slice(0, LARGEST_SET)
  const firstOfOther = next.findIndex(({ request }) => request.stage !== stage)
  return waiting.splice(0, firstOfOther < 0 ? next.length : firstOfOther)
}

async function sendSet(db: Queryable, set: readonly WaitingClaim[], { stage, at }: ClaimRequest) {
  const granted = await claimTogether(
    db,
    set.map(({ request }) => request.session),
    stage,
    set.map(({ request }) => request.mission),
    at,
    newTicketCodes(set.length * CODES_A_CLAIM),
  )
  return new Map(granted.map(({ n, codes }) => [n - 1, codes]))
}

/**
 * Claims that arrive while two sets are in progress form the next one. No timer
 * delays a claim.
 * @param onFailure called for each set that fails
 */
export function createClaimSets(
  db: Queryable,
  onFailure: (error: unknown) => void,
): (request: ClaimRequest) => Promise<TakenCodes> {
  const waiting: WaitingClaim[] = []
  let underWay = 0

  const makeSet = async ({ request }: WaitingClaim) => {
    const set = takeSet(waiting, request.stage)
    underWay++
    try {
      const codes = await sendSet(db, set, request)
      for (const [place, { resolve }] of set.entries()) resolve(codes.get(place))
    } catch (error) {
      onFailure(error)
      // Each following set would wait as long for a database that does not
      // answer.
      if (isDatabaseSilent(error))
        for (const { reject } of [...set, ...waiting.splice(0)]) reject(error)
      else for (const { resolve } of set) resolve(undefined)
    }
    underWay--
    sendNext()
  }
  const sendNext = () => {
    while (waiting[0] && underWay < SETS_AT_ONCE) void makeSet(waiting[0])
  }

  return (request) => {
    if (request.proof !== undefined) return takeTickets(db, request)
    return new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject })
      if (waiting.length === 1) setImmediate(sendNext)
    })
  }
}
