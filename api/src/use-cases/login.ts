import type { LoginBody } from '@anniversary/shared/contract/wire'
import { HttpProblem } from '../http/answers.ts'
import type { Context } from '../http/context.ts'
import { forgiveFailure, rememberFailure, settleLogin } from '../repositories/login-guard.ts'
import { findMember, hasAddress, startSession } from '../repositories/members.ts'
import { accountKey, bankHash, newToken, sameHash, sessionKey } from '../rules/credentials.ts'
import { knownDevice, newDeviceMark } from '../rules/device.ts'
import { EVERYBODY, loginLimits } from '../rules/login-guard.ts'
import { peerKey } from '../rules/network-address.ts'
import { shardOf } from '../rules/shard.ts'
import { texts } from '../texts.ts'

export interface LoginAttempt {
  readonly body: LoginBody
  /** Of the network peer. */
  readonly address: string
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
  const { body, address } = attempt
  const key = accountKey(body.username)
  const device = knownDevice(pepper, key, attempt.deviceMark)

  const given = bankHash(pepper, key, body.lastBankNumber)
  const member = await findMember(database, key)
  const hasRightDigits = sameHash(given, member?.bankHash ?? Buffer.alloc(given.length))
  const owner = hasRightDigits && body.site === config.site ? member : undefined

  const counted = {
    matches: owner !== undefined,
    account: device ? `device:${device}:${key}` : `account:${key}`,
    pair: `login:${peerKey(address)} ${key}`,
    limits: device ? [] : loginLimits(address),
  }
  const { isJudged, isUnlocked, hasFailedHere, fullBucket, waitSeconds } = await settleLogin(
    database,
    counted,
  )
  if (!isJudged) {
    context.metrics.login(fullBucket === EVERYBODY ? 'braked' : 'limited')
    throw new HttpProblem(429, texts.tooMany, { retryAfterSeconds: waitSeconds })
  }
  if (!owner || !isUnlocked) {
    if (!device && !hasFailedHere) await rememberFailure(database, counted.pair)
    return { result: isUnlocked ? 'wrong' : 'locked' }
  }

  const token = newToken(shardOf(owner.id))
  await startSession(database, sessionKey(token), owner.id, config.sessionHours)
  if (!device && hasFailedHere) await forgiveFailure(database, counted)
  return {
    result: 'granted',
    token,
    account: owner.account,
    needsAddress: owner.addressRequired && !(await hasAddress(database, owner.id)),
    deviceMark: device && attempt.deviceMark ? attempt.deviceMark : newDeviceMark(pepper, key),
  }
}
