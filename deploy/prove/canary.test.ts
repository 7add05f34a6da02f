import { simulator } from './simulate-canary.ts'

/* `npm run prove:canary` in small: the seeds are fixed, so each run is the same. */

const PLAN = { steps: [5, 25, 50, 100], views: 500, visitors: 1000 }
const rates = (canary: number) => ({ canary, current: 0.01 })

function endedOf(canaries: number, errors: number, slower: number): readonly (readonly string[])[] {
  const run = simulator({ name: '', errorRate: rates(errors), slower }, PLAN)
  return Array.from({ length: canaries }, (_, seed) => run(seed + 1).worse).filter(({ length }) => length > 0)
}

test('of 40 canaries without an effect 2 are ended at most', () => {
  expect(endedOf(40, 0.01, 1).length).toBeLessThanOrEqual(2)
})

test('harm is noticed, and named', () => {
  const errors = endedOf(10, 0.05, 1)
  expect(errors.length).toBeGreaterThanOrEqual(9)
  expect(new Set(errors.flat())).toEqual(new Set(['errors']))
  const slow = endedOf(10, 0.01, 1.3)
  expect(slow.length).toBeGreaterThanOrEqual(9)
  expect(new Set(slow.flat())).toEqual(new Set(['lcp']))
})
