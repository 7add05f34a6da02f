import { TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { MISSIONS } from '@anniversary/shared/contract/missions'
import { expect, test } from '@jest/globals'
import { CLAIM_DEADLINES, findOpenStage, findShownStage } from './stages.ts'

const at = (text: string) => new Date(text)

// spec: stage-dates
test.each([
  ['2025-07-31T23:59:59+07:00', undefined, 1],
  ['2025-08-01T00:00:00+07:00', 1, 1],
  ['2025-09-06T23:59:59.999+07:00', 1, 1],
  ['2025-09-07T00:00:00+07:00', undefined, 1],
  ['2025-09-09T23:59:59+07:00', undefined, 1],
  ['2025-09-10T00:00:00+07:00', 2, 2],
  ['2025-09-18T23:59:59+07:00', 2, 2],
  ['2025-09-19T00:00:00+07:00', undefined, 2],
  ['2025-09-20T00:00:00+07:00', 3, 3],
  ['2025-09-28T23:59:59+07:00', 3, 3],
  ['2025-09-29T00:00:00+07:00', undefined, 3],
  ['2030-01-01T00:00:00+07:00', undefined, 3],
  ['2025-07-31T17:00:00Z', 1, 1],
  ['2025-07-31T16:59:59Z', undefined, 1],
])('at %s stage %s is open and %s is shown', (text, open, shown) => {
  expect(findOpenStage(at(text))?.number).toBe(open)
  expect(findShownStage(at(text)).number).toBe(shown)
})

// spec: prize-deadline
test('prizes can be claimed to the end of the day a month after their draw', () => {
  const ends = [
    '2025-10-09T23:59:59+07:00',
    '2025-10-19T23:59:59+07:00',
    '2025-10-29T23:59:59+07:00',
  ]
  expect(CLAIM_DEADLINES).toEqual(ends.map(at))
})

// spec: missions-fill-a-stage
test('all missions together fill a stage exactly', () => {
  expect(MISSIONS.reduce((sum, { tickets }) => sum + tickets, 0)).toBe(TICKETS_PER_STAGE)
})
