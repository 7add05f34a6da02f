import { eventDay } from '@anniversary/shared/contract/event-time'
import { InvalidArgumentError } from 'commander'
import { UsageError } from '../rejected.ts'

const numberOf = (pattern: RegExp, most: number, what: string) => (text: string) => {
  if (pattern.test(text) && Number(text) <= most) return Number(text)
  throw new InvalidArgumentError(`It must be ${what}.`)
}

export const wholeNumber = numberOf(/^\d+$/, Number.MAX_SAFE_INTEGER, 'a whole number')
export const portNumber = numberOf(/^\d+$/, 65_535, 'a number from 0 to 65535')
export const parsePercent = numberOf(/^\d+(\.\d+)?$/, 100, 'a number from 0 to 100')

export const parserOf = (pattern: RegExp, example: string) => (text: string) => {
  if (pattern.test(text)) return text
  throw new InvalidArgumentError(`Write it like ${example}.`)
}

export function parseDuration(text: string): number {
  const [, n, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const milliseconds = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit]
  if (milliseconds) return Number(n) * milliseconds
  throw new InvalidArgumentError('It must be a time such as 30s, 10m, 2h or 7d.')
}

/** A time without an offset is of Viet Nam. */
export function parseEventTime(text: string): Date {
  const [, day, hour = '00:00', offset = '+07:00'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?))?(Z|[+-]\d\d:\d\d)?$/.exec(text) ?? []
  const time = new Date(`${day}T${hour}${offset}`)
  if (!Number.isNaN(time.getTime())) return time
  throw new InvalidArgumentError('Write it like 2025-09-09T19:30.')
}

/** A time without a date (21:00) is one of today in Viet Nam. */
export function parseTimeOrClock(text: string): (now: Date) => Date {
  if (!/^\d\d:\d\d$/.test(text)) {
    const time = parseEventTime(text)
    return () => time
  }
  const timeOn = (day: string) => parseEventTime(`${day}T${text}`)
  timeOn('2025-09-09')
  return (now) => timeOn(eventDay(now))
}

/** An empty value becomes null, which restores the default. */
export const parseSettings = (settings: readonly string[]): Record<string, string | null> =>
  Object.fromEntries(
    settings.map((setting) => {
      const at = setting.indexOf('=')
      if (at < 1)
        throw new UsageError(`${setting} is no setting: write name=value, or name= for the default`)
      return [setting.slice(0, at), setting.slice(at + 1) || null]
    }),
  )
