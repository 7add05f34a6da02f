import { TICKETS_PER_STAGE } from '@anniversary/shared/contract/event'
import { MISSIONS } from '@anniversary/shared/contract/missions'
import { describe, expect, test } from '@jest/globals'
import { COUNTING, findMission, reachedMissions, type StageActivity } from './rules.ts'

const nothing: StageActivity = { depositCents: 0, betCents: 0, deposits: 0 }

describe('missions', () => {
  // spec: mission-thresholds
  test.each([
    [{ depositCents: 29_999 }, []],
    [{ depositCents: 30_000 }, ['NAP_300']],
    [{ depositCents: 1_499_999 }, ['NAP_300']],
    [{ depositCents: 1_500_000 }, ['NAP_300', 'NAP_15000']],
    [{ betCents: 499_999 }, []],
    [{ betCents: 500_000 }, ['CUOC_5000']],
    [{ deposits: 9 }, []],
    [{ deposits: 10 }, ['NAP_10LAN']],
  ])('%p reaches %p', (part, reached) => {
    expect(reachedMissions({ ...nothing, ...part })).toEqual(reached)
  })

  test('the streak asks for a check, the share is always open, the rest waits', () => {
    expect(MISSIONS.map(({ kind }) => COUNTING[kind].openState)).toEqual([0, 0, 3, 0, 0, 2])
  })

  // spec: missions-fill-a-stage
  test('all missions together fill a stage exactly', () => {
    expect(MISSIONS.reduce((sum, { tickets }) => sum + tickets, 0)).toBe(TICKETS_PER_STAGE)
  })

  test.each(['', 'nap_300', '__proto__', 'toString', 'NAP_300 '])('%j is no mission', (code) => {
    expect(findMission(code)).toBeUndefined()
  })
})
