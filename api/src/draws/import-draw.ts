import { batchOf, type Queryable, rowOf } from '../database/database.ts'
import { type BatchData, type Outcome, tally } from '../server/answers.ts'

export interface DrawResult {
  /** The ticket's code. */
  readonly code: string
  readonly draw: number
  readonly prize: string
  readonly giftcode: string | null
}

/** Adds winning tickets. Rejects when a ticket is unknown or has already won. */
export const addDrawResults = batchOf<never, DrawResult>(
  `INSERT INTO draw_result (ticket_code, draw, prize, giftcode)
   SELECT * FROM unnest($1::text[], $2::smallint[], $3::text[], $4::text[])`,
  ['code', 'draw', 'prize', 'giftcode'],
)

interface TicketState {
  readonly stage: number
  /** False when the ticket is void or its member is banned. */
  readonly isValid: boolean
  /** The draw that it has won. */
  readonly draw: number | null
  readonly isSame: boolean
  readonly isGiftcodeKnown: boolean
}

const readTicket = rowOf<
  TicketState,
  [code: string, draw: number, prize: string, giftcode: string | null]
>(
  `SELECT t.stage, t.voided_at IS NULL AND m.banned_at IS NULL AS "isValid", d.draw,
     (d.draw, d.prize, d.giftcode) IS NOT DISTINCT FROM ($2::smallint, $3::text, $4::text) AS "isSame",
     EXISTS (SELECT FROM draw_result WHERE giftcode = $4) AS "isGiftcodeKnown"
   FROM ticket t JOIN member m ON m.id = t.member_id LEFT JOIN draw_result d ON d.ticket_code = t.code
   WHERE t.code = $1`,
)

/** A ticket takes part in the draw of its stage and in later ones, and wins once. A gift code belongs to one ticket. */
async function addResult(tx: Queryable, result: DrawResult): Promise<Outcome<string>> {
  const { code, draw, prize, giftcode } = result
  const ticket = await readTicket(tx, code, draw, prize, giftcode)
  if (!ticket) return 'code: no such ticket'
  if (!ticket.isValid) return 'code: the ticket is void, or its member is banned'
  if (ticket.stage > draw) return `draw: the ticket is of stage ${ticket.stage}`
  if (ticket.isSame) return 'repeated'
  if (ticket.draw !== null) return `code: has won already, in draw ${ticket.draw}`
  if (ticket.isGiftcodeKnown) return 'giftcode: belongs to another ticket'
  await addDrawResults(tx, [result])
  return 'accepted'
}

/** Two imports at the same time would miss each other's gift codes. Exchanges do not wait for this lock. */
const lockResults = rowOf<never, []>('LOCK TABLE draw_result IN SHARE ROW EXCLUSIVE MODE')

/** Imports results of draws. Its reasons are sentences for the operator. */
export async function importDraw(
  tx: Queryable,
  results: readonly DrawResult[],
): Promise<BatchData> {
  await lockResults(tx)
  const outcomes: Outcome<string>[] = []
  for (const result of results) outcomes.push(await addResult(tx, result))
  return tally(outcomes)
}
