import { isEmbeddable } from '@anniversary/shared/contract/embeddable'

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
 * A page of our own origin loses that origin: with it and scripts, it could
 * remove its sandbox
 * (https://html.spec.whatwg.org/multipage/iframe-embed-object.html#attr-iframe-sandbox).
 * @param own the embedding page's origin
 */
export function embeddableAddress(
  address: string,
  base: string,
  own: string,
): Embeddable | undefined {
  const parsed = parse(address, base)
  const isOurs = parsed?.origin === own
  if (!parsed || !isEmbeddable(parsed, isOurs)) return undefined
  const { href: url, origin } = parsed
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
