import { type LoginData, loginBody } from '@anniversary/shared/contract/wire'
import { HttpProblem, refusalAnswer, successAnswer } from '../server/answers.ts'
import { createAddressWarning } from '../server/caller-address.ts'
import type { App, Context } from '../server/context.ts'
import { inMemberTurn } from '../server/member-turns.ts'
import { memberTexts } from '../texts.ts'
import { accountKey, accountKeys, areHashesEqual, hashBankDigits } from './credentials.ts'
import { deviceMark, knownDevice, readDeviceMark, writeDeviceMark } from './known-device.ts'
import {
  EVERYBODY,
  forgiveFailure,
  loginPlace,
  rememberFailure,
  settleLoginAttempt,
} from './login-guard.ts'
import { findMember } from './members.ts'
import { endSession, memberSession, newToken, sessionKey, startSession } from './session.ts'

export function registerLoginRoutes(app: App, context: Context): void {
  const { config, database, loginKeys, metrics } = context
  const warn = createAddressWarning(config.trustProxy)
  /**
   * All refusals take the same time and get the same answer, so callers cannot
   * learn which accounts exist.
   */
  app.post('/login', { schema: { body: loginBody } }, async (request, reply) => {
    warn(request)
    const { username, lastBankNumber, site } = request.body
    const count = (result: string) => metrics.logins.inc({ result })
    const keys = accountKeys(username)
    const member = await findMember(database, keys)
    // All spellings of an account are counted as one, whether or not it exists.
    const key = member?.accountKey ?? keys.at(-1) ?? accountKey(username)
    const device = knownDevice(loginKeys, key, readDeviceMark(request))

    const given = hashBankDigits(loginKeys, key, lastBankNumber)
    const isRight = areHashesEqual(given, member?.bankHash ?? Buffer.alloc(given.length))
    const owner = isRight && site === config.site ? member : undefined

    const place = loginPlace(key, device, request.ip)
    const settled = await inMemberTurn(context, place.account, reply, () =>
      settleLoginAttempt(database, owner !== undefined, place),
    )
    if (!settled.isCounted) {
      count(settled.fullBucket === EVERYBODY ? 'throttled' : 'limited')
      throw new HttpProblem(429, memberTexts.tooMany, { retryAfterSeconds: settled.waitSeconds })
    }
    const { isUnlocked, hasFailedHere } = settled
    if (!owner || !isUnlocked) {
      if (!hasFailedHere) await rememberFailure(database, place)
      count(isUnlocked ? 'wrong' : 'locked')
      return refusalAnswer<LoginData>([4010, memberTexts.wrongLogin], {})
    }

    const token = newToken()
    const session = sessionKey(token)
    const { id, account } = owner
    const started = await startSession(database, session, id, given, config.sessionHours)
    if (hasFailedHere) await forgiveFailure(database, place)
    if (!started) {
      const hasNewDigits = !given.equals((await findMember(database, [key]))?.bankHash ?? given)
      if (hasNewDigits) return refusalAnswer<LoginData>([4010, memberTexts.wrongLogin], {})
      count('banned')
      throw new HttpProblem(403, memberTexts.banned)
    }
    count('granted')
    writeDeviceMark(request, reply, deviceMark(loginKeys, key, device))
    return successAnswer<LoginData>({
      required_address: started.needsAddress,
      sign: token,
      username: account,
    })
  })

  // Also answers true for a session that has already ended.
  app.post('/logout', async (request) => {
    await endSession(database, memberSession(request))
    return successAnswer(true)
  })
}
