import { EVENT_TIME_ZONE } from './event.ts'

/** A date, optionally with time and offset: ISO 8601, and how databases write it. */
const TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:[.,]\d+)?)?\s*(?:Z|([+-]\d\d)(?::?(\d\d))?)?$/i

export const shortDay = (iso: string): string => iso.slice(0, 10).split('-').reverse().join('/')

const DAY = {
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  timeZone: EVENT_TIME_ZONE,
} as const

/**
 * Formats a time in Vietnamese and in the event's time zone (`20:05 20/08/2025`); a date alone stays a date.
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
  const offset = hours ? `${hours}:${minutes}` : /z$/i.test(all) ? 'Z' : '+07:00'
  const date = new Date(`${year}-${month}-${day}T${time ?? '00:00'}${time ? offset : '+07:00'}`)
  if (!isDay || Number.isNaN(date.getTime())) return iso
  return date.toLocaleString('vi-VN', time ? { ...DAY, hour: '2-digit', minute: '2-digit' } : DAY)
}
