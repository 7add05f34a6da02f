import type { Stage } from '@anniversary/shared/contract/event'
import { STREAK_DAYS } from '@anniversary/shared/contract/missions'

const DAY_MS = 86_400_000

/** The part of the asked range (inclusive days, `YYYY-MM-DD`) that lies inside the stage; null when there is none. */
export function rangeInStage(
  stage: Stage,
  start: string,
  end: string,
): { start: string; end: string } | null {
  const from = start > stage.firstDay ? start : stage.firstDay
  const to = end < stage.lastDay ? end : stage.lastDay
  return from <= to ? { start: from, end: to } : null
}

/** The most consecutive calendar days among `days`. Order and repetition do not matter. */
export function longestStreak(days: Iterable<string>): number {
  const numbers = [...new Set(days)]
    .map((day) => Date.parse(`${day}T00:00:00Z`) / DAY_MS)
    .sort((a, b) => a - b)
  let run = 0
  let longest = 0
  let previous = Number.NaN
  for (const day of numbers) {
    run = day === previous + 1 ? run + 1 : 1
    longest = Math.max(longest, run)
    previous = day
  }
  return longest
}

export const hasStreak = (days: Iterable<string>): boolean => longestStreak(days) >= STREAK_DAYS
