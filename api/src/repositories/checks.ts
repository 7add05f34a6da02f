import { type Queryable, rowOf, rowsOf } from '../database/database.ts'
import { shardOf } from '../rules/shard.ts'
import { readTicketShards } from './ticket-shards.ts'
import { VALID_TICKETS } from './valid-tickets.ts'

const ticketOf = rowOf<
  { stage: number; mission: string; claimedAt: string; account: string },
  [shard: number | undefined, code: string]
>(
  'check-ticket',
  `SELECT t.stage, m.name AS mission, event_time(t.claimed_at) AS "claimedAt", o.account
   FROM ${VALID_TICKETS} t JOIN mission m ON m.code = t.mission JOIN member o ON o.id = t.member_id
   WHERE t.shard = $1 AND t.code = $2`,
)

export async function findTicket(db: Queryable, code: string) {
  const [shard] = await readTicketShards(db, [code])
  return ticketOf(db, shard, code)
}

const memberOf = rowOf<{ id: string }, [accountKey: string]>(
  'check-account',
  'SELECT id FROM member WHERE account_key = $1',
)
const countsOf = rowsOf<{ stage: number; tickets: number }, [shard: number, memberId: string]>(
  'check-tickets',
  'SELECT stage, tickets FROM stage_tickets WHERE shard = $1 AND member_id = $2',
)

/** Number of tickets by stage, where there are any. */
export async function countTickets(db: Queryable, accountKey: string): Promise<Map<number, number>> {
  const member = await memberOf(db, accountKey)
  const counts = member ? await countsOf(db, shardOf(member.id), member.id) : []
  return new Map(counts.map(({ stage, tickets }) => [stage, tickets]))
}
