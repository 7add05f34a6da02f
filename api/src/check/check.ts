import { type CheckData, checkBody } from '@anniversary/shared/contract/wire'
import { readTicketCodes } from '@anniversary/shared/readers/ticket-code'
import { rowOf, rowsOf } from '../database/database.ts'
import { accountKeys } from '../login/credentials.ts'
import { STAGE_ROWS } from '../missions/stages.ts'
import { addressLimit } from '../server/address-limit.ts'
import { successAnswer } from '../server/answers.ts'
import { createAddressWarning } from '../server/caller-address.ts'
import type { App, Context } from '../server/context.ts'

const findTicket = rowOf<
  {
    stage: number
    mission: string
    claimed_at: string
    lists: { draw: number; position: number }[]
  },
  [code: string | null]
>(
  // Without the owner, since lists make codes public.
  `SELECT t.stage, m.name #>> '{}' AS mission, event_time(t.claimed_at) AS claimed_at, (
     SELECT coalesce(json_agg(json_build_object('draw', e.draw, 'position', e.position)
       ORDER BY e.draw), '[]')
     FROM draw_entry e WHERE e.code = t.code) AS lists
   FROM valid_ticket t JOIN mission m ON m.code = t.mission WHERE t.code = $1`,
)

const countTickets = rowsOf<{ stage: number; tickets: number }, [accountKeys: readonly string[]]>(
  `SELECT s.stage, count(t.code)::int AS tickets FROM ${STAGE_ROWS}
   LEFT JOIN valid_ticket t ON t.stage = s.stage AND t.member_id = (
     SELECT id FROM member WHERE account_key = ANY($1::text[])
     ORDER BY array_position($1::text[], account_key) LIMIT 1)
   GROUP BY s.stage ORDER BY s.stage`,
)

/** Hundreds of members share a carrier's address on a draw's evening. */
const SEARCHES_PER_MINUTE = 600

/** The specification has no such call. */
export function registerCheckRoutes(app: App, { config, database }: Context): void {
  const warn = createAddressWarning(config.trustProxy)
  app.post(
    '/check',
    { preHandler: addressLimit(SEARCHES_PER_MINUTE, 60), schema: { body: checkBody } },
    async (request) => {
      warn(request)
      const { site, by, value } = request.body
      const text = site === config.site ? value : ''
      if (by === 'code') {
        const [code = null] = readTicketCodes(text).codes
        const found = await findTicket(database, code)
        if (!found) return successAnswer<CheckData>({ by, valid: false })
        return successAnswer<CheckData>({ by, valid: true, ...found })
      }
      // An unknown account is answered like one without tickets.
      return successAnswer<CheckData>({
        by,
        stages: await countTickets(database, accountKeys(text)),
      })
    },
  )
}
