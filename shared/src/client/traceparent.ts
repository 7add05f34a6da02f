import { randomHex, traceId } from './trace.ts'

/**
 * A call's header `traceparent`: https://www.w3.org/TR/trace-context/. Apart
 * from the id, which the first script needs.
 */
export const traceparentHeader = (): string => `00-${traceId()}-${randomHex(16)}-01`
