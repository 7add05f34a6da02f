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
  tradeData,
} from '@anniversary/shared/contract/wire'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ZodTypeProvider } from 'fastify-type-provider-zod'
import { z } from 'zod'
import { HttpProblem, ok, refuse, sendJson } from '../http/answers.ts'
import type { Context } from '../http/context.ts'
import { readDeviceMark, writeDeviceMark } from '../http/device-cookie.ts'
import { memberSession, sessionProblem } from '../http/member-token.ts'
import { BODY_PROBLEMS, responses } from '../http/responses.ts'
import { createClaimSets } from '../repositories/claim-sets.ts'
import { tradeGiftcodes } from '../repositories/giftcodes.ts'
import { readHistory } from '../repositories/history.ts'
import { endSession, saveAddress } from '../repositories/members.ts'
import { listMissions } from '../repositories/missions.ts'
import { CLAIM_DEADLINES, openStage, shownStage } from '../rules/stages.ts'
import { texts } from '../texts.ts'
import { claimMission } from '../use-cases/claim.ts'
import { login } from '../use-cases/login.ts'

/** The member's calls (specification, section 7). */
export async function clientRoutes(instance: FastifyInstance, context: Context): Promise<void> {
  const { config, database, clock, metrics } = context
  const takeReached = createClaimSets(database)
  const member = { tags: ['member'], security: [{ sign: [] }, { bearer: [] }] }

  /** What a call answers in the caller's session. */
  const ofSession = async <T>(
    request: FastifyRequest,
    call: (session: Buffer) => Promise<T | undefined>,
  ): Promise<T> => {
    const session = memberSession(request)
    const answer = await call(session)
    if (answer === undefined) throw await sessionProblem(database, session)
    return answer
  }

  const app = instance.withTypeProvider<ZodTypeProvider>()

  app.post(
    '/login',
    {
      schema: {
        tags: ['member'],
        summary: 'Log in with account and last four bank digits',
        description: 'A wrong, unknown or locked login answers status_code 4010 and data without sign.',
        body: loginBody,
        response: responses(envelope(loginData), ...BODY_PROBLEMS, 403, 429),
      },
    },
    async (request, reply) => {
      const outcome = await login(context, {
        body: request.body,
        address: request.ip,
        mark: readDeviceMark(request),
      })
      metrics.logins.inc({ result: outcome.result })
      if ('waitSeconds' in outcome) throw new HttpProblem(429, texts.tooMany, outcome.waitSeconds)
      if (outcome.result === 'banned') throw new HttpProblem(403, texts.banned)
      if (outcome.result !== 'granted') return refuse('login', {})
      writeDeviceMark(request, reply, outcome.deviceMark)
      return ok({ required_address: outcome.needsAddress, sign: outcome.token, username: outcome.account })
    },
  )

  app.post(
    '/logout',
    {
      schema: {
        ...member,
        summary: 'End the session',
        description: 'Answers true also for a session that has ended before. No body.',
        response: responses(envelope(z.literal(true)), ...BODY_PROBLEMS, 401),
      },
    },
    async (request) => {
      await endSession(database, memberSession(request))
      return ok(true as const)
    },
  )

  app.get(
    '/info',
    {
      schema: {
        ...member,
        summary: 'The missions of the stage',
        description: 'claimed: 0 not reached, 1 claimed, 2 claimable, 3 needs a check.',
        response: responses(envelope(z.array(missionData)), 401, 403),
      },
    },
    async (request, reply) => {
      const now = clock.now()
      const stage = shownStage(now)
      const isOpen = openStage(now) === stage
      const { data } = await ofSession(request, (session) =>
        listMissions(database, session, stage.number, isOpen),
      )
      return sendJson(reply, data)
    },
  )

  app.post(
    '/update-info',
    {
      schema: {
        ...member,
        summary: 'Save the address that a login asked for',
        body: addressBody,
        response: responses(envelope(z.boolean()), ...BODY_PROBLEMS, 401, 403),
      },
    },
    async (request) => {
      const { fullname, phone_number, address, note } = request.body
      await ofSession(request, (session) =>
        saveAddress(database, session, fullname, phone_number, address, note),
      )
      return ok(true)
    },
  )

  app.post(
    '/take-code',
    {
      schema: {
        ...member,
        summary: 'Claim a mission’s tickets',
        description:
          'A plain or share claim answers the list of codes, a streak check answers {code}. Repeated, it answers the ' +
          'same codes. A refusal has status_code 4030 (not reached), 4040 (no such mission), 4090 (six tickets ' +
          'given), 4100 (stage closed) or 4220 (the dates or links do not do).',
        querystring: z.object({ event_code_detail: z.string().max(64).optional() }),
        body: takeCodeBody,
        response: responses(envelope(takeCodeData), ...BODY_PROBLEMS, 401, 403),
      },
    },
    async (request) => {
      const session = memberSession(request)
      const { body, query } = request
      const mission = body.event_code_detail
      if (query.event_code_detail !== undefined && query.event_code_detail !== mission) {
        throw new HttpProblem(400, texts.malformed)
      }
      const outcome = await claimMission(database, takeReached, {
        session,
        body,
        now: clock.now(),
        shareHost: config.shareHost,
      })
      const { result } = outcome
      metrics.claims.inc({ mission: result === 'no-mission' ? 'unknown' : mission, result })
      if (outcome.result === 'no-session') throw await sessionProblem(database, session)
      if ('codes' in outcome) {
        const codes = [...outcome.codes]
        return ok(mission === STREAK_MISSION ? { code: codes } : codes)
      }
      return refuse(outcome.result, null)
    },
  )

  app.get(
    '/history',
    {
      schema: {
        ...member,
        summary: 'Tickets and gift-code exchanges, newest first',
        response: responses(envelope(historyData), 401, 403),
      },
    },
    async (request, reply) => {
      const { data } = await ofSession(request, (session) => readHistory(database, session))
      return sendJson(reply, data)
    },
  )

  app.post(
    '/lottery/trade-giftcode',
    {
      schema: {
        ...member,
        summary: 'Exchange winning tickets for gift codes',
        description:
          'Exchanges every winning ticket of the member that carries a gift code, was not exchanged before, and ' +
          'whose draw is at most a month ago. Answers what was exchanged now; the history lists all. No body.',
        response: responses(envelope(tradeData), ...BODY_PROBLEMS, 401, 403),
      },
    },
    async (request, reply) => {
      const { data } = await ofSession(request, (session) =>
        tradeGiftcodes(database, session, clock.now(), CLAIM_DEADLINES),
      )
      return sendJson(reply, data)
    },
  )
}
