import { nextMoment } from './event-timeline.ts'

test.each([
  ['before stage 1', '2025-07-31T23:59:59+07:00', 'stage-start', 1, '2025-07-31T17:00:00.000Z'],
  [
    'the first second of stage 1',
    '2025-08-01T00:00:00+07:00',
    'stage-end',
    1,
    '2025-09-06T17:00:00.000Z',
  ],
  [
    'the day after stage 1',
    '2025-09-07T00:00:00+07:00',
    'draw-start',
    1,
    '2025-09-09T13:00:00.000Z',
  ],
  [
    'the first second of draw 1',
    '2025-09-09T20:00:00+07:00',
    'draw-end',
    1,
    '2025-09-09T15:00:00.000Z',
  ],
  ['after draw 1', '2025-09-09T22:00:00+07:00', 'stage-start', 2, '2025-09-09T17:00:00.000Z'],
  [
    'the night before stage 3',
    '2025-09-19T23:00:00+07:00',
    'stage-start',
    3,
    '2025-09-19T17:00:00.000Z',
  ],
])('%s', (_, now, kind, stage, target) => {
  expect(nextMoment(new Date(now))).toEqual({ kind, stage, target: new Date(target) })
})
