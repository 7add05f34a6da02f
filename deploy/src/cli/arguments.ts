import { InvalidArgumentError } from 'commander'
import { UsageError } from '../rejected.ts'

/* Parsers of options. */

export function wholeNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number.')
}

export function portNumber(text: string): number {
  if (/^\d+$/.test(text) && Number(text) < 65_536) return Number(text)
  throw new InvalidArgumentError('It must be a number from 0 to 65535.')
}

/** Returns a parser of texts that match. */
export const matching = (pattern: RegExp, example: string) => (text: string) => {
  if (pattern.test(text)) return text
  throw new InvalidArgumentError(`Write it like ${example}.`)
}

export function percent(text: string): number {
  if (/^\d{1,3}(\.\d+)?$/.test(text) && Number(text) <= 100) return Number(text)
  throw new InvalidArgumentError('It must be a number from 0 to 100.')
}

/** Returns milliseconds. */
export function duration(text: string): number {
  const [, n, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  const milliseconds = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit]
  if (milliseconds) return Number(n) * milliseconds
  throw new InvalidArgumentError('It must be a time such as 30s, 10m, 2h or 7d.')
}

/** Parses `name=value`. An empty value becomes null, which restores the default. */
export const settings = (settings: readonly string[]): Record<string, string | null> =>
  Object.fromEntries(
    settings.map((setting) => {
      const at = setting.indexOf('=')
      if (at < 1) throw new UsageError(`${setting} is no setting: write name=value, or name= for the default`)
      return [setting.slice(0, at), setting.slice(at + 1) || null]
    }),
  )
