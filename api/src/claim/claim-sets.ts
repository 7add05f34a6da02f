import { TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { isSilence, type Queryable, rowsOf } from '../database/database.ts'
import { type ClaimRequest, type TakenCodes, takeTickets } from './take-tickets.ts'
import { claimCodes } from './ticket-code.ts'

/**
 * Makes the claims of many members in one statement. It leaves out claims with an unknown session, of a mission that is not
 * reached or already claimed, in a full stage, with a locked row, and the second claim of one member. Locked rows are
 * skipped, so that two sets never wait for each other.
 */
export const claimSet = rowsOf<
  { n: number; codes: string[] },
  [sessions: Buffer[], stages: number[], missions: string[], times: string[], codes: string[]]
>(
  `WITH asked AS (
     SELECT * FROM unnest($1::bytea[], $2::smallint[], $3::text[], $4::timestamptz[])
       WITH ORDINALITY AS a (token_hash, stage, mission, at, n)
   ),
   me AS (
     SELECT DISTINCT ON (s.member_id) s.member_id, a.stage, a.mission, a.at, a.n
     FROM asked a JOIN session s ON s.token_hash = a.token_hash AND s.expires_at > now()
     ORDER BY s.member_id, a.n
   ),
   anchor AS MATERIALIZED (
     SELECT mm.member_id, mm.stage, mm.mission, mm.tickets, me.at, me.n
     FROM me JOIN member_mission mm USING (member_id, stage, mission)
     WHERE mm.reached_at IS NOT NULL AND mm.claimed_at IS NULL
     ORDER BY mm.member_id
     FOR UPDATE OF mm SKIP LOCKED
   ),
   counted AS (
     INSERT INTO stage_tickets AS s (member_id, stage, tickets) SELECT member_id, stage, tickets FROM anchor
     ON CONFLICT (member_id, stage) DO UPDATE SET tickets = s.tickets + excluded.tickets
       WHERE s.tickets + excluded.tickets <= ${TICKETS_PER_STAGE}
     RETURNING s.member_id, s.tickets
   ),
   claimed AS (
     UPDATE member_mission mm SET claimed_at = a.at
     FROM anchor a JOIN counted c USING (member_id)
     WHERE mm.member_id = a.member_id AND mm.stage = a.stage AND mm.mission = a.mission
     RETURNING mm.member_id, mm.stage, mm.mission, mm.tickets, mm.claimed_at, c.tickets AS total, a.n
   ),
   issued AS (
     INSERT INTO ticket (member_id, stage, slot, mission, code, claimed_at)
     SELECT c.member_id, c.stage, c.total - c.tickets + i, c.mission,
       ($5::text[])[(c.n - 1) * ${TICKETS_PER_STAGE} + i], c.claimed_at
     FROM claimed c, generate_series(1, c.tickets) i
     RETURNING member_id, slot, code
   )
   SELECT c.n::int, array_agg(i.code ORDER BY i.slot) AS codes
   FROM claimed c JOIN issued i USING (member_id) GROUP BY c.n`,
)

/** Sets in progress at the same time. Fewer make larger sets; a single one would leave the database idle meanwhile. */
const SETS_AT_ONCE = 2
const LARGEST_SET = 64

interface WaitingClaim {
  readonly request: ClaimRequest
  resolve(codes: TakenCodes): void
  reject(error: unknown): void
}

/**
 * Returns a function that makes claims, those without a proof in sets: claims that arrive while two sets are in progress
 * form the next one. No timer delays a claim, so under little load each set is one claim.
 * @param onFailure called for each set that fails
 */
export function createClaimSets(
  db: Queryable,
  onFailure: (error: unknown) => void,
): (request: ClaimRequest) => Promise<TakenCodes> {
  const waiting: WaitingClaim[] = []
  let underWay = 0

  const send = async () => {
    const set = waiting.splice(0, LARGEST_SET)
    underWay++
    const requests = set.map(({ request }) => request)
    const granted = await claimSet(
      db,
      requests.map(({ session }) => session),
      requests.map(({ stage }) => stage),
      requests.map(({ mission }) => mission),
      requests.map(({ at }) => at.toISOString()),
      claimCodes(requests.length),
    ).catch((error: unknown) => {
      onFailure(error)
      // Each following set would wait as long for a database that does not answer.
      if (isSilence(error))
        for (const claim of [...set.splice(0), ...waiting.splice(0)]) claim.reject(error)
      // Any other failed set has granted nothing or its answer was lost; explainClaim finds out which.
      return []
    })
    underWay--
    const codes = new Map(granted.map((row) => [row.n - 1, row.codes]))
    for (const [place, { resolve }] of set.entries()) resolve(codes.get(place))
    sendNext()
  }
  const sendNext = () => {
    while (waiting.length > 0 && underWay < SETS_AT_ONCE) void send()
  }

  return (request) => {
    if (request.proof !== undefined) return takeTickets(db, request)
    return new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject })
      if (waiting.length === 1) setImmediate(sendNext)
    })
  }
}
