import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { SERVICE_KEY_HEADER } from '../contract/backoffice.ts'
import { bearerToken } from './member-token.ts'

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Compares in constant time: digests have equal lengths, and every key is compared. */
export function serviceKeyGuard(keys: readonly string[]): (request: FastifyRequest) => boolean {
  const digests = keys.map(digest)
  return (request) => {
    const header = request.headers[SERVICE_KEY_HEADER]
    const given = digest((typeof header === 'string' ? header : bearerToken(request)) ?? '')
    let matches = 0
    for (const key of digests) matches += timingSafeEqual(key, given) ? 1 : 0
    return matches > 0
  }
}
