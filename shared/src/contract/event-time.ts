import { DRAWS, EVENT_UTC_OFFSET } from './event.ts'
import type { Win } from './host.ts'

/**
 * A date, optionally with time and offset: ISO 8601, and how databases write
 * it.
 */
const TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:[.,]\d+)?)?\s*(?:Z|([+-]\d\d)(?::?(\d\d))?)?$/i

/**
 * Milliseconds by which the event's clock is ahead of UTC. By arithmetic, since
 * old devices know no time zones.
 */
const AHEAD_MS =
  Date.parse('1970-01-01T00:00:00Z') - Date.parse(`1970-01-01T00:00:00${EVENT_UTC_OFFSET}`)

/** Returns ISO text with the event's clock time: its `Z` does not hold. */
const localTime = (time: Date): string => new Date(time.getTime() + AHEAD_MS).toISOString()

/** Returns the day in the event's time zone: `2025-09-09`. */
export const eventDay = (time: Date): string => localTime(time).slice(0, 10)

export const shortDay = (iso: string): string => iso.slice(0, 10).split('-').reverse().join('/')

/**
 * Returns the last day on which a prize of a draw can be claimed, one month
 * after it (specification, section 1): `2025-10-09`. Of 31 January, it is the
 * last day of February.
 */
export function lastClaimDay(drawStart: string): string {
  const [year = 0, month = 1, day = 1] = drawStart.slice(0, 10).split('-').map(Number)
  const found = new Date(Date.UTC(year, month, day))
  if (found.getUTCDate() !== day) found.setUTCDate(0)
  return found.toISOString().slice(0, 10)
}

/**
 * The day until which the first of these prizes must be claimed: `09/10/2025`.
 * Undefined: each was handed over or has lapsed.
 */
export function claimDeadline(wins: readonly Win[], now: Date): string | undefined {
  const today = eventDay(now)
  const [first] = wins
    .filter(({ delivery }) => !delivery?.deliveredAt)
    .map(({ draw, delivery }) => delivery?.until ?? lastClaimDay(DRAWS[draw - 1]?.start ?? ''))
    .map((until) => until.slice(0, 10))
    .filter((day) => day >= today)
    .sort()
  if (!first) return undefined
  return shortDay(first)
}

/**
 * Formats a time in Vietnamese and in the event's time zone (`20:05
 * 20/08/2025`); a date alone stays a date.
 * @param iso ISO 8601, with `T` or a blank; without an offset +07:00
 * @returns the text as it came if it is no such time
 */
export function formatEventTime(iso: string): string {
  const found = TIME.exec(iso.trim())
  if (!found) return iso
  const [all, year, month, day, time, hours, minutes = '00'] = found
  // Some engines take 30 February for a day in March.
  const isDay =
    new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day)
  let offset: string = EVENT_UTC_OFFSET
  if (time && hours) offset = `${hours}:${minutes}`
  else if (time && /z$/i.test(all)) offset = 'Z'
  const date = new Date(`${year}-${month}-${day}T${time ?? '00:00'}${offset}`)
  if (!isDay || Number.isNaN(date.getTime())) return iso
  const local = localTime(date)
  if (!time) return shortDay(local)
  return `${local.slice(11, 16)} ${shortDay(local)}`
}
