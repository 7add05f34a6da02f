import type { Queryable } from '../database/database.ts'
import { addDrawResults, type DrawResult, readDrawResults, readDrawTickets } from './draw-results.ts'

/** As `BatchData`, with reasons in words for a person. */
export interface BatchOutcome {
  readonly accepted: number
  readonly repeated: number
  readonly refused: readonly { readonly index: number; readonly reason: string }[]
}

const same = (a: DrawResult, b: DrawResult) =>
  a.draw === b.draw && a.prize === b.prize && a.giftcode === b.giftcode

/** A ticket takes part in the draw of its stage and the later ones, wins once, and a gift code belongs to one ticket. */
export async function importDraw(
  tx: Queryable,
  results: readonly DrawResult[],
  at: Date,
): Promise<BatchOutcome> {
  const codes = results.map((r) => r.ticketCode)
  const tickets = await readDrawTickets(tx, codes)
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
  if (added.length > 0) await addDrawResults(tx, added, at)
  return { accepted: added.length, repeated, refused }
}
