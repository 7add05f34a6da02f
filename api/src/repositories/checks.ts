import { rowOf, rowsOf } from '../database/database.ts'

/** A valid ticket with its mission's name and its owner. */
export const findTicket = rowOf<
  { stage: number; mission: string; claimedAt: string; account: string },
  [code: string]
>(
  'check-ticket',
  `SELECT t.stage, m.name AS mission, event_time(t.claimed_at) AS "claimedAt", o.account
   FROM valid_ticket t JOIN mission m ON m.code = t.mission JOIN member o ON o.id = t.member_id WHERE t.code = $1`,
)

/** Number of tickets by stage, where there are any. */
export const countTickets = rowsOf<{ stage: number; tickets: number }, [accountKey: string]>(
  'check-account',
  'SELECT s.stage, s.tickets FROM member m JOIN stage_tickets s ON s.member_id = m.id WHERE m.account_key = $1',
)
