import { expect, test } from '@jest/globals'
import { proveClaims } from './claims.ts'
import { proveCrash, type Victim } from './crash.ts'
import { proveFuzz } from './fuzz.ts'
import { proveImport } from './import.ts'

// The proofs in short; `npm run prove:claims`, `prove:crash`, `prove:fuzz` and `prove:import` run them long.

test('two processes give every ticket once, and no stage more than six', async () => {
  const report = await proveClaims({ members: 10, duplicates: 40, greedy: 15 })
  // A greedy member ends with six, or with five where 3 + 1 + 1 came first and only missions worth two are left.
  expect(report['tickets given']).toBeGreaterThanOrEqual(10 + 15 * 5)
  expect(report['tickets given']).toBeLessThanOrEqual(10 + 15 * 6)
}, 120_000)

test.each<Victim>(['api', 'postgres', 'both'])(
  'kill -9 of %s loses and doubles nothing',
  async (victim) => {
    const report = await proveCrash(victim, 2)
    expect(report).toMatchObject({ rounds: 2, tickets: 2400 })
    expect(report.acknowledged).toBeGreaterThanOrEqual(2400)
  },
  180_000,
)

test('bad requests get no 5xx, no stack trace, and hurt nothing', async () => {
  expect((await proveFuzz(600)).requests).toBeGreaterThanOrEqual(600)
}, 120_000)

test('imported files are what members see, by a recount of its own', async () => {
  expect(await proveImport(3000, 30)).toMatchObject({ samples: 30 })
}, 120_000)
