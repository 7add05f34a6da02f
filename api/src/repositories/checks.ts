import { type Queryable, statement } from '../database/database.ts'
import { shardOf } from '../rules/shard.ts'
import { readTicketShards } from './ticket-shards.ts'
import { VALID_TICKETS } from './valid-tickets.ts'

const ticketStatement = statement(
  'check-ticket',
  `SELECT t.stage, m.name AS mission, event_time(t.claimed_at) AS "claimedAt", o.account
   FROM ${VALID_TICKETS} t JOIN mission m ON m.code = t.mission JOIN member o ON o.id = t.member_id
   WHERE t.shard = $1 AND t.code = $2`,
)

export interface FoundTicket {
  readonly stage: number
  readonly mission: string
  readonly claimedAt: string
  readonly account: string
}

export async function findTicket(db: Queryable, code: string): Promise<FoundTicket | undefined> {
  const [shard] = await readTicketShards(db, [code])
  return (await db.query<FoundTicket>(ticketStatement, [shard, code]))[0]
}

const memberId = statement('check-account', 'SELECT id FROM member WHERE account_key = $1')
const countStatement = statement(
  'check-tickets',
  'SELECT stage, tickets FROM stage_tickets WHERE shard = $1 AND member_id = $2',
)

/** Number of tickets by stage, where there are any. */
export async function countTickets(db: Queryable, accountKey: string): Promise<Map<number, number>> {
  const [member] = await db.query<{ id: string }>(memberId, [accountKey])
  if (!member) return new Map()
  const values = [shardOf(member.id), member.id]
  const rows = await db.query<{ stage: number; tickets: number }>(countStatement, values)
  return new Map(rows.map((row) => [row.stage, row.tickets]))
}
