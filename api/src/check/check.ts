import { STAGES } from '@anniversary/shared/contract/event'
import { type CheckData, checkBody } from '@anniversary/shared/contract/wire'
import { parseTicketCode } from '../claim/ticket-code.ts'
import { rowOf, rowsOf } from '../database/database.ts'
import { accountKey } from '../login/credentials.ts'
import { addressLimit } from '../server/address-limit.ts'
import { ok } from '../server/answers.ts'
import type { App, Context } from '../server/context.ts'

const findTicket = rowOf<
  { stage: number; mission: string; claimedAt: string; account: string },
  [code: string]
>(
  `SELECT t.stage, m.name #>> '{}' AS mission, event_time(t.claimed_at) AS "claimedAt", o.account
   FROM valid_ticket t JOIN mission m ON m.code = t.mission JOIN member o ON o.id = t.member_id WHERE t.code = $1`,
)

const countTickets = rowsOf<{ stage: number; tickets: number }, [accountKey: string]>(
  `SELECT t.stage, count(*)::int AS tickets FROM member m JOIN valid_ticket t ON t.member_id = m.id
   WHERE m.account_key = $1 GROUP BY t.stage`,
)

/** An account as strangers may see it: `ng***01`. */
function maskedAccount(account: string): string {
  const letters = [...account]
  return letters.length < 6
    ? `${letters[0] ?? ''}***`
    : `${letters.slice(0, 2).join('')}***${letters.slice(-2).join('')}`
}

const SEARCHES_PER_MINUTE = 20

/** Our addition for the /check screen: public facts of a ticket or an account. */
export function checkRoutes(app: App, { config, database }: Context): void {
  const byCode = async (value: string): Promise<CheckData> => {
    const code = parseTicketCode(value)
    const ticket = code === null ? undefined : await findTicket(database, code)
    if (!ticket) return { by: 'code', valid: false }
    return {
      by: 'code',
      valid: true,
      stage: ticket.stage,
      mission: ticket.mission,
      claimed_at: ticket.claimedAt,
      owner: maskedAccount(ticket.account),
    }
  }

  // An unknown account and one without tickets look the same: no tickets in any stage.
  const byUsername = async (value: string): Promise<CheckData> => {
    const counts = await countTickets(database, accountKey(value))
    const ticketsIn = (stage: number) => counts.find((each) => each.stage === stage)?.tickets ?? 0
    return {
      by: 'username',
      stages: STAGES.map(({ number }) => ({ stage: number, tickets: ticketsIn(number) })),
    }
  }

  app.post(
    '/check',
    { preHandler: addressLimit(SEARCHES_PER_MINUTE, 60), schema: { body: checkBody } },
    async ({ body: { site, by, value } }) => {
      const text = site === config.site ? value : ''
      return ok(await (by === 'code' ? byCode(text) : byUsername(text)))
    },
  )
}
