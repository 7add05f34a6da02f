import { LOOPBACK } from '@anniversary/shared/contract/loopback'

function parse(address: string, base: string): URL | undefined {
  try {
    return new URL(address, base)
  } catch {
    return undefined
  }
}

export interface Embeddable {
  readonly url: string
  readonly sandbox: string
  readonly origin: string
}

/**
 * Accepts https, and http on this machine or the page's own origin; no
 * passwords. A page of our own origin loses it: with scripts and its origin it
 * could remove its sandbox
 * (https://html.spec.whatwg.org/multipage/iframe-embed-object.html#attr-iframe-sandbox).
 * @param own the embedding page's origin
 */
export function embeddableAddress(
  address: string,
  base: string,
  own: string,
): Embeddable | undefined {
  const parsed = parse(address, base)
  if (!parsed) return undefined
  const { href: url, protocol, hostname, origin, username, password } = parsed
  if (username || password) return undefined

  const isOurs = origin === own
  const isNear = isOurs || LOOPBACK.test(hostname)
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isNear)
  if (!isSafe) return undefined
  const sandbox = 'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox'
  if (isOurs) return { url, sandbox, origin }
  return { url, sandbox: `${sandbox} allow-same-origin`, origin }
}

/** Accepts web addresses, nothing that runs. */
export function navigableAddress(address: string | null, base: string): string | undefined {
  if (!address) return undefined
  const { href, protocol = '' } = parse(address, base) ?? {}
  if (/^https?:$/.test(protocol)) return href
  return undefined
}
