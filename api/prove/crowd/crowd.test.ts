import { expect, test } from '@jest/globals'
import { missed } from './main.ts'
import { meet, type Plan } from './model.ts'

const costs = { answer: 1 / 5500, refusal: 0.1 / 5500 }

test.each<Plan['crowd']>(['stage', 'draw', 'restart', 'away'])(
  'all pages are served: %s',
  (crowd) => {
    const plan = { crowd, pages: 60_000, seed: 1, costs }
    expect(missed(plan, meet(plan))).toEqual([])
  },
)

test('pages that all open within 20 seconds are all served soon', () => {
  const pages = 200_000
  const { lost, secondsUntilLast } = meet({ crowd: 'rush', pages, seed: 1, costs })
  expect(lost).toBe(0)
  expect(secondsUntilLast).toBeLessThan(2 * pages * costs.answer)
})

test('the former policy loses most pages', () => {
  const slow = { answer: 3 * costs.answer, refusal: 3 * costs.answer }
  const { lost } = meet({ crowd: 'stage', pages: 50_000, seed: 1, costs: slow, before: true })
  expect(lost).toBeGreaterThan(33_000)
})

test('a seed repeats a run', () => {
  const run = () => meet({ crowd: 'rush', pages: 60_000, seed: 7, costs })
  expect(run()).toEqual(run())
})
