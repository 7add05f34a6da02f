import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { scheduleMaintenance } from './maintenance.ts'

beforeEach(() => {
  jest.useFakeTimers()
})
afterEach(() => {
  jest.useRealTimers()
})

const settle = () => jest.advanceTimersByTimeAsync(0)

test('tables are vacuumed after enough rows, and ever more seldom as they grow', async () => {
  let vacuums = 0
  const maintenance = scheduleMaintenance(async () => {
    vacuums++
  }, fail)
  const at: number[] = []
  for (let rows = 0; rows < 100_000; rows += 500) {
    const before = vacuums
    maintenance.noteRows(500)
    await settle()
    if (vacuums > before) at.push(rows + 500)
  }
  expect(at.slice(0, 4)).toEqual([2000, 4000, 6000, 8000])
  expect(at.length).toBeLessThan(25)
  expect(at.at(-1)).toBeGreaterThan(80_000)
  await maintenance.stop()
})

test('and every ten minutes when anything was written; a failure is told and does not end it', async () => {
  let vacuums = 0
  const errors: unknown[] = []
  const maintenance = scheduleMaintenance(
    async () => {
      vacuums++
      throw new Error('on purpose')
    },
    (error) => errors.push(error),
  )
  await jest.advanceTimersByTimeAsync(3_600_000)
  expect(vacuums).toBe(0)
  maintenance.noteRows(1)
  await jest.advanceTimersByTimeAsync(600_000)
  maintenance.noteRows(1)
  await jest.advanceTimersByTimeAsync(600_000)
  expect([vacuums, errors.length]).toEqual([2, 2])
  await maintenance.stop()
})

function fail(error: unknown): never {
  throw error
}
