import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { texts } from '../texts.ts'
import { HttpProblem } from './answers.ts'

/**
 * Returns a function that counts an event of an address and of its network, which may have ten times as many. It returns
 * undefined, or the limit that is reached. Refused events do not count for the network.
 */
export function addressLimiter(points: number, seconds: number) {
  const ofPeer = new RateLimiterMemory({ points, duration: seconds })
  const ofNetwork = new RateLimiterMemory({ points: 10 * points, duration: seconds })
  return async (address: string): Promise<RateLimiterRes | undefined> => {
    const [peer, network] = networkKeys(address)
    try {
      await ofPeer.consume(peer)
      if (network) await ofNetwork.consume(network)
      return undefined
    } catch (refusal) {
      return refusal as RateLimiterRes // the only failure of a limiter in memory
    }
  }
}

/** Returns a hook that limits the calls of each address, in memory, so that a flood does not reach the database. */
export function addressLimit(
  calls: number,
  seconds: number,
): (request: FastifyRequest) => Promise<void> {
  const limit = addressLimiter(calls, seconds)
  return async ({ ip }) => {
    const refusal = await limit(ip)
    if (refusal)
      throw new HttpProblem(429, texts.tooMany, { retryAfterSeconds: refusal.msBeforeNext / 1000 })
  }
}

/**
 * Returns the keys of an address in limits: an IPv4 address, or the /64 and /48 of an IPv6 address, since a customer has a
 * whole /64 or even a /48.
 */
export function networkKeys(address: string): readonly [peer: string, network?: string] {
  // A proxy may pass on anything. What is not an address shares one bucket.
  if (!ipaddr.isValid(address)) return ['unknown']
  const ip = ipaddr.process(address)
  if (ip instanceof ipaddr.IPv4) return [ip.toString()]
  const groups = ip.parts.map((group) => group.toString(16))
  return [`${groups.slice(0, 4).join(':')}::/64`, `${groups.slice(0, 3).join(':')}::/48`]
}
