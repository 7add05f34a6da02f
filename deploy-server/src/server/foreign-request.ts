import type { IncomingMessage } from 'node:http'

/** Whether a page of this origin sends this, according to Sec-Fetch-Site, or over plain http to Origin. */
function isFromHere({ headers }: IncomingMessage): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return headers.origin?.replace(/^https?:\/\//, '') === headers.host
}

/** Whether a page of the same host names itself as the sender. It can also send no referrer, or one of /control. */
function isFromSite({ headers: { referer = '', host } }: IncomingMessage): boolean {
  const from = URL.canParse(referer) ? new URL(referer) : null
  return from !== null && from.host === host && !/^\/control(\/|$)/.test(from.pathname)
}

/**
 * Returns why a browser's request is not answered; null when it is. Browsers send the password along by themselves, so
 * no page of another site, of a team's remote or of a preview may use it. Only the host name keeps out pages of the site;
 * the referrer is an extra check.
 * @param siteUrl public address of the site, if the configuration has it
 */
export function foreignRequest(
  request: IncomingMessage,
  siteUrl: string | undefined,
): string | null {
  const { headers, method } = request
  if (siteUrl && new URL(siteUrl).host === headers.host)
    return 'The control page needs a host name of its own: on that of the site, pages of every team could use it.'
  const destination = headers['sec-fetch-dest']
  if (destination !== undefined && destination !== 'document')
    return 'A page has asked for this. Open /control in a tab of its own.'
  if (isFromSite(request) || (method === 'POST' && !isFromHere(request)))
    return 'This comes from another page. Nothing was changed. Open /control and use its buttons.'
  return null
}
