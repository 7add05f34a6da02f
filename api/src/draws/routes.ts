import { lastDrawBegun } from '@anniversary/shared/contract/event-timeline'
import { rowOf } from '../database/database.ts'
import { inSession, ME } from '../login/session.ts'
import { CLAIM_DEADLINES } from '../missions/stages.ts'
import { sendJson } from '../server/answers.ts'
import type { App, Context } from '../server/context.ts'

/**
 * Exchanges winning tickets that carry a gift code, were not exchanged before, and whose deadline has not passed (one a
 * draw). Two calls at once: the second finds the rows taken and answers nothing. Undefined: no live session.
 */
export const tradeGiftcodes = rowOf<
  { data: string },
  [session: Buffer, at: Date, deadlines: readonly Date[]]
>(
  `WITH ${ME},
   traded AS (
     INSERT INTO giftcode_trade (ticket_code, member_id, traded_at)
     SELECT t.code, t.member_id, $2::timestamptz
     FROM me JOIN ticket t USING (member_id) JOIN draw_result d ON d.ticket_code = t.code
     WHERE d.giftcode IS NOT NULL AND t.voided_at IS NULL AND ($3::timestamptz[])[d.draw] >= $2::timestamptz
     ON CONFLICT DO NOTHING
     RETURNING ticket_code, traded_at
   )
   SELECT (SELECT coalesce(json_agg(json_build_object('giftcode', d.giftcode, 'traded_at', event_time(x.traded_at))
             ORDER BY d.giftcode), '[]')
           FROM traded x JOIN draw_result d USING (ticket_code))::text AS data
   FROM me`,
)

/** Winning tickets of draws that have begun, as JSON text, without gift codes and void tickets; prizes that few win come first. */
const listResults = rowOf<{ data: string }, [lastDraw: number]>(
  `SELECT coalesce(json_agg(json_build_object('draw', draw, 'prize', prize, 'codes', codes)
     ORDER BY draw, json_array_length(codes), prize), '[]')::text AS data
   FROM (SELECT d.draw, d.prize, json_agg(t.code ORDER BY t.code) AS codes
         FROM draw_result d JOIN valid_ticket t ON t.code = d.ticket_code
         WHERE d.giftcode IS NULL AND d.draw <= $1 GROUP BY d.draw, d.prize) won`,
)

export function drawRoutes(app: App, { database, now }: Context): void {
  app.get('/draws', async (_request, reply) =>
    sendJson(reply, (await listResults(database, lastDrawBegun(now())))?.data ?? '[]'),
  )
  app.post('/lottery/trade-giftcode', async (request, reply) => {
    const { data } = await inSession(request, database, (session) =>
      tradeGiftcodes(database, session, now(), CLAIM_DEADLINES),
    )
    return sendJson(reply, data)
  })
}
