/**
 * Milliseconds after which a call that the server put off is not sent again:
 * longer than a million members need.
 */
export const LONGEST_PUT_OFF_MS = 1_800_000

/**
 * Returns how many milliseconds to wait before a call is sent again: one to two
 * times `retry-after`, so that members who were put off together do not come
 * back together. Undefined: the answer does not put the call off.
 */
export function putOffMs(
  status: unknown,
  retryAfter: unknown,
  random = Math.random,
): number | undefined {
  const seconds = Number(retryAfter ?? Number.NaN)
  if (status === 503 && seconds >= 0) return Math.max(1, seconds) * 1000 * (1 + random())
  return undefined
}
