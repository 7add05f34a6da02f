import { expect, test } from '@jest/globals'
import { proveClaims } from './claims.ts'

// The one proof that every commit runs, in short; CI's nights run them all, long (`npm run prove:…`).
test('a history of claims at two processes, with kills, has no contradiction', async () => {
  const report = await proveClaims(1500, 3)
  expect(report).toMatchObject({ kills: 3, contradictions: 0 })
  // Each way was met: otherwise the history would prove little.
  for (const kind of ['granted', 'refused as full', 'tickets stored'])
    expect(report[kind]).toBeGreaterThan(100)
}, 180_000)
