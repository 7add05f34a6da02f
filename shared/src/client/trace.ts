import { ATTRIBUTES } from '../contract/page-names.ts'

export const randomHex = (digits: number): string =>
  Array.from({ length: digits }, () => Math.floor(Math.random() * 16).toString(16)).join('')

/**
 * Id of this page load in calls, reports and on failure cards. On the page,
 * because two bundles use it.
 */
export function traceId(): string {
  const { documentElement: page } = document
  if (!page.hasAttribute(ATTRIBUTES.traceId)) page.setAttribute(ATTRIBUTES.traceId, randomHex(32))
  return page.getAttribute(ATTRIBUTES.traceId) ?? ''
}
