import { unescape as decodeLeniently } from 'node:querystring'
import { SHARE_LINKS } from '@anniversary/shared/contract/event'

/** Query parameters that identify a page on Facebook and similar sites. Others are tracking, or added to make links differ. */
const NAMING = new Set(['id', 'fbid', 'story_fbid', 'multi_permalinks', 'set', 'v', 'p'])

/**
 * Returns the page that a link leads to, so that two links of one page compare equal: path and naming query in lower
 * case, without the subdomain. Null for anything but a web address of the share host or a subdomain, with a path.
 * (The screens check less: that the text contains the host's name.)
 */
export function sharedPage(link: string, shareHost: string): string | null {
  const text = link.trim()
  const address = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  if ((url.protocol !== 'https:' && url.protocol !== 'http:') || url.username || url.password)
    return null
  const host = url.hostname.toLowerCase()
  const wanted = shareHost.toLowerCase()
  if (host !== wanted && !host.endsWith(`.${wanted}`)) return null
  const path = decoded(url.pathname).split('/').filter(Boolean).join('/')
  if (path === '') return null
  const query = new URLSearchParams([...url.searchParams].filter(([name]) => NAMING.has(name)))
  query.sort()
  return `${wanted}/${path}${query.size > 0 ? `?${query}` : ''}`.toLowerCase()
}

/** Returns a path without percent escapes, invisible characters and alternative forms of the same letters. */
const decoded = (path: string) =>
  decodeLeniently(path)
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Cf}\s]/gu, '')

/** Returns the pages of four links, or undefined unless all are different pages of the share host. */
export function sharedPages(
  links: readonly string[],
  shareHost: string,
): readonly string[] | undefined {
  const pages = links.map((link) => sharedPage(link, shareHost)).filter((page) => page !== null)
  return links.length === SHARE_LINKS && new Set(pages).size === SHARE_LINKS ? pages : undefined
}
