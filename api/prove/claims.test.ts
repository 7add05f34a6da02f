import { expect, test } from '@jest/globals'
import { contradictions, type Observation, type StoredTicket } from './claim-history.ts'
import { proveClaims } from './claims.ts'
import { proveRaces } from './races.ts'

const rules = { cap: 3, worth: (mission: string) => (mission === 'TWO' ? 2 : 1) }
const claim = (
  mission: string,
  answer: readonly string[] | 'full' | 'lost',
  sentAt = 0,
): Observation => ({
  kind: 'claim',
  member: 'an',
  mission,
  answer,
  sentAt,
  answeredAt: sentAt + 10,
})
const reading = (codes: Record<string, readonly string[]>, sentAt: number): Observation => ({
  kind: 'reading',
  member: 'an',
  codes: new Map(Object.entries(codes)),
  sentAt,
  answeredAt: sentAt + 10,
})
const ticket = (mission: string, code: string): StoredTicket => ({ member: 'an', mission, code })

test('a history with repeats and a full stage has no contradiction', () => {
  const observations = [
    claim('TWO', ['b', 'a']),
    claim('TWO', ['a', 'b'], 5),
    claim('ONE', 'lost', 20),
    reading({ TWO: ['a', 'b'] }, 25),
    claim('LATE', 'full', 40),
    reading({ TWO: ['a', 'b'], ONE: ['c'] }, 60),
  ]
  const stored = [ticket('TWO', 'a'), ticket('TWO', 'b'), ticket('ONE', 'c')]
  expect(contradictions(observations, stored, rules)).toEqual([])
})

test.each<[why: string, observations: Observation[], stored: StoredTicket[], line: RegExp]>([
  ['a lost ticket', [claim('ONE', ['a'])], [], /ONE was answered a, stored is nothing/],
  [
    'two grants',
    [claim('ONE', ['a']), claim('ONE', ['b'])],
    [ticket('ONE', 'a')],
    /answered b, stored is a/,
  ],
  ['half a mission', [claim('TWO', ['a'])], [ticket('TWO', 'a')], /gave 1 tickets instead of 2/],
  ['a ghost', [], [ticket('ONE', 'a')], /nobody asked for it/],
  [
    'a code given twice',
    [claim('ONE', ['a']), claim('MORE', ['a'])],
    [ticket('ONE', 'a'), ticket('MORE', 'a')],
    /code a is stored 2 times/,
  ],
  [
    'over the cap',
    [claim('A', 'lost'), claim('B', 'lost'), claim('TWO', 'lost')],
    [ticket('A', 'a'), ticket('B', 'b'), ticket('TWO', 'c'), ticket('TWO', 'd')],
    /4 tickets are over the cap of 3/,
  ],
  [
    'an answer taken back',
    [claim('ONE', ['a']), reading({}, 20)],
    [ticket('ONE', 'a')],
    /lacks ONE/,
  ],
  ['full, though there was room', [claim('ONE', 'full')], [], /refused as full at 0 of 3/],
  [
    'full, and granted all the same',
    [claim('TWO', ['a', 'b']), claim('ONE', 'full', 20), claim('ONE', 'lost', 40)],
    [ticket('TWO', 'a'), ticket('TWO', 'b'), ticket('ONE', 'c')],
    /ONE is stored, but was refused as full/,
  ],
])('the check finds %s', (_why, observations, stored, line) => {
  expect(contradictions(observations, stored, rules).join('\n')).toMatch(line)
})

test('racing claims, reversals and completions break no invariant', async () => {
  expect(await proveRaces(30, 20)).toMatchObject({ mixed: 30, aimed: 20 })
})

// The nightly pipeline runs more calls and kills (`npm run prove -- claims`).
test('claims at two processes with kills have no contradiction', async () => {
  const report = await proveClaims(1500, 3, [0, 30, 200])
  expect(report).toMatchObject({ kills: 3, contradictions: 0 })
  // The history would prove little without each of these.
  for (const kind of ['granted', 'granted streaks', 'refused as full', 'ledger lines', 'bookings'])
    expect(report[kind]).toBeGreaterThan(100)
  expect(report.reversals).toBeGreaterThan(0)
})
