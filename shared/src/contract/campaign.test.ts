import { campaignProblems, campaign as event } from './campaign.ts'

const [first, second, third] = event.stages
const [draw] = event.draws
const [deposit, bet, streak, ...others] = event.missions

describe('shared/campaign', () => {
  test('can be held as it is', () => {
    expect(campaignProblems()).toEqual([])
  })

  test.each([
    [
      { stages: [first, second, { ...third, firstDay: '2025-09-18' }] },
      'stages.2: begins before stages.1 ends',
    ],
    [{ stages: [{ ...first, lastDay: '2025-07-31' }, second, third] }, 'stages.0: ends before it begins'],
    [
      { stages: [{ ...first, lastDay: '31/08' }, second, third] },
      'stages.0.lastDay: must be a day such as 2025-08-01',
    ],
    [{ draws: event.draws.slice(0, 2) }, 'draws: each stage has one'],
    [
      {
        draws: [
          { stage: 1, start: '2025-09-06T20:00:00+07:00', end: '2025-09-06T22:00:00+07:00' },
          ...event.draws.slice(1),
        ],
      },
      'draws.0: begins before its stage ends',
    ],
    [
      { draws: [{ ...draw, end: '2025-09-10T00:00:01+07:00' }, ...event.draws.slice(1)] },
      'draws.0: ends after stages.1 begins',
    ],
    [
      { draws: [{ ...draw, start: '2025-09-09T13:00:00Z' }, ...event.draws.slice(1)] },
      'draws.0.start: must end with +07:00',
    ],
    [{ ticketsPerStage: 7 }, 'ticketsPerStage: is 7, but the missions give 6'],
    [{ missions: [deposit, deposit, streak, ...others] }, 'missions: each code stands once'],
    [
      { missions: [deposit, { ...bet, kind: 'streak' }, streak, ...others] },
      'missions: at most one of kind streak',
    ],
    [
      { missions: [{ ...deposit, goal: 0 }, bet, streak, ...others] },
      'missions.0.goal: Too small: expected number to be >0',
    ],
  ])('with %j: %s', (part, problem) => {
    expect(campaignProblems({ ...event, ...part })).toContain(problem)
  })
})
