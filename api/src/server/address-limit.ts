import type { FastifyRequest } from 'fastify'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { memberTexts } from '../texts.ts'
import { HttpProblem } from './answers.ts'
import { networkLimitKeys } from './caller-address.ts'

/**
 * Keeps forged reports from outnumbering real ones. Two minutes allow 18, on
 * which the rules for canaries in alerts.yml rely.
 */
export function addressLimiter(points: number, seconds: number) {
  const ofPeer = new RateLimiterMemory({ points, duration: seconds })
  const ofNetwork = new RateLimiterMemory({ points: 10 * points, duration: seconds })
  return async (address: string): Promise<RateLimiterRes | undefined> => {
    const [peer, network] = networkLimitKeys(address)
    try {
      await ofPeer.consume(peer)
      if (network) await ofNetwork.consume(network)
      return undefined
    } catch (refusal) {
      return refusal as RateLimiterRes // the only failure of a limiter in memory
    }
  }
}

/** Limits in memory, so that a flood does not reach the database. */
export function addressLimit(
  calls: number,
  seconds: number,
): (request: FastifyRequest) => Promise<void> {
  const limit = addressLimiter(calls, seconds)
  return async ({ ip }) => {
    const refusal = await limit(ip)
    if (refusal)
      throw new HttpProblem(429, memberTexts.tooMany, {
        retryAfterSeconds: refusal.msBeforeNext / 1000,
      })
  }
}
