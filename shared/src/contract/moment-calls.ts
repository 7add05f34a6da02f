import { type Moment, momentsBetween, nextListChange } from './event-timeline.ts'

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

/** What a page has to do now because of moments. */
interface Step {
  /** Those since the step before: several for a page that has slept. */
  readonly passed: readonly Moment[]
  /** A call that the page sends after so many milliseconds. */
  readonly call?: { readonly moments: readonly Moment[]; readonly inMs: number }
}

/**
 * Decides when one page calls because of the event's moments: once for each,
 * within `spread` after it. A page that wants the next list calls ahead
 * instead, within the minutes in which lists carry it. Has no clock; call it
 * about once a second.
 * @param now the event's time at the start
 */
export function momentCalls(now: Date, random = Math.random) {
  let before = now
  let asked: Moment | undefined
  /**
   * @param next time of the next list that the page has; null: it wants none
   */
  return (time: Date, spread: number, next: Date | undefined | null): Step => {
    const passed = momentsBetween(before, time)
    const last = passed.at(-1)
    before = time
    const left = ({ target }: Moment) => target.getTime() - time.getTime()
    const has = ({ target }: Moment) => next?.getTime() === target.getTime()
    if (last) {
      // A page that slept may have asked hours before the moment.
      const isAwake = -left(last) < QUIET_MS
      const isKnown = passed.every((moment) => moment === asked && has(moment))
      if (isAwake && isKnown) return { passed }
      const inMs = Math.max(0, QUIET_MS + random() * spread + left(last))
      return { passed, call: { moments: passed, inMs } }
    }
    if (next === null) return { passed }
    const change = nextListChange(time)
    if (!change || change === asked || has(change) || left(change) < AHEAD_MS) return { passed }
    asked = change
    return { passed, call: { moments: [change], inMs: random() * (left(change) - AHEAD_MS) } }
  }
}
