import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { texts } from '../texts.ts'
import { HttpProblem } from './answers.ts'

/**
 * Counts events of an address, and of its network, which may have ten times as many. What an address has too many of does
 * not count for its network. @returns undefined, or what refuses it
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
      return refusal as RateLimiterRes // in memory it fails by nothing else
    }
  }
}

/** A hook that limits the calls of each address, in memory: a flood must not reach the database. */
export function addressLimit(calls: number, seconds: number): (request: FastifyRequest) => Promise<void> {
  const limit = addressLimiter(calls, seconds)
  return async ({ ip }) => {
    const refusal = await limit(ip)
    if (refusal) throw new HttpProblem(429, texts.tooMany, { retryAfterSeconds: refusal.msBeforeNext / 1000 })
  }
}

/**
 * Keys of a network peer in limits, the nearest first: an IPv4 address; or the /64 of an IPv6 address, since every
 * customer has a whole /64, and the /48, since some have that.
 */
export function networkKeys(address: string): readonly [peer: string, network?: string] {
  // A proxy may pass on anything; all that is not an address shares one bucket.
  if (!ipaddr.isValid(address)) return ['unknown']
  const ip = ipaddr.process(address)
  if (ip instanceof ipaddr.IPv4) return [ip.toString()]
  const groups = ip.parts.map((group) => group.toString(16))
  return [`${groups.slice(0, 4).join(':')}::/64`, `${groups.slice(0, 3).join(':')}::/48`]
}

export const peerKey = (address: string): string => networkKeys(address)[0]
