const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\]|.+\.localhost)$/

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
 * The page at an address: https, or http on this machine or on the embedding page's own origin. All others are refused, as
 * are addresses with a password. A page of our own origin loses it: with scripts and its origin it could remove its own
 * sandbox (https://html.spec.whatwg.org/multipage/iframe-embed-object.html#attr-iframe-sandbox).
 * @param own the embedding page's origin
 */
export function embeddableAddress(
  address: string,
  base: string,
  own: string,
): Embeddable | undefined {
  const parsed = parse(address, base)
  if (!parsed || parsed.username || parsed.password) return undefined
  const { href: url, protocol, hostname, origin } = parsed
  const isOurs = origin === own
  if (protocol !== 'https:' && !(protocol === 'http:' && (isOurs || LOOPBACK.test(hostname))))
    return undefined
  const sandbox = 'allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox'
  return { url, sandbox: isOurs ? sandbox : `${sandbox} allow-same-origin`, origin }
}

/** The back link's target: any web address, nothing that runs. */
export function navigableAddress(address: string | null, base: string): string | undefined {
  const url = address ? parse(address, base) : undefined
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined
}
