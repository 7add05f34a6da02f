import { EVENT_UTC_OFFSET } from '@anniversary/shared/contract/event'
import { z } from 'zod'

const TIME = 'must be a time such as 2025-08-11T09:30:00+07:00'

/**
 * ISO 8601; `2025-08-11 09:30` and `2025-08-11T09:30:00` are times of the
 * event's own zone, +07:00.
 */
export const eventTime = z
  .string(TIME)
  .transform((text) =>
    text
      .trim()
      .replace(
        /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d)(:\d\d(?:\.\d+)?)?$/,
        (_, day, minute, second = ':00') => `${day}T${minute}${second}+07:00`,
      ),
  )
  .pipe(z.iso.datetime({ offset: true, error: TIME }))

/** To the second, as the database's `event_time` writes it. */
export function eventTimeText(at: Date): string {
  const hours = Number.parseInt(EVENT_UTC_OFFSET, 10)
  return new Date(at.getTime() + hours * 3_600_000).toISOString().slice(0, 19) + EVENT_UTC_OFFSET
}
