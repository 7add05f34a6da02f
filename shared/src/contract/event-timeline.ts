import { DRAWS, EVENT_UTC_OFFSET, STAGES } from './event.ts'

export interface Moment {
  readonly kind: 'stage-start' | 'stage-end' | 'draw-start' | 'draw-end'
  readonly stage: number
  readonly target: Date
}

const startOfDay = (day: string) => new Date(`${day}T00:00:00${EVENT_UTC_OFFSET}`)
const afterDay = (day: string) => new Date(Date.parse(`${day}T23:59:59${EVENT_UTC_OFFSET}`) + 1000)

const moments: readonly Moment[] = [
  ...STAGES.flatMap(({ number, firstDay, lastDay }): Moment[] => [
    { kind: 'stage-start', stage: number, target: startOfDay(firstDay) },
    { kind: 'stage-end', stage: number, target: afterDay(lastDay) },
  ]),
  ...DRAWS.flatMap(({ stage, start, end }): Moment[] => [
    { kind: 'draw-start', stage, target: new Date(start) },
    { kind: 'draw-end', stage, target: new Date(end) },
  ]),
].sort((a, b) => a.target.getTime() - b.target.getTime())

/**
 * 0: none. The API publishes no results of a later one, whenever they were
 * imported.
 */
export const lastDrawBegun = (now: Date): number =>
  DRAWS.filter(({ start }) => new Date(start) <= now).at(-1)?.stage ?? 0

/** 0: none. */
export const lastDrawEnded = (now: Date): number =>
  DRAWS.filter(({ end }) => new Date(end) <= now).at(-1)?.stage ?? 0

/** 0: none. */
export const lastStageBegun = (now: Date): number =>
  STAGES.filter(({ firstDay }) => startOfDay(firstDay) <= now).at(-1)?.number ?? 0

export const isDrawMoment = ({ kind }: Moment): boolean => kind.startsWith('draw')

/** Those after the first time, up to the second. */
export const momentsBetween = (first: Date, second: Date): readonly Moment[] =>
  moments.filter(({ target }) => target > first && target <= second)

export const nextMoment = (now: Date): Moment | undefined =>
  moments.find(({ target }) => target > now)

export const isStageOpen = (now: Date): boolean => nextMoment(now)?.kind === 'stage-end'

/**
 * Milliseconds before a stage's begin or end, from which the mission list
 * carries the list of after it.
 */
export const NEXT_LIST_MS = 600_000

/**
 * The stage's begin or end of which the mission list carries the list already.
 */
export const nextListChange = (now: Date): Moment | undefined =>
  moments.find(
    (moment) =>
      !isDrawMoment(moment) &&
      moment.target > now &&
      moment.target.getTime() - now.getTime() <= NEXT_LIST_MS,
  )

/**
 * Milliseconds over which pages spread the calls that a moment makes, where the
 * server names no longer time.
 */
export const SPREAD_MS = 20_000
