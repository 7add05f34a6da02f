import { rowOf } from '../database/database.ts'
import { sendJson } from '../server/answers.ts'
import type { App, Context } from '../server/context.ts'

/** Winning tickets as JSON text, without gift codes and void tickets; prizes that few win come first. */
const listResults = rowOf<{ data: string }, []>(
  'draw-results',
  `SELECT coalesce(json_agg(json_build_object('draw', draw, 'prize', prize, 'codes', codes)
     ORDER BY draw, json_array_length(codes), prize), '[]')::text AS data
   FROM (SELECT d.draw, d.prize, json_agg(t.code ORDER BY t.code) AS codes
         FROM draw_result d JOIN valid_ticket t ON t.code = d.ticket_code
         WHERE d.giftcode IS NULL GROUP BY d.draw, d.prize) won`,
)

export function resultRoutes(app: App, { database }: Context): void {
  app.get('/draws', async (_request, reply) => sendJson(reply, (await listResults(database))?.data ?? '[]'))
}
