import { type Queryable, statement } from '../database/database.ts'

const ticketStatement = statement(
  'check-ticket',
  `SELECT t.stage, m.name AS mission, event_time(t.claimed_at) AS "claimedAt", o.account
   FROM ticket t JOIN mission m ON m.code = t.mission JOIN member o ON o.id = t.member_id WHERE t.code = $1`,
)

export interface FoundTicket {
  readonly stage: number
  readonly mission: string
  readonly claimedAt: string
  readonly account: string
}

export async function findTicket(db: Queryable, code: string): Promise<FoundTicket | undefined> {
  return (await db.query<FoundTicket>(ticketStatement, [code]))[0]
}

const countStatement = statement(
  'check-account',
  `SELECT s.stage, s.tickets FROM member m JOIN stage_tickets s ON s.member_id = m.id WHERE m.account_key = $1`,
)

/** Number of tickets by stage, where there are any. */
export async function countTickets(db: Queryable, accountKey: string): Promise<Map<number, number>> {
  const rows = await db.query<{ stage: number; tickets: number }>(countStatement, [accountKey])
  return new Map(rows.map((row) => [row.stage, row.tickets]))
}
