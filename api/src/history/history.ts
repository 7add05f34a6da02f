import { lastDrawBegun, lastDrawEnded } from '@anniversary/shared/contract/event-timeline'
import { rowOf } from '../database/database.ts'
import { inSession, ME } from '../login/session.ts'
import { claimDeadline } from '../missions/stages.ts'
import { sendJsonAnswer } from '../server/answers.ts'
import type { App, Context } from '../server/context.ts'

/**
 * JSON text, the newest first. Undefined: no live session.
 * @param begun the last draw that has begun
 * @param ended until a draw ends, more of its results may come
 */
const readHistory = rowOf<{ data: string }, [session: Buffer, begun: number, ended: number]>(
  `WITH ${ME},
   claims AS (
     SELECT t.mission, t.claimed_at, array_agg(t.code ORDER BY t.slot) AS codes,
       coalesce(array_agg(t.code) FILTER (WHERE t.voided_at IS NOT NULL), '{}') AS voided,
       coalesce(json_agg(json_build_object('code', t.code, 'draw', d.draw, 'prize', d.prize,
           'giftcode', d.giftcode IS NOT NULL, 'delivery', json_build_object(
             'delivered_at', event_time(coalesce(v.delivered_at, x.traded_at)),
             'until', event_time(${claimDeadline('d.draw')}))
         ) ORDER BY t.slot)
         FILTER (WHERE d.draw <= $2 AND t.voided_at IS NULL), '[]') AS prizes
     FROM me JOIN ticket t USING (member_id)
       LEFT JOIN draw_result d ON d.ticket_code = t.code
     LEFT JOIN delivery v ON v.ticket_code = t.code
     LEFT JOIN giftcode_trade x ON x.ticket_code = t.code
     GROUP BY t.stage, t.mission, t.claimed_at
   )
   SELECT json_build_object(
     'code_details', (
       SELECT coalesce(json_agg(json_build_object(
         'event_code_detail', c.mission, 'code', c.codes, 'voided', c.voided,
           'claimed_at', event_time(c.claimed_at), 'name', m.name,
         'prizes', c.prizes, 'lists', (
           SELECT coalesce(json_agg(json_build_object('code', e.code, 'draw', e.draw,
             'position', e.position)
             ORDER BY e.draw, e.position), '[]')
           FROM draw_entry e WHERE e.code = ANY(c.codes))
       ) ORDER BY c.claimed_at DESC, m.position), '[]')
       FROM claims c JOIN mission m ON m.code = c.mission),
     'last_draw', (
       SELECT max(draw) FROM draw_result WHERE draw <= $3
         AND draw >= (SELECT min(stage) FROM valid_ticket t WHERE t.member_id = me.member_id)),
     'giftcode_trade', (
       SELECT coalesce(json_agg(json_build_object(
         'giftcode', d.giftcode, 'traded_at', event_time(g.traded_at)
       ) ORDER BY g.traded_at DESC, d.giftcode), '[]')
       FROM giftcode_trade g JOIN draw_result d USING (ticket_code)
       WHERE g.member_id = me.member_id AND d.draw <= $2)
   )::text AS data FROM me`,
)

export function historyRoutes(app: App, { database, now }: Context): void {
  app.get('/history', async (request, reply) => {
    const { data } = await inSession(request, database, (session) =>
      readHistory(database, session, lastDrawBegun(now()), lastDrawEnded(now())),
    )
    return sendJsonAnswer(reply, data)
  })
}
