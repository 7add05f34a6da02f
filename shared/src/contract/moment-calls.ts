import { type Moment, nextListChange, nextMoment } from './event-timeline.ts'

/**
 * A page that asks ahead does so at least this many milliseconds before the
 * moment.
 */
const AHEAD_MS = 30_000
/**
 * Milliseconds after a moment in which no page asks, because members claim
 * then.
 */
export const QUIET_MS = 5_000

/** What a page has to do now because of a moment. */
interface Step {
  /** The moment that has passed since the step before. */
  readonly passed?: Moment
  /** A call that the page sends after so many milliseconds. */
  readonly call?: { readonly moment: Moment; readonly inMs: number }
}

/**
 * Decides when one page calls because of the event's moments: once for each,
 * within `spread` after it. A page that wants the next list calls ahead
 * instead, within the minutes in which lists carry it. Has no clock; call it
 * about once a second.
 * @param now the event's time at the start
 */
export function momentCalls(now: Date, random = Math.random) {
  let awaited = nextMoment(now)
  let asked: Moment | undefined
  /**
   * @param next time of the next list that the page has; null: it wants none
   */
  return (time: Date, spread: number, next: Date | undefined | null): Step => {
    const passed = awaited
    const left = ({ target }: Moment) => target.getTime() - time.getTime()
    const has = ({ target }: Moment) => next?.getTime() === target.getTime()
    awaited = nextMoment(time)
    if (passed && passed !== awaited && left(passed) <= 0) {
      if (asked === passed && has(passed)) return { passed }
      return {
        passed,
        call: { moment: passed, inMs: Math.max(0, QUIET_MS + random() * spread + left(passed)) },
      }
    }
    if (next === null) return {}
    const change = nextListChange(time)
    if (!change || change === asked || has(change) || left(change) < AHEAD_MS) return {}
    asked = change
    return { call: { moment: change, inMs: random() * (left(change) - AHEAD_MS) } }
  }
}
