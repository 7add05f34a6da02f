import { envelope, loginBody, loginData } from '@anniversary/shared/contract/wire'
import { z } from 'zod'
import { BODY_PROBLEMS, HttpProblem, ok, refuse, responses } from '../server/answers.ts'
import type { App, Context } from '../server/context.ts'
import { texts } from '../texts.ts'
import { readDeviceMark, writeDeviceMark } from './known-device.ts'
import { login } from './login.ts'
import { endSession, memberCall, memberSession } from './session.ts'

export function loginRoutes(app: App, context: Context): void {
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
      context.metrics.logins.inc({ result: outcome.result })
      if ('waitSeconds' in outcome) throw new HttpProblem(429, texts.tooMany, outcome.waitSeconds)
      if (outcome.result === 'banned') throw new HttpProblem(403, texts.banned)
      if (outcome.result !== 'granted') return refuse([4010, texts.wrongLogin], {})
      writeDeviceMark(request, reply, outcome.deviceMark)
      return ok({ required_address: outcome.needsAddress, sign: outcome.token, username: outcome.account })
    },
  )

  app.post(
    '/logout',
    {
      schema: {
        ...memberCall,
        summary: 'End the session',
        description: 'Answers true also for a session that has ended before. No body.',
        response: responses(envelope(z.literal(true)), ...BODY_PROBLEMS, 401),
      },
    },
    async (request) => {
      await endSession(context.database, memberSession(request))
      return ok(true as const)
    },
  )
}
