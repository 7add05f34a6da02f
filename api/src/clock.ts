/** The event's clock. Sessions and limits use real time instead: a demo's clock jumps back at every start. */
export interface EventClock {
  now(): Date
}

/** @param start where the clock stands now and runs on from; undefined: real time */
export function eventClock(start?: Date): EventClock {
  if (!start) return { now: () => new Date() }
  const begun = performance.now()
  return { now: () => new Date(start.getTime() + performance.now() - begun) }
}
