/**
 * Headers of the wire. Apart from `wire.ts`, so that the browser's client can
 * import them without Zod.
 */

/** Carries the session's token, beside the bearer header. */
export const SIGN_HEADER = 'x-sign-key'
/**
 * On every API answer: the event clock's now, ISO 8601 (our addition; feeds
 * countdowns).
 */
export const EVENT_TIME_HEADER = 'x-event-time'
/** Seconds over which pages spread their calls at a boundary (our addition). */
export const SPREAD_HEADER = 'x-spread-seconds'
