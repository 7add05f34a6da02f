import { SIGN_HEADER } from '@anniversary/shared/contract/headers'
import type { FastifyRequest } from 'fastify'
import { tokenHash } from '../rules/credentials.ts'
import { texts } from '../texts.ts'
import { HttpProblem } from './answers.ts'

export const bearerToken = (request: FastifyRequest): string | undefined =>
  /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]

/**
 * Hash of the member's token: `x-sign-key`, else the bearer header (specification, section 7). Never a cookie.
 * @throws HttpProblem 401 when there is none
 */
export function memberTokenHash(request: FastifyRequest): Buffer {
  const header = request.headers[SIGN_HEADER]
  const token = (typeof header === 'string' && header.trim()) || bearerToken(request)
  if (!token) throw new HttpProblem(401, texts.noToken)
  return tokenHash(token)
}

export const sessionOver = () => new HttpProblem(401, texts.sessionOver)
