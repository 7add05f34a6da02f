import { type CheckData, checkBody } from '@anniversary/shared/contract/wire'
import { parseTicketCode } from '../claim/ticket-code.ts'
import { rowOf, rowsOf } from '../database/database.ts'
import { accountKey } from '../login/credentials.ts'
import { MASKED_ACCOUNT } from '../login/members.ts'
import { STAGE_ROWS } from '../missions/stages.ts'
import { addressLimit } from '../server/address-limit.ts'
import { ok } from '../server/answers.ts'
import type { App, Context } from '../server/context.ts'

const findTicket = rowOf<
  { stage: number; mission: string; claimed_at: string; owner: string },
  [code: string | null]
>(
  `SELECT t.stage, m.name #>> '{}' AS mission, event_time(t.claimed_at) AS claimed_at,
     ${MASKED_ACCOUNT} AS owner
   FROM valid_ticket t JOIN mission m ON m.code = t.mission JOIN member o ON o.id = t.member_id WHERE t.code = $1`,
)

const countTickets = rowsOf<{ stage: number; tickets: number }, [accountKey: string]>(
  `SELECT s.stage, count(t.code)::int AS tickets FROM ${STAGE_ROWS}
   LEFT JOIN (member m JOIN valid_ticket t ON t.member_id = m.id AND m.account_key = $1) ON t.stage = s.stage
   GROUP BY s.stage ORDER BY s.stage`,
)

const SEARCHES_PER_MINUTE = 20

/** Answers public facts of a ticket or an account, for the /check screen. The specification has no such call. */
export function checkRoutes(app: App, { config, database }: Context): void {
  app.post(
    '/check',
    { preHandler: addressLimit(SEARCHES_PER_MINUTE, 60), schema: { body: checkBody } },
    async ({ body: { site, by, value } }) => {
      const text = site === config.site ? value : ''
      if (by === 'code') {
        const found = await findTicket(database, parseTicketCode(text))
        return ok<CheckData>(found ? { by, valid: true, ...found } : { by, valid: false })
      }
      // The answer for an unknown account is that for one without tickets.
      return ok<CheckData>({ by, stages: await countTickets(database, accountKey(text)) })
    },
  )
}
