import { SIGN_HEADER } from '@anniversary/shared/contract/headers'
import type { FastifyRequest } from 'fastify'
import type { Queryable } from '../database/database.ts'
import { findBannedSession } from '../repositories/members.ts'
import { sessionKey } from '../rules/credentials.ts'
import { texts } from '../texts.ts'
import { HttpProblem } from './answers.ts'

export const bearerToken = (request: FastifyRequest): string | undefined =>
  /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]

/**
 * Key of the member's session: `x-sign-key`, else the bearer header (specification, section 7). Never a cookie.
 * @throws HttpProblem 401 when there is none
 */
export function memberSession(request: FastifyRequest): Buffer {
  const header = request.headers[SIGN_HEADER]
  const token = (typeof header === 'string' && header.trim()) || bearerToken(request)
  if (!token) throw new HttpProblem(401, texts.noToken)
  return sessionKey(token)
}

/** Why a token has no live session: 403 for a banned member, else 401. */
export async function sessionProblem(db: Queryable, session: Buffer): Promise<HttpProblem> {
  return (await findBannedSession(db, session))
    ? new HttpProblem(403, texts.banned)
    : new HttpProblem(401, texts.sessionOver)
}
