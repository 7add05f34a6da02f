import type { LoginBody } from '@anniversary/shared/contract/wire'
import type { Context } from './http/context.ts'
import { findMember, startSession } from './repositories/members.ts'
import { accountKey, bankHash, newToken, sameHash, tokenHash } from './rules/credentials.ts'

export interface LoggedIn {
  readonly token: string
  readonly account: string
  readonly needsAddress: boolean
}

/** Checks a login and starts a session. Undefined: wrong digits, unknown account or another site, told apart nowhere. */
export async function login(context: Context, body: LoginBody): Promise<LoggedIn | undefined> {
  const { config, database, pepper } = context
  const given = bankHash(pepper, body.username, body.lastBankNumber)
  const member = await findMember(database, accountKey(body.username))
  const matches = sameHash(given, member?.bankHash ?? Buffer.alloc(given.length))
  if (!member || !matches || body.site !== config.site) return undefined
  const token = newToken()
  await startSession(database, tokenHash(token), member.id, config.sessionHours)
  return { token, account: member.account, needsAddress: member.needsAddress }
}
