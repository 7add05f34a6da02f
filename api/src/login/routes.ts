import { type LoginData, loginBody } from '@anniversary/shared/contract/wire'
import { HttpProblem, ok, refuse } from '../server/answers.ts'
import type { App, Context } from '../server/context.ts'
import { texts } from '../texts.ts'
import { readDeviceMark, writeDeviceMark } from './known-device.ts'
import { login } from './login.ts'
import { endSession, memberSession } from './session.ts'

export function loginRoutes(app: App, context: Context): void {
  app.post('/login', { schema: { body: loginBody } }, async (request, reply) => {
    const outcome = await login(context, {
      body: request.body,
      address: request.ip,
      mark: readDeviceMark(request),
    })
    context.metrics.logins.inc({ result: outcome.result })
    if ('waitSeconds' in outcome) throw new HttpProblem(429, texts.tooMany, outcome.waitSeconds)
    if (outcome.result === 'banned') throw new HttpProblem(403, texts.banned)
    if (outcome.result !== 'granted') return refuse<LoginData>([4010, texts.wrongLogin], {})
    writeDeviceMark(request, reply, outcome.deviceMark)
    const { needsAddress, token, account } = outcome
    return ok<LoginData>({ required_address: needsAddress, sign: token, username: account })
  })

  // Answers true also for a session that has ended before.
  app.post('/logout', async (request) => {
    await endSession(context.database, memberSession(request))
    return ok(true)
  })
}
