/** The event's clock. Sessions and limits use real time: the demo's clock jumps back at every start. */
export interface EventClock {
  now(): Date
}

/** @param start the clock's time now, from which it runs on; undefined: real time */
export function eventClock(start?: Date): EventClock {
  if (!start) return { now: () => new Date() }
  const begun = performance.now()
  return { now: () => new Date(start.getTime() + performance.now() - begun) }
}
