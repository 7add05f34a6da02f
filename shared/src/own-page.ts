/**
 * Returns whether a page of this host made the request. Browsers say it by
 * Sec-Fetch-Site; over plain http, and in Safari before 16.4, by Origin alone,
 * which a form has only where the page's policy sends a referrer.
 */
export function isFromOwnPage(headers: {
  readonly host?: string | undefined
  readonly origin?: string | undefined
  readonly 'sec-fetch-site'?: string | string[] | undefined
}): boolean {
  const site = headers['sec-fetch-site']
  if (site !== undefined) return site === 'same-origin'
  return headers.origin?.replace(/^https?:\/\//, '') === headers.host
}
