import { expect, test } from '@jest/globals'
import { missed } from './main.ts'
import { meet } from './model.ts'

const costs = { answer: 1 / 5500, refusal: 0.1 / 5500 }

test.each(['stage', 'draw', 'restart', 'away'] as const)('120,000 pages are served: %s', (crowd) => {
  for (const seed of [1, 2]) {
    const plan = { crowd, pages: 120_000, seed, costs }
    expect(missed(plan, meet(plan))).toEqual([])
  }
})

test('pages that all open within 20 seconds are all served soon', () => {
  const { lost, secondsUntilLast } = meet({ crowd: 'rush', pages: 300_000, seed: 1, costs })
  expect(lost).toBe(0)
  expect(secondsUntilLast).toBeLessThan(2 * 300_000 * costs.answer)
})

test('the former policy loses most pages, and a seed repeats a run', () => {
  const plan = {
    crowd: 'stage',
    pages: 250_000,
    costs: { ...costs, refusal: costs.answer },
    before: true,
  } as const
  expect(meet({ ...plan, seed: 1 }).lost).toBeGreaterThan(200_000)
  expect(meet({ ...plan, seed: 7 })).toEqual(meet({ ...plan, seed: 7 }))
})
