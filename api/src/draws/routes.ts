import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { lastDrawBegun } from '@anniversary/shared/contract/event-timeline'
import { z } from 'zod'
import { type Queryable, rowOf } from '../database/database.ts'
import { MASKED_ACCOUNT } from '../login/members.ts'
import { inSessionTurn, ME } from '../login/session.ts'
import { CLAIM_DEADLINES } from '../missions/stages.ts'
import { HttpProblem, sendJsonAnswer } from '../server/answers.ts'
import type { App, Context } from '../server/context.ts'
import type { Admission } from '../server/pressure.ts'
import { memberTexts } from '../texts.ts'
import { drawNumber, readDrawLists, readListFile } from './draw-lists.ts'

/**
 * Of two concurrent calls, the second one returns an empty list. Undefined: no
 * live session.
 */
const exchange = rowOf<
  { data: string },
  [session: Buffer, at: Date, lastDraw: number, deadlines: readonly Date[]]
>(
  `WITH ${ME},
   -- The locks make operators wait who void a ticket or remove its result.
   won AS (
     SELECT t.code, t.member_id
     FROM me JOIN ticket t USING (member_id) JOIN draw_result d ON d.ticket_code = t.code
     WHERE d.giftcode IS NOT NULL AND t.voided_at IS NULL AND d.draw <= $3
       AND ($4::timestamptz[])[d.draw] >= $2::timestamptz
     ORDER BY t.code FOR NO KEY UPDATE OF t, d
   ),
   traded AS (
     INSERT INTO giftcode_trade (ticket_code, member_id, traded_at)
     SELECT code, member_id, $2::timestamptz FROM won
     ON CONFLICT DO NOTHING
     RETURNING ticket_code, traded_at
   )
   SELECT (SELECT coalesce(json_agg(json_build_object('giftcode', d.giftcode,
     'traded_at', event_time(x.traded_at))
             ORDER BY d.giftcode), '[]')
           FROM traded x JOIN draw_result d USING (ticket_code))::text AS data
   FROM me`,
)

export const tradeGiftcodes = (db: Queryable, session: Buffer, at: Date) =>
  exchange(db, session, at, lastDrawBegun(at), CLAIM_DEADLINES)

/**
 * Without gift codes and void tickets. Prizes with few winners come first.
 * `total` sums the transactions that stored the valid results, with gift codes:
 * a hash of their codes would let anybody try the codes of the public list.
 */
const listResults = rowOf<{ data: string }, [lastDraw: number]>(
  `WITH totals AS (
     SELECT r.draw, sum(r.xmin::text::bigint) AS total
     FROM draw_result r
     -- OFFSET 0 prevents a join, which may read all tickets.
     WHERE EXISTS (
       SELECT FROM valid_ticket t WHERE t.code = r.ticket_code OFFSET 0)
     GROUP BY r.draw
   )
   SELECT coalesce(json_agg(json_build_object('draw', draw, 'prize', prize,
    'codes', codes, 'owners', owners, 'total', total)
     ORDER BY draw, json_array_length(codes), prize), '[]')::text AS data
   FROM (SELECT d.draw, d.prize, json_agg(t.code ORDER BY t.code) AS codes,
           json_agg(${MASKED_ACCOUNT} ORDER BY t.code) AS owners
         FROM draw_result d JOIN valid_ticket t ON t.code = d.ticket_code
         JOIN member o ON o.id = t.member_id
         WHERE d.giftcode IS NULL AND d.draw <= $1 GROUP BY d.draw, d.prize) won
   JOIN totals USING (draw)`,
)

export function registerDrawRoutes(
  app: App,
  context: Context,
  { arrivedAt }: Pick<Admission, 'arrivedAt'>,
): void {
  const { database, now } = context

  // nginx asks once for all callers of a moment.
  app.get('/draws', async (_request, reply) => {
    const [results, lists] = await Promise.all([
      listResults(database, lastDrawBegun(now())),
      readDrawLists(database),
    ])
    const frozen = lists.map(({ frozenAt, ...list }) => ({ ...list, frozen_at: frozenAt }))
    reply.header('cache-control', 'public, max-age=2, stale-while-revalidate=30')
    // Tells pages how long nginx has held it: nginx sends no `age`, but a
    // `date` of its own.
    reply.header('last-modified', new Date().toUTCString())
    return sendJsonAnswer(reply, results?.data ?? '[]', { frozen: JSON.stringify(frozen) })
  })
  app.get(
    '/draws/:draw/list',
    { schema: { params: z.object({ draw: drawNumber }) } },
    async ({ params: { draw }, headers }, reply) => {
      const isPublic = draw <= lastDrawBegun(now())
      const file = isPublic ? await readListFile(database, draw) : undefined
      if (!file) throw new HttpProblem(404, memberTexts.noList)
      reply.headers({
        'content-type': 'text/plain; charset=utf-8',
        'content-disposition': `inline; filename="draw-${draw}.txt"`,
        'cache-control': 'public, max-age=3600',
        vary: 'accept-encoding',
      })
      const stream = Readable.from(file)
      // nginx keeps one compressed copy for everybody.
      if (!/\bgzip\b/.test(headers['accept-encoding'] ?? '')) return reply.send(stream)
      reply.header('content-encoding', 'gzip')
      return reply.send(stream.compose(createGzip({ level: 1 })))
    },
  )
  app.post('/lottery/trade-giftcode', async (request, reply) => {
    const { data } = await inSessionTurn(context, request, reply, (session) =>
      tradeGiftcodes(database, session, arrivedAt(request.raw)),
    )
    return sendJsonAnswer(reply, data)
  })
}
