import { batchOf, type Queryable, rowsOf } from '../database/database.ts'

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

/** `isValid` false: the ticket is void, or its member is banned. */
const drawTickets = rowsOf<{ code: string; stage: number; isValid: boolean }, [codes: readonly string[]]>(
  `SELECT t.code, t.stage, t.voided_at IS NULL AND m.banned_at IS NULL AS "isValid"
   FROM ticket t JOIN member m ON m.id = t.member_id WHERE t.code = ANY($1::text[])`,
)

const readDrawResults = rowsOf<DrawResult, [codes: readonly string[], giftcodes: readonly string[]]>(
  `SELECT ticket_code AS "ticketCode", draw, prize, giftcode FROM draw_result
   WHERE ticket_code = ANY($1::text[]) OR giftcode = ANY($2::text[])`,
)

/** As `BatchData`, with reasons in words for a person. */
export interface BatchOutcome {
  readonly accepted: number
  readonly repeated: number
  readonly refused: readonly { readonly index: number; readonly reason: string }[]
}

const same = (a: DrawResult, b: DrawResult) =>
  a.draw === b.draw && a.prize === b.prize && a.giftcode === b.giftcode

/** A ticket takes part in the draw of its stage and the later ones, wins once, and a gift code belongs to one ticket. */
export async function importDraw(tx: Queryable, results: readonly DrawResult[]): Promise<BatchOutcome> {
  const codes = results.map((r) => r.ticketCode)
  const tickets = new Map((await drawTickets(tx, codes)).map((row) => [row.code, row]))
  const known = await readDrawResults(
    tx,
    codes,
    results.flatMap((r) => r.giftcode ?? []),
  )
  const byTicket = new Map(known.map((result) => [result.ticketCode, result]))
  const giftcodes = new Set(known.map((result) => result.giftcode))
  const added: DrawResult[] = []
  const refused: { index: number; reason: string }[] = []
  let repeated = 0

  results.forEach((result, index) => {
    const ticket = tickets.get(result.ticketCode)
    const before = byTicket.get(result.ticketCode)
    if (!ticket) refused.push({ index, reason: 'code: no such ticket' })
    else if (!ticket.isValid)
      refused.push({ index, reason: 'code: the ticket is void, or its member is banned' })
    else if (ticket.stage > result.draw)
      refused.push({ index, reason: `draw: the ticket is of stage ${ticket.stage}` })
    else if (before && same(before, result)) repeated++
    else if (before) refused.push({ index, reason: `code: has won already, in draw ${before.draw}` })
    else if (result.giftcode !== null && giftcodes.has(result.giftcode))
      refused.push({ index, reason: 'giftcode: belongs to another ticket' })
    else {
      added.push(result)
      byTicket.set(result.ticketCode, result)
      giftcodes.add(result.giftcode)
    }
  })
  if (added.length > 0) await addDrawResults(tx, added)
  return { accepted: added.length, repeated, refused }
}
