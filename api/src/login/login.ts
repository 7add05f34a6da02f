import type { LoginBody } from '@anniversary/shared/contract/wire'
import { peerKey } from '../server/address-limit.ts'
import type { Services } from '../server/context.ts'
import { accountKey, bankHash, sameHash } from './credentials.ts'
import { deviceMark, knownDevice } from './known-device.ts'
import { EVERYBODY, forgiveFailure, loginLimits, rememberFailure, settleLogin } from './login-guard.ts'
import { findMember } from './members.ts'
import { newToken, sessionKey, startSession } from './session.ts'

interface Attempt {
  readonly body: LoginBody
  readonly address: string
  readonly mark: string | undefined
}

type LoginOutcome =
  | {
      readonly result: 'granted'
      readonly token: string
      readonly account: string
      readonly needsAddress: boolean
      readonly deviceMark: string
    }
  | { readonly result: 'wrong' | 'locked' | 'banned' }
  /** By a limit of the address, or by that of all addresses. */
  | { readonly result: 'limited' | 'braked'; readonly waitSeconds: number }

/**
 * Checks a login and starts a session. Wrong digits, an unknown account, another site and a locked account do the same
 * work and give the same answer, so that nobody learns which accounts exist. Only metrics see the difference.
 */
export async function login(
  { config, database, loginKeys }: Services,
  { body, address, mark }: Attempt,
): Promise<LoginOutcome> {
  const key = accountKey(body.username)
  const device = knownDevice(loginKeys, key, mark)

  const given = bankHash(loginKeys, key, body.lastBankNumber)
  const member = await findMember(database, key)
  const isRight = sameHash(given, member?.bankHash ?? Buffer.alloc(given.length))
  const owner = isRight && body.site === config.site ? member : undefined

  const counted = {
    matches: owner !== undefined,
    account: device ? `device:${device}:${key}` : `account:${key}`,
    pair: `login:${peerKey(address)} ${key}`,
    limits: device ? [] : loginLimits(address),
  }
  const settled = await settleLogin(database, counted)
  if (!settled?.isJudged) {
    const result = settled?.fullBucket === EVERYBODY ? 'braked' : 'limited'
    return { result, waitSeconds: settled?.waitSeconds ?? 1 }
  }
  const { isUnlocked, hasFailedHere } = settled
  if (!owner || !isUnlocked) {
    if (!device && !hasFailedHere) await rememberFailure(database, counted.pair)
    return { result: isUnlocked ? 'wrong' : 'locked' }
  }

  const token = newToken()
  const started = await startSession(database, sessionKey(token), owner.id, config.sessionHours)
  if (!device && hasFailedHere) await forgiveFailure(database, counted)
  if (!started) return { result: 'banned' }
  return {
    result: 'granted',
    token,
    account: owner.account,
    needsAddress: started.needsAddress,
    deviceMark: deviceMark(loginKeys, key, device),
  }
}
