import type { Queryable } from '../database/database.ts'
import {
  type DrawResult,
  importDrawResults,
  readDrawResults,
  readTicketStages,
} from '../repositories/giftcodes.ts'

export interface DrawImport {
  readonly accepted: number
  readonly repeated: number
  readonly refused: readonly { readonly index: number; readonly reason: string }[]
}

const same = (a: DrawResult, b: DrawResult) =>
  a.draw === b.draw && a.prize === b.prize && a.giftcode === b.giftcode

/**
 * Stores winning tickets, in the caller's transaction. A ticket takes part in the draw of its stage and the later ones
 * (codes are valid for the three livestream days), wins once, and a gift code belongs to one ticket.
 */
export async function importDraw(
  tx: Queryable,
  results: readonly DrawResult[],
  at: Date,
): Promise<DrawImport> {
  const stages = await readTicketStages(
    tx,
    results.map((r) => r.ticketCode),
  )
  const refused: { index: number; reason: string }[] = []
  const first = new Map<string, DrawResult>()
  const rest: number[] = []
  results.forEach((result, index) => {
    const stage = stages.get(result.ticketCode)
    if (stage === undefined) refused.push({ index, reason: 'code: no such ticket' })
    else if (stage > result.draw) refused.push({ index, reason: `draw: the ticket is of stage ${stage}` })
    else if (first.has(result.ticketCode)) rest.push(index)
    else first.set(result.ticketCode, result)
  })

  const added = new Set(first.size > 0 ? await importDrawResults(tx, [...first.values()], at) : [])
  const known = await readDrawResults(tx, [...first.keys()])
  let repeated = 0
  results.forEach((result, index) => {
    if (first.get(result.ticketCode) === result && added.has(result.ticketCode)) return
    if (first.get(result.ticketCode) !== result && !rest.includes(index)) return
    const before = known.get(result.ticketCode)
    if (!before) refused.push({ index, reason: 'giftcode: belongs to another ticket' })
    else if (same(before, result)) repeated++
    else refused.push({ index, reason: `code: has won already, in draw ${before.draw}` })
  })
  refused.sort((a, b) => a.index - b.index)
  return { accepted: added.size, repeated, refused }
}
