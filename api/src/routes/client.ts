import { STREAK_MISSION } from '@anniversary/shared/contract/event'
import {
  addressBody,
  envelope,
  historyData,
  loginBody,
  loginData,
  missionData,
  takeCodeBody,
  takeCodeData,
} from '@anniversary/shared/contract/wire'
import type { FastifyInstance } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { type ClaimRefusal, claimMission } from '../claim.ts'
import { HttpProblem, ok, REFUSED, refuse, sendJson } from '../http/answers.ts'
import type { Context } from '../http/context.ts'
import { memberTokenHash, sessionOver } from '../http/member-token.ts'
import { login } from '../login.ts'
import { readHistory } from '../repositories/history.ts'
import { saveAddress } from '../repositories/members.ts'
import { listMissions } from '../repositories/missions.ts'
import { openStage, shownStage } from '../rules/stages.ts'
import { texts } from '../texts.ts'

const claimRefusals: Readonly<Record<ClaimRefusal, readonly [number, string]>> = {
  'no-mission': [REFUSED.noMission, texts.noMission],
  'not-reached': [REFUSED.notReached, texts.notReached],
  'stage-closed': [REFUSED.closed, texts.stageClosed],
  'stage-full': [REFUSED.full, texts.stageFull],
  'dates-missing': [REFUSED.proof, texts.streakDatesMissing],
  'dates-reversed': [REFUSED.proof, texts.streakDatesReversed],
  'no-streak': [REFUSED.proof, texts.streakNotMet],
  'links-missing': [REFUSED.proof, texts.shareLinksMissing],
  'bad-links': [REFUSED.proof, texts.shareLinksWrong],
}

/** The member's calls (specification, section 7). */
export function clientRoutes(context: Context) {
  const { config, database, clock } = context
  return async (instance: FastifyInstance): Promise<void> => {
    const app = instance.withTypeProvider<ZodTypeProvider>()

    app.post(
      '/login',
      { schema: { body: loginBody, response: { 200: envelope(loginData) } } },
      async (request) => {
        const member = await login(context, request.body)
        if (!member) return refuse(REFUSED.login, texts.wrongLogin, {})
        return ok({ required_address: member.needsAddress, sign: member.token, username: member.account })
      },
    )

    app.get(
      '/info',
      { schema: { response: { 200: envelope(z.array(missionData)) } } },
      async (request, reply) => {
        const now = clock.now()
        const stage = shownStage(now)
        const data = await listMissions(
          database,
          memberTokenHash(request),
          stage.number,
          openStage(now) === stage,
        )
        if (data === undefined) throw sessionOver()
        return sendJson(reply, data)
      },
    )

    app.post(
      '/update-info',
      { schema: { body: addressBody, response: { 200: envelope(z.boolean()) } } },
      async (request) => {
        if (!(await saveAddress(database, memberTokenHash(request), request.body))) throw sessionOver()
        return ok(true)
      },
    )

    app.post(
      '/take-code',
      {
        schema: {
          querystring: z.object({ event_code_detail: z.string().max(64).optional() }),
          body: takeCodeBody,
          response: { 200: envelope(takeCodeData) },
        },
      },
      async (request) => {
        const hash = memberTokenHash(request)
        const { body, query } = request
        const mission = body.event_code_detail
        if (query.event_code_detail !== undefined && query.event_code_detail !== mission) {
          throw new HttpProblem(400, texts.malformed)
        }
        const outcome = await claimMission(database, {
          hash,
          body,
          now: clock.now(),
          shareHost: config.shareHost,
        })
        if (outcome.result === 'no-session') throw sessionOver()
        if ('codes' in outcome) {
          const codes = [...outcome.codes]
          return ok(mission === STREAK_MISSION ? { code: codes } : codes)
        }
        return refuse(...claimRefusals[outcome.result], null)
      },
    )

    app.get('/history', { schema: { response: { 200: envelope(historyData) } } }, async (request, reply) => {
      const data = await readHistory(database, memberTokenHash(request))
      if (data === undefined) throw sessionOver()
      return sendJson(reply, data)
    })
  }
}
