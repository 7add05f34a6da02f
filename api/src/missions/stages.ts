import { DRAWS, EVENT_UTC_OFFSET, STAGES, type Stage } from '@anniversary/shared/contract/event'

const DAY_MS = 86_400_000

const stageStart = (stage: Stage): number =>
  Date.parse(`${stage.firstDay}T00:00:00${EVENT_UTC_OFFSET}`)
/** Returns the first millisecond after a stage. Its last day is part of it. */
const stageEnd = (stage: Stage): number =>
  Date.parse(`${stage.lastDay}T00:00:00${EVENT_UTC_OFFSET}`) + DAY_MS

/** Returns the stage that is open at `now`, or undefined before, between and after the stages. */
export function openStage(now: Date): Stage | undefined {
  const time = now.getTime()
  return STAGES.find((stage) => time >= stageStart(stage) && time < stageEnd(stage))
}

/** Returns the stage whose missions a member sees: the last one that has begun; before the event, the first one. */
export function shownStage(now: Date): Stage {
  return STAGES.findLast((stage) => now.getTime() >= stageStart(stage)) ?? STAGES[0]
}

/** SQL: the stages as rows. */
export const STAGE_ROWS = `(VALUES ${STAGES.map(
  ({ number, firstDay, lastDay }) => `(${number}, date '${firstDay}', date '${lastDay}')`,
).join(', ')}) AS s (stage, first_day, last_day)`

/** End of the time in which each draw's prizes can be claimed: one month (specification, section 1). */
export const CLAIM_DEADLINES: readonly Date[] = DRAWS.map(({ end }) => {
  const deadline = new Date(end)
  deadline.setUTCMonth(deadline.getUTCMonth() + 1)
  return deadline
})
