import { hash, timingSafeEqual } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { texts } from '../texts.ts'
import { peerKey } from './address-limit.ts'
import { HttpProblem } from './answers.ts'

const SERVICE_KEY_HEADER = 'x-service-key'

export const bearerToken = (request: FastifyRequest): string | undefined =>
  /^Bearer +(\S+)$/i.exec(request.headers.authorization ?? '')?.[1]

const digest = (text: string) => hash('sha256', text, 'buffer')

/** From this machine itself, and not through a proxy on it. */
function isLocal({ headers, socket }: FastifyRequest): boolean {
  const isForwarded = Object.keys(headers).some((name) => /^via$|forwarded|-ip$/.test(name))
  const peer = socket.remoteAddress ?? ''
  return !isForwarded && (peer === '::1' || peerKey(peer).startsWith('127.'))
}

/**
 * A hook that lets in who has a service key. Compares in constant time: digests have equal lengths, and every key is compared.
 * @param isWelcome who needs none
 */
export function serviceKeyGuard(keys: readonly string[], isWelcome = (_request: FastifyRequest) => false) {
  const digests = keys.map(digest)
  return async (request: FastifyRequest) => {
    const header = request.headers[SERVICE_KEY_HEADER]
    const given = digest((typeof header === 'string' ? header : bearerToken(request)) ?? '')
    const hasKey = digests.filter((key) => timingSafeEqual(key, given)).length > 0
    if (!hasKey && !isWelcome(request)) throw new HttpProblem(401, texts.serviceKey)
  }
}

export const operatorGuard = (keys: readonly string[]) => serviceKeyGuard(keys, isLocal)
