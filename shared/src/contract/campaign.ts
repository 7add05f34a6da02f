import { z } from 'zod'
import event from '../../campaign/event.json' with { type: 'json' }
import missions from '../../campaign/missions.json' with { type: 'json' }
import prizes from '../../campaign/prizes.json' with { type: 'json' }
import { EVENT_UTC_OFFSET, MAX_MISSION_CARDS } from './event.ts'
import { COUNTED_KINDS } from './missions.ts'

const day = z.iso.date('must be a day such as 2025-08-01')
const time = z.iso
  .datetime({ offset: true, error: 'must be a time such as 2025-09-09T20:00:00+07:00' })
  .endsWith(EVENT_UTC_OFFSET, `must end with ${EVENT_UTC_OFFSET}`)
const count = z.int().positive()
const text = z.string().trim().min(1)
const mission = {
  code: z.string().regex(/^[A-Z0-9_]{1,64}$/, 'must be capitals, digits and _, at most 64'),
  name: text,
  tickets: count,
}

const schema = z.strictObject({
  stages: z.array(z.strictObject({ number: count, firstDay: day, lastDay: day })).min(1),
  draws: z.array(z.strictObject({ stage: count, start: time, end: time })),
  ticketsPerStage: count,
  shareLinks: count.max(10),
  missions: z
    .array(
      z.discriminatedUnion('kind', [
        z.strictObject({ ...mission, kind: z.enum(COUNTED_KINDS), goal: count }),
        z.strictObject({ ...mission, kind: z.literal('share') }),
      ]),
    )
    .min(1)
    .max(MAX_MISSION_CARDS),
  prizes: z
    .array(
      z.strictObject({
        rank: text,
        name: text,
        count: text,
        mostPerDraw: z.array(z.int().nonnegative()),
        giftcode: z.boolean().optional(),
      }),
    )
    .min(1)
    .max(6),
})

export const campaign = { ...event, missions, prizes }

/** @returns one sentence per problem; empty means valid */
export function campaignProblems(given: unknown = campaign): string[] {
  const read = schema.safeParse(given)
  if (!read.success)
    return read.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)
  const { stages, draws, missions, prizes, ticketsPerStage } = read.data
  const sum = missions.reduce((all, { tickets }) => all + tickets, 0)
  return [
    ...stages.flatMap(({ number, firstDay, lastDay }, i) => [
      number !== i + 1 && `stages.${i}: its number is ${i + 1}`,
      lastDay < firstDay && `stages.${i}: ends before it begins`,
      firstDay <= (stages[i - 1]?.lastDay ?? '') &&
        `stages.${i}: begins before stages.${i - 1} ends`,
    ]),
    draws.length !== stages.length && 'draws: each stage has one',
    ...draws.flatMap(({ stage: number, start, end }, i) => {
      const [stage, next] = stages.slice(i)
      const nextStart = next && Date.parse(`${next.firstDay}T00:00:00${EVENT_UTC_OFFSET}`)
      return [
        number !== i + 1 && `draws.${i}: its stage is ${i + 1}`,
        Date.parse(end) <= Date.parse(start) && `draws.${i}: ends before it begins`,
        stage && start.slice(0, 10) <= stage.lastDay && `draws.${i}: begins before its stage ends`,
        nextStart && Date.parse(end) > nextStart && `draws.${i}: ends after stages.${i + 1} begins`,
      ]
    }),
    sum !== ticketsPerStage &&
      `ticketsPerStage: is ${ticketsPerStage}, but the missions give ${sum}`,
    ...missions.map((mission, i) => {
      if (mission.kind === 'share') return false
      const goal = mission.goal.toLocaleString('vi-VN')
      const numbers = mission.name.match(/\d+(\.\d+)*/g) ?? [goal]
      return !numbers.includes(goal) && `missions.${i}: its goal is ${goal}, its name says another`
    }),
    ...prizes.map(
      ({ mostPerDraw }, i) =>
        mostPerDraw.length !== draws.length && `prizes.${i}.mostPerDraw: each draw has a number`,
    ),
    new Set(missions.map(({ code }) => code)).size < missions.length &&
      'missions: each code stands once',
    ...(['streak', 'share'] as const).map(
      (only) =>
        missions.filter(({ kind }) => kind === only).length > 1 &&
        `missions: at most one of kind ${only}`,
    ),
  ].filter((problem) => typeof problem === 'string')
}
