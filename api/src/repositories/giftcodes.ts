import { columns, type Queryable, rowsOf } from '../database/database.ts'
import { ME, sessionRow } from './session-sql.ts'
import { readTicketShards } from './ticket-shards.ts'

export interface DrawResult {
  readonly ticketCode: string
  readonly draw: 1 | 2 | 3
  readonly prize: string
  /** Null: a prize that customer support hands over. */
  readonly giftcode: string | null
}

const addResults = rowsOf<never, unknown[]>(
  'draw-add',
  `INSERT INTO draw_result (shard, ticket_code, draw, prize, giftcode, imported_at)
   SELECT shard, code, draw, prize, giftcode, $1::timestamptz
   FROM unnest($2::smallint[], $3::text[], $4::smallint[], $5::text[], $6::text[])
     AS g (shard, code, draw, prize, giftcode)`,
)

/** Adds winning tickets. Rejects when one is unknown or has won before. */
export async function addDrawResults(db: Queryable, results: readonly DrawResult[], at: Date): Promise<void> {
  const shards = await readTicketShards(
    db,
    results.map((result) => result.ticketCode),
  )
  await addResults(db, at, shards, ...columns(results, 'ticketCode', 'draw', 'prize', 'giftcode'))
}

/**
 * Exchanges the member's winning tickets that carry a gift code, were not exchanged before, and whose deadline has not
 * passed (one a draw). Two calls at once: the second finds the rows taken and answers nothing.
 * @returns what was exchanged now, as JSON text; undefined when the session is not alive
 */
export const tradeGiftcodes = sessionRow<{ data: string }, [at: Date, deadlines: readonly Date[]]>(
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

export interface DrawTicket {
  readonly stage: number
  /** False: it is void, or its member is banned. */
  readonly isValid: boolean
}

const drawTickets = rowsOf<DrawTicket & { code: string }, [shards: number[], codes: readonly string[]]>(
  'draw-ticket-stages',
  `SELECT t.code, t.stage, t.voided_at IS NULL AND m.banned_at IS NULL AS "isValid"
   FROM unnest($1::smallint[], $2::text[]) AS g (shard, code) JOIN ticket t USING (shard, code)
   JOIN member m ON m.id = t.member_id`,
)

/** Those of these tickets that exist, by code. */
export async function readDrawTickets(
  db: Queryable,
  codes: readonly string[],
): Promise<Map<string, DrawTicket>> {
  const rows = await drawTickets(db, await readTicketShards(db, codes), codes)
  return new Map(rows.map((row) => [row.code, row]))
}

const lockResults = rowsOf<never, []>('draw-lock', 'LOCK TABLE draw_result IN SHARE ROW EXCLUSIVE MODE')
const knownResults = rowsOf<DrawResult, [codes: readonly string[], giftcodes: readonly string[]]>(
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
  await lockResults(tx)
  return knownResults(tx, ticketCodes, giftcodes)
}
