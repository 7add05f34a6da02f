import { DRAWS, EVENT_UTC_OFFSET, STAGES, type StageNumber } from '@anniversary/shared/contract/event'

export interface Moment {
  readonly kind: 'stage-start' | 'stage-end' | 'draw-start' | 'draw-end'
  readonly stage: StageNumber
  /** Milliseconds since 1970. */
  readonly at: number
}

const DAY_MS = 86_400_000
const midnight = (day: string) => Date.parse(`${day}T00:00:00${EVENT_UTC_OFFSET}`)

/** The borders of stages and draws in their order. A stage ends inclusively at 23:59:59: at the next midnight. */
const moments: readonly Moment[] = [
  ...STAGES.flatMap(({ number, firstDay, lastDay }): Moment[] => [
    { kind: 'stage-start', stage: number, at: midnight(firstDay) },
    { kind: 'stage-end', stage: number, at: midnight(lastDay) + DAY_MS },
  ]),
  ...DRAWS.flatMap(({ stage, start, end }): Moment[] => [
    { kind: 'draw-start', stage, at: Date.parse(start) },
    { kind: 'draw-end', stage, at: Date.parse(end) },
  ]),
].sort((a, b) => a.at - b.at)

/**
 * What a member waits for next: a stage's start or end, a draw's start or end.
 * @param now of the event's clock
 * @returns undefined once the last draw is over
 */
export const nextMoment = (now: Date): Moment | undefined => moments.find(({ at }) => at > now.getTime())
