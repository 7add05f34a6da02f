import { STREAK_MISSION } from '@anniversary/shared/contract/missions'
import { type TakeCodeData, takeCodeBody } from '@anniversary/shared/contract/wire'
import { firstLinkProblem } from '@anniversary/shared/readers/share-links'
import { z } from 'zod'
import { memberSession, sessionProblem } from '../login/session.ts'
import { findMission } from '../missions/rules.ts'
import { HttpProblem, refusalAnswer, successAnswer } from '../server/answers.ts'
import type { App, Context } from '../server/context.ts'
import { inMemberTurn } from '../server/member-turns.ts'
import type { Admission } from '../server/pressure.ts'
import { memberTexts } from '../texts.ts'
import { claimMission } from './claim.ts'
import { createClaimSets } from './claim-sets.ts'
import { REFUSALS } from './take-tickets.ts'

export function registerClaimRoutes(
  app: App,
  context: Context,
  { arrivedAt }: Pick<Admission, 'arrivedAt'>,
): void {
  const { config, database, metrics } = context
  const take = createClaimSets(database, (err) => {
    metrics.claimSetFailures.inc()
    app.log.warn({ err }, 'a set of claims failed; each claim is tried alone')
  })
  app.post(
    '/take-code',
    {
      schema: {
        querystring: z.object({ event_code_detail: z.string().max(64).optional() }),
        body: takeCodeBody,
      },
    },
    async (request, reply) => {
      const session = memberSession(request)
      const { body } = request
      const mission = body.event_code_detail
      const { event_code_detail: asked = mission } = request.query
      if (asked !== mission) throw new HttpProblem(400, memberTexts.malformed)
      const { shareHost } = config
      const command = { session, body, now: arrivedAt(request.raw), shareHost }
      const outcome = await inMemberTurn(context, session.toString('base64'), reply, () =>
        claimMission(database, command, take),
      )
      const { result } = outcome
      // A caller's own texts would each make a series.
      metrics.claims.inc({ mission: findMission(mission) ? mission : 'unknown', result })
      if (outcome.result === 'no-session') throw await sessionProblem(database, session)
      if (!('codes' in outcome)) {
        const [status, text] = REFUSALS[outcome.result]
        if (outcome.result !== 'bad-links') return refusalAnswer<TakeCodeData>([status, text], null)
        const problem = firstLinkProblem(body.share_links ?? [], shareHost)
        return refusalAnswer<TakeCodeData>([status, `${text}. ${problem}`], null)
      }
      const codes = [...outcome.codes]
      if (mission === STREAK_MISSION) return successAnswer<TakeCodeData>({ code: codes })
      return successAnswer<TakeCodeData>(codes)
    },
  )
}
