import { isIP, isIPv6 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { texts } from '../texts.ts'
import { HttpProblem } from './answers.ts'

/** A hook that limits the calls of each address, and of ten such of a network, in memory: a flood must not reach the database. */
export function addressLimit(calls: number, seconds: number): (request: FastifyRequest) => Promise<void> {
  const ofPeer = new RateLimiterMemory({ points: calls, duration: seconds })
  const ofNetwork = new RateLimiterMemory({ points: 10 * calls, duration: seconds })
  return async (request) => {
    const [peer, network] = networkKeys(request.ip)
    await Promise.all([ofPeer.consume(peer), network && ofNetwork.consume(network)]).catch(
      ({ msBeforeNext }: RateLimiterRes) => {
        throw new HttpProblem(429, texts.tooMany, msBeforeNext / 1000)
      },
    )
  }
}

function groups(address: string): string[] {
  const [head = '', tail] = address.split('::')
  const left = head ? head.split(':') : []
  const right = tail ? tail.split(':') : []
  const middle =
    tail === undefined ? [] : new Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0')
  return [...left, ...middle, ...right].map((group) => Number.parseInt(group || '0', 16).toString(16))
}

/**
 * Keys of a network peer in limits, the nearest first: an IPv4 address; or the /64 of an IPv6 address, since every
 * customer has a whole /64, and the /48, since some have that.
 */
export function networkKeys(address: string): readonly [peer: string, network?: string] {
  const plain = address.replace(/%.*$/, '').toLowerCase()
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(plain)?.[1]
  if (mapped) return [mapped]
  if (isIPv6(plain)) {
    const all = groups(plain)
    return [`${all.slice(0, 4).join(':')}::/64`, `${all.slice(0, 3).join(':')}::/48`]
  }
  // A proxy may pass on anything; all that is not an address shares one bucket.
  return [isIP(plain) ? plain : 'unknown']
}

export const peerKey = (address: string): string => networkKeys(address)[0]
