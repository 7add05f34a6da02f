import { momentCalls } from './moment-calls.ts'

const at = (time: string) => new Date(`2025-09-${time}+07:00`)
const STAGE_2 = at('10T00:00:00')
const stage = expect.objectContaining({ kind: 'stage-start', stage: 2 })

/**
 * A page open since `start`, whose random number is 0.5, and the steps that it
 * takes.
 */
function open(start: string) {
  const step = momentCalls(at(start), () => 0.5)
  return (time: string, next: Date | null | undefined) => step(at(time), 100_000, next)
}

test('a page that wakes up after the spread calls immediately', () => {
  expect(open('09T23:59:00')('10T00:05:00', null).call?.inMs).toBe(0)
})

test('a page with the next list calls after the moment only', () => {
  const step = open('09T23:55:00')
  expect(step('09T23:55:01', STAGE_2)).toEqual({ passed: [] })
  expect(step('10T00:00:00', STAGE_2).call?.inMs).toBe(55_000)
})

test('a page without the next list calls ahead, and then not again', () => {
  const step = open('09T22:30:00')
  expect(step('09T23:49:59', undefined)).toEqual({ passed: [] })
  const call = { moments: [stage], inMs: 285_000 }
  expect(step('09T23:50:00', undefined)).toEqual({ passed: [], call })
  expect(step('09T23:50:01', undefined)).toEqual({ passed: [] })
  expect(step('10T00:00:00', STAGE_2)).toEqual({ passed: [stage] })
})

test('a page that asked ahead and then slept calls when it wakes up', () => {
  const step = open('09T22:30:00')
  step('09T23:50:00', undefined)
  step('09T23:50:01', STAGE_2)
  expect(step('10T08:00:00', STAGE_2).call?.inMs).toBe(0)
})

test('a call ahead without a next list is repeated after the moment', () => {
  const step = open('09T23:00:00')
  step('09T23:50:00', undefined)
  expect(step('10T00:00:00', undefined).call?.inMs).toBe(55_000)
})

test('a page does not call ahead of a draw', () => {
  const step = open('09T19:00:00')
  expect(step('09T19:59:59', undefined)).toEqual({ passed: [] })
  expect(step('09T20:00:00', undefined).call?.moments).toMatchObject([{ kind: 'draw-start' }])
})

test('a clock that is set back reports no moment', () => {
  const step = open('10T00:00:01')
  expect(step('09T23:59:59', null)).toEqual({ passed: [] })
})

test('a page that slept hears of every moment, after the last one', () => {
  const { passed, call } = open('18T21:00:00')('20T00:00:00', STAGE_2)
  expect(passed.map(({ kind }) => kind)).toContain('draw-end')
  expect(call?.moments).toBe(passed)
})
