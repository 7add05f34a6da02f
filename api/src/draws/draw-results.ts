import { columns, type Queryable, rowsOf } from '../database/database.ts'

export interface DrawResult {
  readonly ticketCode: string
  readonly draw: 1 | 2 | 3
  readonly prize: string
  readonly giftcode: string | null
}

const addResults = rowsOf<never, unknown[]>(
  'draw-add',
  `INSERT INTO draw_result (ticket_code, draw, prize, giftcode, imported_at)
   SELECT g.*, $1::timestamptz FROM unnest($2::text[], $3::smallint[], $4::text[], $5::text[]) AS g`,
)

/** Adds winning tickets. Rejects when one is unknown or has won before. */
export async function addDrawResults(db: Queryable, results: readonly DrawResult[], at: Date): Promise<void> {
  await addResults(db, at, ...columns(results, 'ticketCode', 'draw', 'prize', 'giftcode'))
}

export interface DrawTicket {
  readonly stage: number
  /** False: it is void, or its member is banned. */
  readonly isValid: boolean
}

const drawTickets = rowsOf<DrawTicket & { code: string }, [codes: readonly string[]]>(
  'draw-ticket-stages',
  `SELECT t.code, t.stage, t.voided_at IS NULL AND m.banned_at IS NULL AS "isValid"
   FROM ticket t JOIN member m ON m.id = t.member_id WHERE t.code = ANY($1::text[])`,
)

export async function readDrawTickets(
  db: Queryable,
  codes: readonly string[],
): Promise<Map<string, DrawTicket>> {
  const rows = await drawTickets(db, codes)
  return new Map(rows.map((row) => [row.code, row]))
}

export const readDrawResults = rowsOf<DrawResult, [codes: readonly string[], giftcodes: readonly string[]]>(
  'draw-known',
  `SELECT ticket_code AS "ticketCode", draw, prize, giftcode FROM draw_result
   WHERE ticket_code = ANY($1::text[]) OR giftcode = ANY($2::text[])`,
)
