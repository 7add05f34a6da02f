import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { memberTexts } from '../texts.ts'
import { HttpProblem } from './answers.ts'

const SERVICE_KEY_HEADER = 'x-service-key'

export const bearerToken = (request: FastifyRequest): string | undefined =>
  /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]

const digest = (text: string) => hash('sha256', text, 'buffer')

function givenKey(request: FastifyRequest): string {
  const header = request.headers[SERVICE_KEY_HEADER]
  if (typeof header === 'string') return header
  return bearerToken(request) ?? ''
}

export const serviceKeyName = (request: FastifyRequest): string =>
  `key ${hash('sha256', givenKey(request)).slice(0, 8)}`

/** Compares in constant time: equally long digests, and all of them. */
export function serviceKeyGuard(keys: readonly string[]) {
  const digests = keys.map(digest)
  return async (request: FastifyRequest) => {
    const given = digest(givenKey(request))
    if (digests.filter((key) => timingSafeEqual(key, given)).length === 0)
      throw new HttpProblem(401, memberTexts.serviceKey)
  }
}
