import { InvalidArgumentError } from 'commander'
import { UsageError } from './context.ts'

/*
 * Parsers of arguments. They throw what the person who typed the argument reads.
 */

export function wholeNumber(text: string): number {
  if (/^\d+$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number.')
}

export function percent(text: string): number {
  if (/^\d{1,3}(\.\d+)?$/.test(text) && Number(text) <= 100) return Number(text)
  throw new InvalidArgumentError('It must be a number from 0 to 100.')
}

/** Settings by name from `name=value`; an empty value is null, the default. */
export const settings = (settings: readonly string[]): Record<string, string | null> =>
  Object.fromEntries(
    settings.map((setting) => {
      const at = setting.indexOf('=')
      if (at < 1) throw new UsageError(`${setting} is no setting: write name=value, or name= for the default`)
      return [setting.slice(0, at), setting.slice(at + 1) || null]
    }),
  )

export const examples = (lines: string): string => `\nExamples:\n${lines}`
