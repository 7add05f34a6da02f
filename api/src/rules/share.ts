import { SHARE_LINKS } from '@anniversary/shared/contract/event'

/**
 * Normalizes a link so that equal ones compare equal; null when it is not a web address of the share host or a subdomain.
 * (The screens check less: they look for the host's name in the text.)
 */
export function normalizedShareLink(link: string, shareHost: string): string | null {
  const text = link.trim()
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  if ((url.protocol !== 'https:' && url.protocol !== 'http:') || url.username || url.password) return null
  const host = url.hostname.toLowerCase()
  const wanted = shareHost.toLowerCase()
  if (host !== wanted && !host.endsWith(`.${wanted}`)) return null
  return `${host.replace(/^(www|m|web|mbasic)\./, '')}${url.pathname.replace(/\/+$/, '')}${url.search}`
}

/** Four links of the share host, all different. */
export function areShareLinks(links: readonly string[], shareHost: string): boolean {
  const normal = links.map((link) => normalizedShareLink(link, shareHost))
  return normal.length === SHARE_LINKS && !normal.includes(null) && new Set(normal).size === SHARE_LINKS
}
