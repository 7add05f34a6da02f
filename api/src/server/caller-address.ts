import type { FastifyRequest } from 'fastify'
import ipaddr from 'ipaddr.js'

/**
 * Proxies write an address in quotes, with `for=`, in brackets, with a port or
 * with a zone.
 */
const FORM = /^"?(?:for=)?"?\[?([0-9a-f.:]+)(?:%[\w.-]+)?\]?(?::\d+)?"?$/i
/** The form above takes an IPv4 address with a port for one text. */
const IPV4_PORT = /^(\d+\.\d+\.\d+\.\d+):\d+$/

/** Undefined for what is no address. */
function readAddress(text: string): ipaddr.IPv4 | ipaddr.IPv6 | undefined {
  const found = FORM.exec(text.trim())?.[1] ?? ''
  const address = found.replace(IPV4_PORT, '$1')
  if (!ipaddr.isValid(address)) return undefined
  return ipaddr.process(address)
}

/**
 * An IPv4 address, or the /64 and /48 of an IPv6 address, since a customer has
 * a whole /64 or even a /48. A text that is no address is its own key.
 */
export function networkLimitKeys(address: string): readonly [peer: string, network?: string] {
  const ip = readAddress(address)
  if (!ip) return [`text ${address.slice(0, 64)}`]
  if (ip instanceof ipaddr.IPv4) return [ip.toString()]
  const groups = ip.parts.map((group) => group.toString(16))
  return [`${groups.slice(0, 4).join(':')}::/64`, `${groups.slice(0, 3).join(':')}::/48`]
}

const INTERNAL = new Set(['loopback', 'private', 'uniqueLocal', 'linkLocal', 'carrierGradeNat'])

function isPublic(address: string): boolean {
  const ip = readAddress(address)
  return ip !== undefined && !INTERNAL.has(ip.range())
}

/**
 * @param hops the address of the connection and those of `x-forwarded-for`, the
 * nearest first
 */
export function addressProblem(hops: readonly string[], trustProxy: number): string | undefined {
  const [peer = ''] = hops
  const proxies = hops.length - 1
  const taken = hops[Math.min(trustProxy, proxies)] ?? ''
  if (!readAddress(taken))
    return `a proxy forwards "${taken.slice(0, 64)}", which is no address: all callers with this text share their limits`
  const first = hops.findIndex(isPublic)
  if (!isPublic(taken) && first > trustProxy)
    return `calls come through ${first} proxies, but TRUST_PROXY is ${trustProxy}: all members share the limits of ${taken}; set TRUST_PROXY=${first}, or behind nginx its real_ip_header (docs/operate/site.md)`
  if (proxies < trustProxy && isPublic(peer))
    return `calls come through ${proxies} proxies, but TRUST_PROXY is ${trustProxy}: callers can invent their address; set TRUST_PROXY=${proxies}, or keep callers away from this port`
  return undefined
}

const WARN_AGAIN_MS = 60_000

export function createAddressWarning(trustProxy: number): (request: FastifyRequest) => void {
  let warnedAt = Number.NEGATIVE_INFINITY
  return ({ headers, socket, log }) => {
    if (performance.now() - warnedAt < WARN_AGAIN_MS) return
    const { 'x-forwarded-for': forwarded = '' } = headers
    const { remoteAddress = '' } = socket
    const addresses = [remoteAddress, ...String(forwarded).split(',').reverse()]
    const hops = addresses.map((hop) => hop.trim())
    const problem = addressProblem(hops.filter(Boolean), trustProxy)
    if (problem === undefined) return
    warnedAt = performance.now()
    log.warn({ event: 'caller_address' }, problem)
  }
}
