import { type Queryable, statement } from '../database/database.ts'

export interface DrawResult {
  readonly ticketCode: string
  readonly draw: 1 | 2 | 3
  readonly prize: string
  /** Null: a prize that customer support hands over. */
  readonly giftcode: string | null
}

const addResults = statement(
  'draw-add',
  `INSERT INTO draw_result (ticket_code, draw, prize, giftcode, imported_at)
   SELECT t.code, g.draw, g.prize, g.giftcode, $5::timestamptz
   FROM unnest($1::text[], $2::smallint[], $3::text[], $4::text[]) AS g (code, draw, prize, giftcode)
   JOIN ticket t ON t.code = g.code
   ON CONFLICT DO NOTHING
   RETURNING ticket_code AS "ticketCode"`,
)

/** Adds winning tickets. @returns the codes that were added; the rest is unknown, has won already, or its gift code is taken */
export async function importDrawResults(
  db: Queryable,
  results: readonly DrawResult[],
  at: Date,
): Promise<string[]> {
  const rows = await db.query<{ ticketCode: string }>(addResults, [
    results.map((r) => r.ticketCode),
    results.map((r) => r.draw),
    results.map((r) => r.prize),
    results.map((r) => r.giftcode),
    at.toISOString(),
  ])
  return rows.map((row) => row.ticketCode)
}

const tradeOne = statement(
  'trade-one',
  `INSERT INTO giftcode_trade (ticket_code, member_id, traded_at)
   SELECT d.ticket_code, t.member_id, $2::timestamptz
   FROM draw_result d JOIN ticket t ON t.code = d.ticket_code
   WHERE d.ticket_code = $1 AND d.giftcode IS NOT NULL
   ON CONFLICT DO NOTHING`,
)

/** Exchanges one winning ticket for its gift code. */
export async function tradeTicket(db: Queryable, ticketCode: string, at: Date): Promise<void> {
  await db.query(tradeOne, [ticketCode, at.toISOString()])
}
