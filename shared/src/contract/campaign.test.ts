import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import terms from '../../campaign/terms.json'
import texts from '../../campaign/texts.json'
import { campaignProblems, campaign as event } from './campaign.ts'

test("the campaign's files have no problem", () => {
  expect(campaignProblems()).toEqual([])
})

const [deposit] = event.missions
test.each<
  [list: 'stages' | 'draws' | 'missions' | 'prizes', index: number, change: object, problem: string]
>([
  ['stages', 2, { firstDay: '2025-09-18' }, 'stages.2: begins before stages.1 ends'],
  ['stages', 0, { lastDay: '2025-07-31' }, 'stages.0: ends before it begins'],
  ['stages', 0, { lastDay: '31/08' }, 'stages.0.lastDay: must be a day such as 2025-08-01'],
  ['draws', 0, { start: '2025-09-06T20:00:00+07:00' }, 'draws.0: begins before its stage ends'],
  ['draws', 0, { end: '2025-09-10T00:00:01+07:00' }, 'draws.0: ends after stages.1 begins'],
  ['draws', 0, { start: '2025-09-09T13:00:00Z' }, 'draws.0.start: must end with +07:00'],
  ['missions', 1, { ...deposit }, 'missions: each code stands once'],
  ['missions', 1, { kind: 'streak' }, 'missions: at most one of kind streak'],
  ['missions', 1, { goal: 500 }, 'missions.1: its goal is 500, its name says another'],
  ['prizes', 0, { mostPerDraw: [0, 1] }, 'prizes.0.mostPerDraw: each draw has a number'],
  ['missions', 0, { goal: 0 }, 'missions.0.goal: Too small: expected number to be >0'],
])('%s.%i with %j is refused: %s', (list, index, change, problem) => {
  const changed = event[list].map((one, at) => (at === index ? { ...one, ...change } : one))
  expect(campaignProblems({ ...event, [list]: changed })).toContain(problem)
})

test.each([
  [{ draws: event.draws.slice(0, 2) }, 'draws: each stage has one'],
  [{ ticketsPerStage: 7 }, 'ticketsPerStage: is 7, but the missions give 6'],
])('a campaign with %j is refused: %s', (part, problem) => {
  expect(campaignProblems({ ...event, ...part })).toContain(problem)
})

test('texts name the special prize, and the days and the number of the draws', () => {
  const days = event.draws.map(({ start }) => start.replace(/^\d+-(..)-(..).*/, '$2/$1'))
  for (const text of [texts.description, texts.cardAlt]) {
    expect(text.match(/\d\d\/\d\d/g)).toEqual(days)
    expect(text.toLowerCase()).toContain(event.prizes[0]?.name.toLowerCase())
  }
  for (const [, count] of terms.join().matchAll(/cả (\d+) /g)) expect(count).toBe(`${days.length}`)
})

test('the manifest has the name and the colour of the texts', () => {
  const file = join(import.meta.dirname, '../../campaign/public/site.webmanifest')
  const { name, theme_color } = JSON.parse(readFileSync(file, 'utf8'))
  expect({ name, theme_color }).toEqual({ name: texts.name, theme_color: texts.themeColor })
})
