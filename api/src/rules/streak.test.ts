import { STAGES, type Stage } from '@anniversary/shared/contract/event'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { hasStreak, rangeInStage } from './streak.ts'

const DAY_MS = 86_400_000
const dayAfter = (first: string, n: number) =>
  new Date(Date.parse(`${first}T00:00:00Z`) + n * DAY_MS).toISOString().slice(0, 10)

describe('a streak', () => {
  // spec: streak-rule
  test.each([
    [['2025-08-11', '2025-08-12', '2025-08-13', '2025-08-14', '2025-08-15'], true],
    [['2025-08-11', '2025-08-12', '2025-08-13', '2025-08-14', '2025-08-16'], false],
    // Over the end of a month, of February in both kinds of year, and of a year.
    [['2025-08-29', '2025-08-30', '2025-08-31', '2025-09-01', '2025-09-02'], true],
    [['2024-02-27', '2024-02-28', '2024-02-29', '2024-03-01', '2024-03-02'], true],
    [['2025-02-26', '2025-02-27', '2025-02-28', '2025-03-01', '2025-03-02'], true],
    [['2024-02-26', '2024-02-27', '2024-02-28', '2024-03-01', '2024-03-02'], false],
    [['2025-12-29', '2025-12-30', '2025-12-31', '2026-01-01', '2026-01-02'], true],
    [['2025-08-11', '2025-08-11', '2025-08-11', '2025-08-11', '2025-08-11'], false],
    [[], false],
  ])('in %p: %p', (days, expected) => {
    expect(hasStreak(days)).toBe(expected)
  })

  test('is found wherever it lies, in any order, with repetitions', () => {
    fc.assert(
      fc.property(fc.nat(60), fc.array(fc.nat(60)), fc.integer(), (start, others, seed) => {
        const run = [0, 1, 2, 3, 4].map((n) => start + n)
        const days = [...others, ...run, ...run].map((n) => dayAfter('2025-08-01', n))
        const order = days
          .map((day, i) => ({ day, at: Math.imul(i + 1, seed | 1) }))
          .sort((a, b) => a.at - b.at)
        expect(hasStreak(order.map((entry) => entry.day))).toBe(true)
      }),
    )
  })

  test('is not made of days with a hole in every five', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(80)), (days) => {
        const holed = days.filter((n) => n % 5 !== 0).map((n) => dayAfter('2025-08-01', n))
        expect(hasStreak(holed)).toBe(false)
      }),
    )
  })
})

describe('the asked range', () => {
  // biome-ignore lint/style/noNonNullAssertion: the event has a first stage
  const stage: Stage = STAGES[0]!

  test.each([
    ['2025-08-05', '2025-08-09', { start: '2025-08-05', end: '2025-08-09' }],
    ['2020-01-01', '2030-01-01', { start: '2025-08-01', end: '2025-09-06' }],
    ['2025-09-06', '2025-09-10', { start: '2025-09-06', end: '2025-09-06' }],
    ['2025-09-07', '2025-09-10', null],
    ['2025-07-01', '2025-07-31', null],
  ])('%s to %s is cut to the stage', (start, end, range) => {
    expect(rangeInStage(stage, start, end)).toEqual(range)
  })
})
