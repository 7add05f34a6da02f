import { type Queryable, statement } from '../database/database.ts'
import type { SessionKey } from '../rules/credentials.ts'
import { ME } from './session-sql.ts'
import { readTicketShards } from './ticket-shards.ts'

export interface DrawResult {
  readonly ticketCode: string
  readonly draw: 1 | 2 | 3
  readonly prize: string
  /** Null: a prize that customer support hands over. */
  readonly giftcode: string | null
}

const addResults = statement(
  'draw-add',
  `INSERT INTO draw_result (shard, ticket_code, draw, prize, giftcode, imported_at)
   SELECT shard, code, draw, prize, giftcode, $6::timestamptz
   FROM unnest($1::smallint[], $2::text[], $3::smallint[], $4::text[], $5::text[])
     AS g (shard, code, draw, prize, giftcode)`,
)

/** Adds winning tickets. Rejects when one is unknown or has won before. */
export async function addDrawResults(db: Queryable, results: readonly DrawResult[], at: Date): Promise<void> {
  const codes = results.map((r) => r.ticketCode)
  await db.query(addResults, [
    await readTicketShards(db, codes),
    codes,
    results.map((r) => r.draw),
    results.map((r) => r.prize),
    results.map((r) => r.giftcode),
    at.toISOString(),
  ])
}

const tradeOne = statement(
  'trade-one',
  `INSERT INTO giftcode_trade (shard, ticket_code, member_id, traded_at)
   SELECT t.shard, t.code, t.member_id, $3::timestamptz
   FROM draw_result d JOIN ticket t ON t.shard = d.shard AND t.code = d.ticket_code
   WHERE d.shard = $1 AND d.ticket_code = $2 AND d.giftcode IS NOT NULL
   ON CONFLICT DO NOTHING`,
)

/** Exchanges one winning ticket for its gift code. */
export async function tradeTicket(db: Queryable, ticketCode: string, at: Date): Promise<void> {
  const [shard] = await readTicketShards(db, [ticketCode])
  await db.query(tradeOne, [shard, ticketCode, at.toISOString()])
}

// Won tickets of the member whose deadline has not passed ($4: one deadline a draw). Two calls at once: the second
// finds the rows taken and answers nothing.
const tradeAll = statement(
  'trade-all',
  `WITH ${ME},
   traded AS (
     INSERT INTO giftcode_trade (shard, ticket_code, member_id, traded_at)
     SELECT $1, t.code, t.member_id, $3::timestamptz
     FROM me JOIN ticket t ON t.shard = $1 AND t.member_id = me.member_id
     JOIN draw_result d ON d.shard = $1 AND d.ticket_code = t.code
     WHERE d.giftcode IS NOT NULL AND t.voided_at IS NULL AND ($4::timestamptz[])[d.draw] >= $3::timestamptz
     ON CONFLICT DO NOTHING
     RETURNING ticket_code, traded_at
   )
   SELECT (SELECT coalesce(json_agg(json_build_object('giftcode', d.giftcode, 'traded_at', event_time(x.traded_at))
             ORDER BY d.giftcode), '[]')
           FROM traded x JOIN draw_result d ON d.shard = $1 AND d.ticket_code = x.ticket_code)::text AS data
   FROM me`,
)

/**
 * Exchanges the member's winning tickets that carry a gift code and were not exchanged before.
 * @param deadlines by draw, 1 to 3
 * @returns what was exchanged now, as JSON text; undefined when the session is not alive
 */
export async function tradeGiftcodes(
  db: Queryable,
  { shard, hash }: SessionKey,
  at: Date,
  deadlines: readonly Date[],
): Promise<string | undefined> {
  const rows = await db.query<{ data: string }>(tradeAll, [
    shard,
    hash,
    at.toISOString(),
    deadlines.map((deadline) => deadline.toISOString()),
  ])
  return rows[0]?.data
}

const ticketStages = statement(
  'draw-ticket-stages',
  `SELECT t.code, t.stage, t.voided_at IS NULL AND m.banned_at IS NULL AS "isValid"
   FROM unnest($1::smallint[], $2::text[]) AS g (shard, code) JOIN ticket t USING (shard, code)
   JOIN member m ON m.id = t.member_id`,
)

export interface DrawTicket {
  readonly stage: number
  /** False: it is void, or its member is banned. */
  readonly isValid: boolean
}

/** Those of these tickets that exist, by code. */
export async function readDrawTickets(
  db: Queryable,
  codes: readonly string[],
): Promise<Map<string, DrawTicket>> {
  const values = [await readTicketShards(db, codes), codes]
  const rows = await db.query<DrawTicket & { code: string }>(ticketStages, values)
  return new Map(rows.map((row) => [row.code, row]))
}

const lockResults = statement('draw-lock', 'LOCK TABLE draw_result IN SHARE ROW EXCLUSIVE MODE')
const knownResults = statement(
  'draw-known',
  `SELECT ticket_code AS "ticketCode", draw, prize, giftcode FROM draw_result
   WHERE ticket_code = ANY($1::text[]) OR giftcode = ANY($2::text[])`,
)

/**
 * Reads the results that hold one of these tickets or gift codes, and lets no other transaction add any: a gift code
 * belongs to one ticket of all shards, which no key can say.
 */
export async function lockDrawResults(
  tx: Queryable,
  ticketCodes: readonly string[],
  giftcodes: readonly string[],
): Promise<DrawResult[]> {
  await tx.query(lockResults)
  return tx.query<DrawResult>(knownResults, [ticketCodes, giftcodes])
}
