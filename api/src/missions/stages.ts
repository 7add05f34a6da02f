import { DRAWS, EVENT_UTC_OFFSET, STAGES, type Stage } from '@anniversary/shared/contract/event'
import { lastClaimDay } from '@anniversary/shared/contract/event-time'

const DAY_MS = 86_400_000

const startOf = (day: string): number => Date.parse(`${day}T00:00:00${EVENT_UTC_OFFSET}`)
/** The last day is part of the stage. */
export const stageEndTime = (stage: Stage): number => startOf(stage.lastDay) + DAY_MS

const SPANS = STAGES.map((stage) => ({
  stage,
  start: startOf(stage.firstDay),
  end: stageEndTime(stage),
}))

/** Undefined before, between and after the stages. */
export function findOpenStage(now: Date): Stage | undefined {
  const time = now.getTime()
  return SPANS.find(({ start, end }) => time >= start && time < end)?.stage
}

/** The last stage that has begun; before the event, the first one. */
export function findShownStage(now: Date): Stage {
  return SPANS.findLast(({ start }) => now.getTime() >= start)?.stage ?? STAGES[0]
}

/** SQL: the event's day of a time. */
export const eventDayOf = (time: string) => `(${time} AT TIME ZONE 'Asia/Ho_Chi_Minh')::date`

export const STAGE_ROWS = `(VALUES ${STAGES.map(
  ({ number, firstDay, lastDay }) => `(${number}, date '${firstDay}', date '${lastDay}')`,
).join(', ')}) AS s (stage, first_day, last_day)`

/** The end of the last day on which a draw's prizes can be claimed. */
export const CLAIM_DEADLINES: readonly Date[] = DRAWS.map(
  ({ start }) => new Date(startOf(lastClaimDay(start)) + DAY_MS - 1000),
)

export const claimDeadline = (draw: string) =>
  `(ARRAY[${CLAIM_DEADLINES.map((at) => `'${at.toISOString()}'`)}]::timestamptz[])[${draw}]`
