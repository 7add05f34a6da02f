import type { FastifyRequest } from 'fastify'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { texts } from '../texts.ts'
import { HttpProblem } from './answers.ts'
import { peerKey } from './network-address.ts'

/**
 * A hook that limits the calls of each address. Counted in memory, by each server for itself: a flood must not reach the
 * database.
 */
export function addressLimit(calls: number, seconds: number): (request: FastifyRequest) => Promise<void> {
  const limiter = new RateLimiterMemory({ points: calls, duration: seconds })
  return async (request) => {
    await limiter.consume(peerKey(request.ip)).catch(({ msBeforeNext }: RateLimiterRes) => {
      throw new HttpProblem(429, texts.tooMany, msBeforeNext / 1000)
    })
  }
}
