import { STAGES } from '@anniversary/shared/contract/event'
import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { claimDeadline, openStage, shownStage, stageEnd, stageStart } from './stages.ts'

const at = (text: string) => new Date(text)

describe('stages', () => {
  // spec: stage-dates
  test.each([
    ['2025-07-31T23:59:59+07:00', undefined, 1],
    ['2025-08-01T00:00:00+07:00', 1, 1],
    ['2025-09-06T23:59:59+07:00', 1, 1],
    ['2025-09-06T23:59:59.999+07:00', 1, 1],
    ['2025-09-07T00:00:00+07:00', undefined, 1],
    ['2025-09-09T23:59:59+07:00', undefined, 1],
    ['2025-09-10T00:00:00+07:00', 2, 2],
    ['2025-09-18T23:59:59+07:00', 2, 2],
    ['2025-09-19T00:00:00+07:00', undefined, 2],
    ['2025-09-19T23:59:59+07:00', undefined, 2],
    ['2025-09-20T00:00:00+07:00', 3, 3],
    ['2025-09-28T23:59:59+07:00', 3, 3],
    ['2025-09-29T00:00:00+07:00', undefined, 3],
    ['2030-01-01T00:00:00+07:00', undefined, 3],
    // The same border told in another offset.
    ['2025-07-31T17:00:00Z', 1, 1],
    ['2025-07-31T16:59:59Z', undefined, 1],
  ])('at %s stage %s is open and stage %s is shown', (text, open, shown) => {
    expect(openStage(at(text))?.number).toBe(open)
    expect(shownStage(at(text)).number).toBe(shown)
  })

  test('an open stage is the shown one', () => {
    fc.assert(
      fc.property(
        fc.date({ min: at('2025-07-01T00:00:00Z'), max: at('2025-11-01T00:00:00Z'), noInvalidDate: true }),
        (now) => {
          const stage = openStage(now)
          if (stage) expect(shownStage(now)).toBe(stage)
        },
      ),
    )
  })

  test('stages follow each other without overlap', () => {
    STAGES.forEach((stage, i) => {
      expect(stageStart(stage)).toBeLessThan(stageEnd(stage))
      const next = STAGES[i + 1]
      if (next) expect(stageEnd(stage)).toBeLessThan(stageStart(next))
    })
  })
})

// spec: prize-deadline
test.each([
  [1, '2025-10-09T22:00:00+07:00'],
  [2, '2025-10-19T22:00:00+07:00'],
  [3, '2025-10-29T22:00:00+07:00'],
] as const)('prizes of draw %d can be claimed until %s', (draw, deadline) => {
  expect(claimDeadline(draw)).toEqual(new Date(deadline))
})
