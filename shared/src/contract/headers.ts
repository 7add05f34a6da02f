/** Headers of the wire. Apart from `wire.ts`, so that the browser's client can import them without Zod. */

/** Carries the session's token, beside the bearer header. */
export const SIGN_HEADER = 'x-sign-key'
/** On every API answer: the event clock's now, ISO 8601 (our addition; feeds countdowns). */
export const EVENT_TIME_HEADER = 'x-event-time'
/** On every API answer: seconds over which pages spread the calls that a stage's or draw's begin or end makes (our addition). */
export const SPREAD_HEADER = 'x-spread-seconds'
