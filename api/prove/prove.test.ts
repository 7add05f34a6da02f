import { expect, test } from '@jest/globals'
import { proveClaims } from './claims.ts'
import { proveCrash, type Victim } from './crash.ts'
import { proveFuzz } from './fuzz.ts'
import { proveImport } from './import.ts'

// The proofs in short; `npm run prove:claims`, `prove:crash`, `prove:fuzz` and `prove:import` run them long.

test.each([
  { tables: 'whole', calls: 3000, kills: 4 },
  { tables: 'partitioned', calls: 1500, kills: 1 },
])(
  'a history of claims at two processes, $tables tables, with kills, has no contradiction',
  async (short) => {
    const { tables, calls, kills } = short
    const report = await proveClaims(calls, kills, tables === 'partitioned')
    expect(report).toMatchObject({ kills, contradictions: 0 })
    // Each way was met: otherwise the history would prove little.
    for (const kind of ['granted', 'refused as full', 'tickets stored'])
      expect(report[kind]).toBeGreaterThan(100)
  },
  180_000,
)

test.each<Victim>(['api', 'postgres', 'both'])(
  'kill -9 of %s loses and doubles nothing',
  async (victim) => {
    const report = await proveCrash(victim, 1)
    expect(report).toMatchObject({ rounds: 1, tickets: 1200 })
    expect(report.acknowledged).toBeGreaterThanOrEqual(1200)
  },
  180_000,
)

test('bad requests get no 5xx, no stack trace, and hurt nothing', async () => {
  expect((await proveFuzz(600)).requests).toBeGreaterThanOrEqual(600)
}, 120_000)

test('imported files are what members see, by a recount of its own', async () => {
  expect(await proveImport(3000, 30)).toMatchObject({ samples: 30 })
}, 120_000)
