import { batchOf, type Queryable, rowOf } from '../database/database.ts'

export interface DrawResult {
  readonly ticketCode: string
  readonly draw: number
  readonly prize: string
  readonly giftcode: string | null
}

/** Adds winning tickets. Rejects when one is unknown or has won before. */
export const addDrawResults = batchOf<never, DrawResult>(
  `INSERT INTO draw_result (ticket_code, draw, prize, giftcode)
   SELECT * FROM unnest($1::text[], $2::smallint[], $3::text[], $4::text[])`,
  ['ticketCode', 'draw', 'prize', 'giftcode'],
)

interface TicketState {
  readonly stage: number
  /** False: the ticket is void, or its member is banned. */
  readonly isValid: boolean
  /** What it has won; null: nothing. */
  readonly draw: number | null
  readonly isSame: boolean
  readonly isGiftcodeKnown: boolean
}

const readTicket = rowOf<TicketState, [code: string, draw: number, prize: string, giftcode: string | null]>(
  `SELECT t.stage, t.voided_at IS NULL AND m.banned_at IS NULL AS "isValid", d.draw,
     (d.draw, d.prize, d.giftcode) IS NOT DISTINCT FROM ($2::smallint, $3::text, $4::text) AS "isSame",
     EXISTS (SELECT FROM draw_result WHERE giftcode = $4) AS "isGiftcodeKnown"
   FROM ticket t JOIN member m ON m.id = t.member_id LEFT JOIN draw_result d ON d.ticket_code = t.code
   WHERE t.code = $1`,
)

/** As `BatchData`, with reasons in words for a person. */
export interface BatchOutcome {
  readonly accepted: number
  readonly repeated: number
  readonly refused: readonly { readonly index: number; readonly reason: string }[]
}

/** A ticket takes part in the draw of its stage and the later ones, wins once, and a gift code belongs to one ticket. */
export async function importDraw(tx: Queryable, results: readonly DrawResult[]): Promise<BatchOutcome> {
  const refused: { index: number; reason: string }[] = []
  let repeated = 0
  for (const [index, result] of results.entries()) {
    const { ticketCode, draw, prize, giftcode } = result
    const ticket = await readTicket(tx, ticketCode, draw, prize, giftcode)
    if (!ticket) refused.push({ index, reason: 'code: no such ticket' })
    else if (!ticket.isValid)
      refused.push({ index, reason: 'code: the ticket is void, or its member is banned' })
    else if (ticket.stage > draw)
      refused.push({ index, reason: `draw: the ticket is of stage ${ticket.stage}` })
    else if (ticket.isSame) repeated++
    else if (ticket.draw !== null)
      refused.push({ index, reason: `code: has won already, in draw ${ticket.draw}` })
    else if (ticket.isGiftcodeKnown) refused.push({ index, reason: 'giftcode: belongs to another ticket' })
    else await addDrawResults(tx, [result])
  }
  return { accepted: results.length - repeated - refused.length, repeated, refused }
}
