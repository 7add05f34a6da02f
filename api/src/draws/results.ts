import { rowOf } from '../database/database.ts'
import { sendJson } from '../server/answers.ts'
import type { App, Context } from '../server/context.ts'

/** Winning tickets, but for prizes that are gift codes, as JSON text. Prizes that few win come first. A ticket that became void after its draw is left out. */
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
