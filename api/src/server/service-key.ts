import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { texts } from '../texts.ts'
import { peerKey } from './address-limit.ts'
import { HttpProblem } from './answers.ts'

const SERVICE_KEY_HEADER = 'x-service-key'

export const bearerToken = (request: FastifyRequest): string | undefined =>
  /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]

const digest = (text: string) => hash('sha256', text, 'buffer')

/** Compares in constant time: digests have equal lengths, and every key is compared. */
export function serviceKeyGuard(keys: readonly string[]): (request: FastifyRequest) => boolean {
  const digests = keys.map(digest)
  return (request) => {
    const header = request.headers[SERVICE_KEY_HEADER]
    const given = digest((typeof header === 'string' ? header : bearerToken(request)) ?? '')
    return digests.filter((key) => timingSafeEqual(key, given)).length > 0
  }
}

/** From this machine itself, and not through a proxy on it. */
function isLocal({ headers, socket }: FastifyRequest): boolean {
  const isForwarded = Object.keys(headers).some((name) => /^via$|forwarded|-ip$/.test(name))
  const peer = socket.remoteAddress ?? ''
  return !isForwarded && (peer === '::1' || peerKey(peer).startsWith('127.'))
}

export function operatorGuard(keys: readonly string[]): (request: FastifyRequest) => Promise<void> {
  const hasKey = serviceKeyGuard(keys)
  return async (request) => {
    if (!isLocal(request) && !hasKey(request)) throw new HttpProblem(401, texts.serviceKey)
  }
}
