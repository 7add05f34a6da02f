import { DRAWS, EVENT_UTC_OFFSET, STAGES, type Stage } from '@anniversary/shared/contract/event'

const DAY_MS = 86_400_000

export const stageStart = (stage: Stage): number =>
  Date.parse(`${stage.firstDay}T00:00:00${EVENT_UTC_OFFSET}`)
/** First millisecond after a stage: its last day counts to 23:59:59. */
export const stageEnd = (stage: Stage): number =>
  Date.parse(`${stage.lastDay}T00:00:00${EVENT_UTC_OFFSET}`) + DAY_MS

/** The stage that is open at `now`; undefined before, between and after the stages. */
export function openStage(now: Date): Stage | undefined {
  const time = now.getTime()
  return STAGES.find((stage) => time >= stageStart(stage) && time < stageEnd(stage))
}

/**
 * The stage whose missions a member sees: the open one, else the last that has begun (its tickets stay in sight until
 * the next begins), before the event the first.
 */
export function shownStage(now: Date): Stage {
  return STAGES.findLast((stage) => now.getTime() >= stageStart(stage)) ?? STAGES[0]
}

/** The stages as columns: their numbers, first and last days. */
export const STAGE_DAYS = [
  STAGES.map((stage) => stage.number),
  STAGES.map((stage) => stage.firstDay),
  STAGES.map((stage) => stage.lastDay),
] as const

/** Until when prizes of each draw can be claimed: one month from its end (specification, section 1). */
export const CLAIM_DEADLINES: readonly Date[] = DRAWS.map(({ end }) => {
  const deadline = new Date(end)
  deadline.setUTCMonth(deadline.getUTCMonth() + 1)
  return deadline
})
