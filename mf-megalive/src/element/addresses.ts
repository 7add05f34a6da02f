/** Which addresses may be embedded, and what a sandboxed page of each may do. */

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\]|.+\.localhost)$/

function parse(address: string, base: string): URL | undefined {
  try {
    return new URL(address, base)
  } catch {
    return undefined
  }
}

/**
 * The address to embed: https, or http on this machine or on the page's own origin. Anything else, above all
 * `javascript:`, `data:` and `blob:`, is refused, as are addresses that carry a password.
 * @param base the page's base URL
 * @param origin the page's origin
 */
export function embeddable(address: string, base: string, origin: string): URL | undefined {
  const url = parse(address, base)
  if (!url || url.username || url.password) return undefined
  const trusted =
    url.protocol === 'https:' ||
    (url.protocol === 'http:' && (LOOPBACK.test(url.hostname) || url.origin === origin))
  return trusted ? url : undefined
}

/** The back link's target: any web address, nothing that runs. */
export function navigable(address: string, base: string): string | undefined {
  const url = parse(address, base)
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined
}

/**
 * The frame's sandbox. A page of another origin keeps its own origin, so that it has its cookies and storage. One of
 * our own origin must not: with scripts and its origin it could remove its own sandbox attribute.
 * https://html.spec.whatwg.org/multipage/iframe-embed-object.html#attr-iframe-sandbox
 */
export const sandboxFor = (sameOrigin: boolean): string =>
  `allow-scripts allow-forms allow-popups allow-popups-to-escape-sandbox${sameOrigin ? '' : ' allow-same-origin'}`

/**
 * Origins from which 'ready' counts.
 * @param more further origins, separated by blanks: for an address that redirects to another host
 */
export const readyOrigins = (url: URL, sameOrigin: boolean, more: string): readonly string[] => [
  // A sandboxed page without an origin reports "null"; the message's source proves that it is our frame.
  sameOrigin ? 'null' : url.origin,
  ...more.split(/\s+/),
]
