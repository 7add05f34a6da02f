import type { LoginBody } from '@anniversary/shared/contract/wire'
import { HttpProblem } from '../http/answers.ts'
import type { Context } from '../http/context.ts'
import { beginLogin, forgiveLogin } from '../repositories/login-guard.ts'
import { findMember, startSession } from '../repositories/members.ts'
import { accountKey, bankHash, newToken, sameHash, tokenHash } from '../rules/credentials.ts'
import { knownDevice, newDeviceMark } from '../rules/device.ts'
import { texts } from '../texts.ts'

export interface LoginAttempt {
  readonly body: LoginBody
  /** The network peer, from `peerKey`. */
  readonly peer: string
  /** The mark of this device, from an earlier login. */
  readonly deviceMark?: string | undefined
}

export type LoginOutcome =
  | {
      readonly result: 'granted'
      readonly token: string
      readonly account: string
      readonly needsAddress: boolean
      /** To be kept by the device. */
      readonly deviceMark: string
    }
  | { readonly result: 'wrong' | 'locked' }

/**
 * Checks a login and starts a session. Wrong digits, an unknown account, another site and a locked account do the same
 * work and give the same answer, so that nobody learns which accounts exist. Only metrics see the difference.
 * @throws HttpProblem 429 when the address has to wait
 */
export async function login(context: Context, attempt: LoginAttempt): Promise<LoginOutcome> {
  const { config, database, pepper } = context
  const { body, peer } = attempt
  const key = accountKey(body.username)
  const device = knownDevice(pepper, key, attempt.deviceMark)
  const bucket = device ? `device:${device}:${key}` : `account:${key}`

  const begun = await beginLogin(database, peer, bucket)
  if (!begun.addressFree) {
    context.metrics.login('limited')
    throw new HttpProblem(429, texts.tooMany, { retryAfterSeconds: begun.waitSeconds })
  }
  const given = bankHash(pepper, key, body.lastBankNumber)
  const member = await findMember(database, key)
  const matches = sameHash(given, member?.bankHash ?? Buffer.alloc(given.length))
  if (!begun.accountFree) return { result: 'locked' }
  if (!member || !matches || body.site !== config.site) return { result: 'wrong' }

  const token = newToken()
  await startSession(database, tokenHash(token), member.id, config.sessionHours)
  await forgiveLogin(database, peer, bucket)
  return {
    result: 'granted',
    token,
    account: member.account,
    needsAddress: member.needsAddress,
    deviceMark: device && attempt.deviceMark ? attempt.deviceMark : newDeviceMark(pepper, key),
  }
}
