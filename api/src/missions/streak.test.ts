import { STAGES } from '@anniversary/shared/contract/event'
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
    [['2025-02-26', '2025-02-27', '2025-02-28', '2025-03-01', '2025-03-02'], true],
    [['2024-02-26', '2024-02-27', '2024-02-28', '2024-03-01', '2024-03-02'], false],
    [['2025-08-11', '2025-08-11', '2025-08-11', '2025-08-11', '2025-08-11'], false],
    [[], false],
  ])('in %p: %p', (days, expected) => {
    expect(hasStreak(days)).toBe(expected)
  })

  test('is found wherever it lies, in any order, with repetitions', () => {
    fc.assert(
      fc.property(fc.nat(800), fc.array(fc.nat(800)), (start, others) => {
        const run = [3, 1, 4, 0, 2].map((n) => start + n)
        const days = [...run.slice(3), ...others, ...run].map((n) => dayAfter('2024-01-01', n))
        expect(hasStreak(days)).toBe(true)
      }),
    )
  })
})

describe('the asked range', () => {
  test.each([
    ['2025-08-05', '2025-08-09', { start: '2025-08-05', end: '2025-08-09' }],
    ['2020-01-01', '2030-01-01', { start: '2025-08-01', end: '2025-09-06' }],
    ['2025-09-06', '2025-09-10', { start: '2025-09-06', end: '2025-09-06' }],
    ['2025-09-07', '2025-09-10', null],
    ['2025-07-01', '2025-07-31', null],
  ])('%s to %s is cut to the stage', (start, end, range) => {
    expect(rangeInStage(STAGES[0], start, end)).toEqual(range)
  })
})
