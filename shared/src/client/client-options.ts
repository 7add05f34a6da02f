import type { PublicConfig } from '../contract/config.ts'
import { EVENT_TIME_HEADER, SPREAD_HEADER } from '../contract/headers.ts'
import type { ApiFailure } from '../contract/host.ts'

export interface ClientOptions {
  readonly config: Pick<PublicConfig, 'apiBase' | 'site'>
  token(): string | undefined
  /**
   * Specification, section 8. Called once for each failed call, before it
   * rejects.
   */
  onFailure(failure: ApiFailure, message: string, status?: number): void
  onEventTime(now: Date): void
  /**
   * Called with the milliseconds over which pages spread the calls that a
   * moment makes.
   */
  onSpread?(ms: number): void
  /**
   * Called for each call that the server put off: it is sent again after `ms`,
   * and `answered` settles at its end.
   */
  onPutOff?(ms: number, answered: Promise<unknown>): void
}

/**
 * After so many milliseconds, an answer's time may be long past: the page was
 * frozen, or the network slow. The next answer sets the clock.
 */
const LONGEST_ANSWER_MS = 15_000

/**
 * Takes the event's time and the spread from an answer's headers, which may
 * come from a cache.
 * @param sentAt the browser's time of the request
 */
export function noteAnswerHeaders(
  options: ClientOptions,
  sentAt: number,
  header: (name: string) => unknown,
): void {
  const text = (name: string) => String(header(name) ?? '')
  const now = Date.parse(text(EVENT_TIME_HEADER))
  // nginx sends no `Age`; its `Date` is the delivery, `Last-Modified` the
  // stored answer.
  const stored = Date.parse(text('date')) - Date.parse(text('last-modified'))
  const age = Number(text('age')) * 1000 || Math.max(0, stored) || 0
  const isInTime = Date.now() - sentAt < LONGEST_ANSWER_MS
  if (!Number.isNaN(now) && isInTime) options.onEventTime(new Date(now + age))
  const seconds = Number(text(SPREAD_HEADER))
  if (seconds > 0) options.onSpread?.(seconds * 1000)
}
