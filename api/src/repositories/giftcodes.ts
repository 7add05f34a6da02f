import { type Queryable, statement } from '../database/database.ts'
import { ME } from './session-sql.ts'

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

/** Adds winning tickets. @returns the added codes; the others are unknown, have won before, or their gift code is taken */
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

// Won tickets of the member whose deadline has not passed ($3: one deadline a draw). Two calls at once: the second
// finds the rows taken and answers nothing.
const tradeAll = statement(
  'trade-all',
  `WITH ${ME},
   traded AS (
     INSERT INTO giftcode_trade (ticket_code, member_id, traded_at)
     SELECT d.ticket_code, t.member_id, $2::timestamptz
     FROM me JOIN ticket t USING (member_id) JOIN draw_result d ON d.ticket_code = t.code
     WHERE d.giftcode IS NOT NULL AND ($3::timestamptz[])[d.draw] >= $2::timestamptz
     ON CONFLICT DO NOTHING
     RETURNING ticket_code, traded_at
   )
   SELECT (SELECT coalesce(json_agg(json_build_object('giftcode', d.giftcode, 'traded_at', event_time(x.traded_at))
             ORDER BY d.giftcode), '[]')
           FROM traded x JOIN draw_result d USING (ticket_code))::text AS data
   FROM me`,
)

/**
 * Exchanges the member's winning tickets that carry a gift code and were not exchanged before.
 * @param deadlines by draw, 1 to 3
 * @returns what was exchanged now, as JSON text; undefined when the session is not alive
 */
export async function tradeGiftcodes(
  db: Queryable,
  hash: Buffer,
  at: Date,
  deadlines: readonly Date[],
): Promise<string | undefined> {
  const rows = await db.query<{ data: string }>(tradeAll, [
    hash,
    at.toISOString(),
    deadlines.map((deadline) => deadline.toISOString()),
  ])
  return rows[0]?.data
}

const ticketStages = statement(
  'draw-ticket-stages',
  'SELECT code, stage FROM ticket WHERE code = ANY($1::text[])',
)

/** Stage of each of these tickets that exists. */
export async function readTicketStages(
  db: Queryable,
  codes: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.query<{ code: string; stage: number }>(ticketStages, [codes])
  return new Map(rows.map((row) => [row.code, row.stage]))
}

const knownResults = statement(
  'draw-known',
  `SELECT ticket_code AS "ticketCode", draw, prize, giftcode FROM draw_result WHERE ticket_code = ANY($1::text[])`,
)

export async function readDrawResults(
  db: Queryable,
  codes: readonly string[],
): Promise<Map<string, DrawResult>> {
  const rows = await db.query<DrawResult>(knownResults, [codes])
  return new Map(rows.map((row) => [row.ticketCode, row]))
}
