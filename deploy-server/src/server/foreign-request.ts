import type { IncomingMessage } from 'node:http'
import { isFromOwnPage } from '@anniversary/shared/own-page'

/** Pages can hide their referrer, or name /control. */
function isFromSite({ headers: { referer = '', host } }: IncomingMessage): boolean {
  if (!URL.canParse(referer)) return false
  const from = new URL(referer)
  return from.host === host && !/^\/control(\/|$)/.test(from.pathname)
}

/**
 * Returns why a request is refused. Browsers send the password along by
 * themselves, so no page may use it. The host name keeps out pages of the site;
 * the referrer is an extra check.
 * @param siteUrl unset: not configured
 */
export function foreignRequest(
  request: IncomingMessage,
  siteUrl: string | undefined,
): string | null {
  const { headers, method } = request
  if (siteUrl && new URL(siteUrl).host === headers.host)
    return 'The control page needs a host name of its own: on that of the site, pages of every team could use it.'
  const { 'sec-fetch-dest': destination = 'document' } = headers
  if (destination !== 'document')
    return 'A page has asked for this. Open /control in a tab of its own.'
  const isForeignPost = method === 'POST' && !isFromOwnPage(headers)
  if (isFromSite(request) || isForeignPost)
    return 'This comes from another page. Nothing was changed. Open /control and use its buttons.'
  return null
}
