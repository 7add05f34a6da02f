import { ATTRIBUTES } from '../contract/page-names.ts'

const hex = (digits: number): string =>
  Array.from({ length: digits }, () => Math.floor(Math.random() * 16).toString(16)).join('')

/**
 * Id of this page load in calls, reports and on failure cards. On the page,
 * because two bundles use it.
 */
export function traceId(): string {
  const { documentElement: page } = document
  if (!page.hasAttribute(ATTRIBUTES.traceId)) page.setAttribute(ATTRIBUTES.traceId, hex(32))
  return page.getAttribute(ATTRIBUTES.traceId) ?? ''
}

/** A call's header `traceparent`: https://www.w3.org/TR/trace-context/ */
export const traceparentHeader = (): string => `00-${traceId()}-${hex(16)}-01`
