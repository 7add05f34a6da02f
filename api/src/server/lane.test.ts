import { expect, test } from '@jest/globals'
import { Lane, LIMITS } from './lane.ts'

const limits = { ...LIMITS, running: 2, waiting: 100, firstRate: 1, waitSeconds: 3 }

function open(firstRate = limits.firstRate) {
  const started: number[] = []
  const gone = new Set<number>()
  const lane = new Lane<number>((call) => !gone.has(call) && started.push(call) > 0, {
    ...limits,
    firstRate,
  })
  const enter = (from: number, to: number, now = 0) =>
    Array.from({ length: to - from + 1 }, (_, i) => lane.enter(from + i, now))
  const work = (from: number, seconds: number, rate: number, answered = true) => {
    for (let now = from; now < from + seconds; now += 0.25) {
      for (let i = 0; i < rate / 4; i++) lane.leave(answered)
      for (let call = 0; lane.enter(call, now) && lane.waiting < 100; call++);
      lane.sample(now + 0.25)
    }
  }
  const room = (now: number) => enter(1, 200, now).filter(Boolean).length
  return { lane, started, gone, enter, work, room }
}

test('calls wait in order while they can be started in time', () => {
  const { lane, started, gone, enter } = open()
  expect(enter(1, 6)).toEqual([true, true, true, true, true, false])
  gone.add(3)
  lane.leave(true)
  lane.leave(true)
  // The caller of 3 hung up.
  expect(started).toEqual([1, 2, 4, 5])
  expect([lane.running, lane.waiting]).toEqual([2, 0])
})

test('a faster server lets more calls wait, up to the limit', () => {
  const { lane, enter, work } = open()
  work(0, 10, 20)
  expect(lane.waiting).toBeGreaterThan(50)
  work(10, 10, 400)
  expect(lane.waiting).toBe(100)
  expect(enter(1, 1, 20)).toEqual([false])
})

test('a slower server lets fewer calls wait', () => {
  const { lane, work } = open()
  work(0, 10, 40)
  expect(lane.waiting).toBe(100)
  work(10, 40, 4)
  expect(lane.waiting).toBeLessThanOrEqual(13)
  work(50, 40, 40, false)
  expect(lane.waiting).toBeLessThanOrEqual(13)
})

test('a quarter of a faster rate counts, without a queue too', () => {
  const { lane, enter, room } = open()
  lane.sample(0)
  for (let call = 1; call <= 9; call++) {
    enter(call, call)
    lane.leave(true)
  }
  lane.sample(1)
  for (let i = 1; i < 300; i++) lane.turn(1)
  expect(lane.turn(1)).toBe(Math.round(2 + 300 * (Math.LN2 / 3)))
  // Three a second, for three seconds, and two that run.
  expect(room(1)).toBe(11)
})

test('a slower rate counts only if the lane was full all the time', () => {
  const { lane, enter, room } = open(10)
  lane.sample(0)
  enter(1, 27, 3.9)
  lane.leave(true)
  lane.sample(4)
  expect(room(4)).toBe(6)
  for (let i = 0; i < 6; i++) lane.leave(true)
  lane.sample(8)
  expect(room(8)).toBe(0)
  // Turns are given at the best rate for a while, then at this one.
  for (let now = 9; now <= 209; now++) lane.sample(now)
  for (let i = 1; i < 300; i++) lane.turn(209)
  expect(lane.turn(209)).toBe(Math.round(2 + 300 * (Math.LN2 / 7.875)))
})

test('a lane that answers nothing, or has no queue left, keeps its rate', () => {
  const { lane, enter, room } = open(10)
  lane.sample(0)
  enter(1, 27)
  lane.sample(1)
  lane.sample(2)
  expect(room(2)).toBe(5)
  for (let i = 0; i < 32; i++) lane.leave(true)
  lane.sample(42)
  expect(room(42)).toBe(32)
})

test('failed calls and a lane with free places leave the measured rate alone', () => {
  const { lane, enter } = open()
  for (let now = 0; now < 10; now++) {
    lane.enter(1, now)
    lane.leave(now % 2 === 0)
    lane.sample(now)
  }
  expect(enter(1, 6)).toEqual([true, true, true, true, true, false])
})

test('a call that has waited for too long leaves the lane', () => {
  const { lane, enter } = open()
  enter(1, 3, 0)
  enter(4, 4, 1)
  expect(lane.sample(4.9)).toEqual([])
  expect(lane.sample(5)).toEqual([3])
  expect(lane.waiting).toBe(1)
})

test('turns grow with each refused caller, and shrink as time passes', () => {
  const { lane } = open()
  const turns = (callers: number, now: number) => {
    for (let i = 1; i < callers; i++) lane.turn(now)
    return lane.turn(now)
  }
  // One call a second, and pages that spread over twice the time: ln 2 seconds
  // each.
  expect(turns(101, 0)).toBe(Math.round(2 + 101 * Math.LN2))
  expect(turns(1, 60)).toBe(Math.round(2 + 102 * Math.LN2 - 60))
  expect(turns(1, 200)).toBe(3)
  expect(turns(2000, 200)).toBe(LIMITS.latest)
})
