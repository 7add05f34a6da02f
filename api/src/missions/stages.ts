import { DRAWS, EVENT_UTC_OFFSET, STAGES, type Stage } from '@anniversary/shared/contract/event'

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

export const STAGE_ROWS = `(VALUES ${STAGES.map(
  ({ number, firstDay, lastDay }) => `(${number}, date '${firstDay}', date '${lastDay}')`,
).join(', ')}) AS s (stage, first_day, last_day)`

const OFFSET_MS = Number.parseInt(EVENT_UTC_OFFSET, 10) * 3_600_000

/** By the event's calendar. Of 31 January: 28 or 29 February. */
export function oneMonthLater(time: Date): Date {
  const local = new Date(time.getTime() + OFFSET_MS)
  const day = local.getUTCDate()
  local.setUTCMonth(local.getUTCMonth() + 1)
  // Day 0 is the last day of the month before.
  if (local.getUTCDate() !== day) local.setUTCDate(0)
  return new Date(local.getTime() - OFFSET_MS)
}

/** One month after each draw (specification, section 1). */
export const CLAIM_DEADLINES: readonly Date[] = DRAWS.map(({ end }) => oneMonthLater(new Date(end)))

export const claimDeadline = (draw: string) =>
  `(ARRAY[${CLAIM_DEADLINES.map((at) => `'${at.toISOString()}'`)}]::timestamptz[])[${draw}]`
